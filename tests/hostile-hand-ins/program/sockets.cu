// tries: to reach the network and other processes by sockets
// gets: 0 0 check | it was denied: Operation not permitted
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/socket.h>

static bool in;

static void attempt()
{
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ||
        socket(AF_NETLINK, SOCK_RAW, 0) >= 0)
        in = true;
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
