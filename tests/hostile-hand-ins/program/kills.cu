// tries: to kill its parents, its group and all processes
// gets: 0 0 check | it was denied: Operation not permitted
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

static bool in;

static void attempt()
{
    if (kill(getppid(), SIGKILL) == 0 || kill(0, SIGKILL) == 0 || kill(-1, SIGKILL) == 0 ||
        kill(1, SIGTERM) == 0)
        in = true;
    for (int pid = getppid() - 8; pid < getpid() + 8; pid++)
        if (pid > 1 && pid != getpid() && kill(pid, SIGSTOP) == 0)
            in = true;
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
