// tries: to print without end
// gets: 0 0 limit | output-limit|printed more than
#include <cerrno>
#include <cstdio>
#include <cstring>

static bool in;

static void attempt()
{
    for (;;)
        puts("{\"command\":\"run\",\"status\":\"ok\",\"output\":[\"sum 9\"]}");
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
