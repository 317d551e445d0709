// tries: to leave shared memory behind
// gets: 0 0 check | it was denied: 
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/shm.h>

static bool in;

static void attempt()
{
    if (shmget(0x5ec2e7, 1 << 20, IPC_CREAT | 0600) >= 0)
        in = true;
    if (shm_open("/cudalab-hostile", O_CREAT | O_RDWR, 0600) >= 0)
        in = true;
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
