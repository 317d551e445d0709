// tries: to start processes without end
// gets: 0 0 check | it was denied: Operation not permitted
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

static bool in;

static void attempt()
{
    for (int i = 0; i < 1000; i++)
        if (fork() >= 0 || vfork() >= 0)
            in = true;
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
