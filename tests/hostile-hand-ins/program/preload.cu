// tries: to start another program, with a library loaded first
// gets: 0 0 limit | printed more than|did not end within
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

static bool in;

static void attempt()
{
    setenv("LD_PRELOAD", "/tmp/cudalab-hostile.so", 1);
    for (const char *path : {"/bin/sh", "/usr/bin/env", "/proc/self/exe", "/bin/true"})
        execl(path, path, "-c", "echo GOT IN", nullptr);
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
