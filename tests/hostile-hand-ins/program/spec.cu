// tries: to read the exercise and the hand-ins of others
// gets: 0 0 check | it was denied: Permission denied
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dirent.h>

static bool in;

static void attempt()
{
    for (const char *path : {"../../program.exercise", "../program.exercise", "program.exercise",
                             "/proc/self/cwd/../../program.exercise", "../00001/honest.cu",
                             "../00002/honest.cu", "/etc/passwd", "/proc/self/environ"})
        if (fopen(path, "r"))
            in = true;
    for (const char *path : {".", "..", "../..", "/", "/tmp", "/proc"})
        if (opendir(path))
            in = true;
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
