// tries: to grow its stack without end
// gets: 0 0 fault | no room left on its stack
#include <cerrno>
#include <cstdio>
#include <cstring>

static bool in;

static void attempt()
{
    struct deep {
        static int down(int n)
        {
            volatile char bytes[1 << 16];
            bytes[n % 100] = 1;
            return down(n + 1) + bytes[7];
        }
    };
    printf("%d\n", deep::down(1));
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
