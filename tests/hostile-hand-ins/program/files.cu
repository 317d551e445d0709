// tries: to leave files, links and pipes in its folder and in /tmp
// gets: 0 0 check | it was denied: 
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool in;

static void attempt()
{
    for (const char *folder : {".", "..", "/tmp", "/var/tmp", "/dev/shm"}) {
        char path[200];
        snprintf(path, sizeof path, "%s/cudalab-hostile", folder);
        if (open(path, O_CREAT | O_WRONLY, 0600) >= 0 || mkdir(path, 0700) == 0 ||
            mkfifo(path, 0600) == 0 || symlink("/etc/passwd", path) == 0)
            in = true;
    }
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
