// tries: to make a huge file with holes
// gets: 0 0 check | it was denied: Permission denied
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

static bool in;

static void attempt()
{
    const int fd = open("cudalab-hostile", O_CREAT | O_RDWR, 0600);
    if (fd >= 0 && ftruncate(fd, 1L << 40) == 0)
        in = true;
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
