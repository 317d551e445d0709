// tries: to end before its main begins
// gets: 0 0 check | exit: wanted 0, found 3
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

__attribute__((constructor)) static void first()
{
    dprintf(1, "sum 72731\n");
    dprintf(1, "sum 9\n");
    _exit(3);
}
static bool in;

static void attempt()
{
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
