// tries: to leave a process behind
// gets: 0 0 check | it was denied: Operation not permitted
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <thread>
#include <unistd.h>

static bool in;

static void attempt()
{
    std::thread([] { for (;;) pause(); }).detach();
    if (setsid() >= 0)
        in = true;
    if (daemon(0, 0) == 0)
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
