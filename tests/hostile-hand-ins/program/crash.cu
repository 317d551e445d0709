// tries: to crash, with a core file
// gets: 0 0 fault | host-crash
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/resource.h>

static bool in;

static void attempt()
{
    const rlimit most = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_CORE, &most);
    *(volatile int *)8 = 1;
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
