// tries: to use up all memory
// gets: 0 0 check | it was denied: Cannot allocate memory
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

static bool in;

static void attempt()
{
    while (char *p = (char *)malloc(1 << 20))
        memset(p, 1, 1 << 20);
    for (;;) {
        void *p = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            break;
    }
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
