// tries: to start threads without end
// gets: 0 0 check | it was denied: Resource temporarily unavailable
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <thread>
#include <unistd.h>

static bool in;

static void attempt()
{
    try {
        for (int i = 0; i < 100000; i++)
            std::thread([] { for (;;) pause(); }).detach();
    } catch (const std::exception &) {
        errno = EAGAIN;
    }
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
