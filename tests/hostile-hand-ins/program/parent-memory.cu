// tries: to write into the memory of its parents
// gets: 0 0 check | it was denied: Permission denied
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

static bool in;

static void attempt()
{
    for (int pid = getppid() > 8 ? getppid() - 8 : 2; pid <= getppid(); pid++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/mem", pid);
        const int fd = open(path, O_RDWR);
        if (fd >= 0)
            in = true;
        snprintf(path, sizeof path, "/proc/%d/environ", pid);
        if (open(path, O_RDONLY) >= 0)
            in = true;
    }
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
