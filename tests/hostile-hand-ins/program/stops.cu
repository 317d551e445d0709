// tries: to stop itself and never go on
// gets: 0 0 limit | did not end within
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

static bool in;

static void attempt()
{
    raise(SIGSTOP);
    kill(getpid(), SIGSTOP);
    for (;;)
        pause();
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
