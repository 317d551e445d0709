// tries: to use up all descriptors
// gets: 0 0 check | it was denied: Too many open files
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

static bool in;

static void attempt()
{
    while (dup(1) >= 0)
        continue;
    const int why = errno;
    for (int fd = 8; fd < 4096; fd++)
        close(fd);
    errno = why;
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
