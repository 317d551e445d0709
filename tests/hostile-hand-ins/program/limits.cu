// tries: to raise its limits, and those of its parents
// gets: 0 0 check | it was denied: Operation not permitted
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static bool in;

static void attempt()
{
    const rlimit most = {RLIM_INFINITY, RLIM_INFINITY};
    if (setrlimit(RLIMIT_FSIZE, &most) == 0 || prlimit(getppid(), RLIMIT_CPU, &most, nullptr) == 0 ||
        setpriority(PRIO_PROCESS, getppid(), 19) == 0)
        in = true;
    if (prctl(PR_SET_PDEATHSIG, 0) == 0 && prctl(PR_SET_DUMPABLE, 1) == 0 && setuid(0) == 0)
        in = true;
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
