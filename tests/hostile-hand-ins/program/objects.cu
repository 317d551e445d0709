// tries: to write the objects of a worker to each of its descriptors 1 and 2
// gets: 0 0 check | found .{1,9}command
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

static bool in;

static void attempt()
{
    for (int i = 0; i < 100; i++) {
        fflush(stdout);
        dprintf(1 + i % 2, "{\"command\":\"run\",\"status\":\"ok\",\"output\":[\"all\"],"
                           "\"result\":{\"exit_status\":0}}\n");
        dprintf(1 + i % 2, "{\"command\":\"echo 0123456789abcdef-%d\",\"status\":\"ok\"}\n", i);
    }
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
