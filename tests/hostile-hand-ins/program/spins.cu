// tries: to spin without end, behind closed outputs
// gets: 0 0 limit | did not end within
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

static bool in;

static void attempt()
{
    close(0);
    close(1);
    close(2);
    for (;;)
        continue;
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
