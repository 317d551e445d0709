// tries: to take over its parents by ptrace
// gets: 0 0 check | it was denied: Operation not permitted
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/ptrace.h>
#include <unistd.h>

static bool in;

static void attempt()
{
    for (int pid = getppid(); pid > 1 && pid > getppid() - 8; pid--)
        if (ptrace(PTRACE_ATTACH, pid, nullptr, nullptr) == 0)
            in = true;
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
