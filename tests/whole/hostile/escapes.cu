// A program that tries to leave --safe. Each argument says what it tries, and may have a file or a
// word after a colon. It prints what it got each time, or "nothing".
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <initializer_list>
#include <sched.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int got(const char *what)
{
    printf("got %s\n", what);
    return 1;
}

static int shows(int fd)
{
    char text[200];
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (n <= 0)
        return 0;
    text[n] = '\0';
    for (ssize_t i = 0; i < n; i++)
        if (text[i] == '\0' || text[i] == '\n')
            text[i] = ' ';
    return got(text);
}

// ---- files ----------------------------------------------------------------------------------

static int read_file(const char *name) { return shows(open(name, O_RDONLY)); }

static int read_memory(const char *)
{
    char name[60];
    const pid_t process[] = {getppid(), 1};
    for (pid_t p : process)
        for (const char *file : {"mem", "environ", "maps", "cmdline", "fd/0", "root/etc/passwd"}) {
            snprintf(name, sizeof name, "/proc/%d/%s", (int)p, file);
            if (shows(open(name, O_RDONLY)))
                return 1;
        }
    return 0;
}

static int list_folder(const char *name)
{
    DIR *d = opendir(name);
    dirent *e = d ? readdir(d) : nullptr;
    return e ? got(e->d_name) : 0;
}

static int write_file(const char *name)
{
    if (open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600) >= 0 || open(name, O_RDONLY | O_TRUNC) >= 0)
        return got("a file to write to");
    if (truncate(name, 0) == 0 || chmod(name, 0777) == 0 || unlink(name) == 0)
        return got("a changed file");
    return rename(name, "moved") == 0 || link(name, "linked") == 0 || symlink(name, "named") == 0 ||
                   mkdir("folder", 0700) == 0 || mkfifo("pipe", 0600) == 0
               ? got("a new name") : 0;
}

// Its own program and the library that it runs with lie in a folder that cudalab may write to.
static int write_own(const char *)
{
    char self[400] = "", name[500];
    if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0)
        return 0;
    *strrchr(self, '/') = '\0';
    for (const char *file : {"new", "program", "libcudart.so.13"}) {
        snprintf(name, sizeof name, "%s/%s", self, file);
        if (open(name, O_WRONLY | O_CREAT, 0700) >= 0 || unlink(name) == 0)
            return got(file);
    }
    return 0;
}

static int open_terminal(const char *)
{
    char c = '#';
    if (open("/dev/tty", O_RDWR) >= 0)
        return got("the terminal");
    return ioctl(0, TIOCSTI, &c) == 0 || ioctl(1, TIOCSTI, &c) == 0 ? got("a typed letter") : 0;
}

static int descriptors(const char *)
{
    for (int fd = 5; fd < 1000; fd++) // cudalab's socket and the memory are 3 and 4
        if (fcntl(fd, F_GETFD) >= 0)
            return got("a descriptor");
    return 0;
}

static int environment(const char *)
{
    for (char **e = environ; *e; e++)
        if (strncmp(*e, "LD_LIBRARY_PATH=", 16) != 0 || strchr(*e, ':'))
            return got(*e);
    return 0;
}

// ---- other processes ------------------------------------------------------------------------

static int start_process(const char *)
{
    char *const words[] = {(char *)"sh", (char *)"-c", (char *)"echo got a shell", nullptr};
    pid_t p;
    fflush(stdout);
    if (posix_spawn(&p, "/bin/sh", nullptr, nullptr, words, environ) == 0 ||
        system("echo got a shell") == 0)
        return got("a process");
    FILE *f = popen("echo a shell", "r");
    if (f && shows(fileno(f)))
        return 1;
    const long calls[][2] = {{SYS_clone, SIGCHLD}, {SYS_clone, CLONE_VM | SIGCHLD},
                             {SYS_clone, CLONE_NEWUSER | SIGCHLD}};
    for (auto &c : calls) {
        long child = syscall(c[0], c[1], 0, 0, 0, 0);
        if (child == 0)
            _exit(0);
        if (child > 0)
            return got("a process");
    }
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return child > 0 ? got("a process") : 0;
}

static int become(const char *name)
{
    char *const words[] = {(char *)name, (char *)"got in", nullptr};
    char *const loader[] = {(char *)"ld.so", (char *)name, (char *)"got in", nullptr};
    execv(name, words);
    execv("/lib64/ld-linux-x86-64.so.2", loader); // it ends this process, and says why
    return 0;
}

static int signals(const char *)
{
    const pid_t others[] = {getppid(), 1, 0, -1, -getpgrp()};
    for (pid_t p : others)
        if (kill(p, 0) == 0)
            return got("a process to signal");
    if (syscall(SYS_tgkill, getppid(), getppid(), 0) == 0 || syscall(SYS_tkill, getppid(), 0) == 0)
        return got("a thread to signal");
    if (syscall(434, getppid(), 0) >= 0) // pidfd_open()
        return got("a process to signal");
    return setsid() >= 0 || setpgid(0, 0) == 0 ? got("out of the group") : 0;
}

static int look_into(const char *)
{
    char bytes[16] = "";
    iovec here = {bytes, sizeof bytes}, there = {(void *)0x400000, sizeof bytes};
    if (ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0 ||
        ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0)
        return got("a traced process");
    return process_vm_readv(getppid(), &here, 1, &there, 1, 0) > 0 ||
                   process_vm_writev(getppid(), &here, 1, &there, 1, 0) > 0
               ? got("memory of another process") : 0;
}

static int network(const char *)
{
    int both[2];
    for (int family : {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK})
        if (socket(family, SOCK_STREAM, 0) >= 0 || socket(family, SOCK_DGRAM, 0) >= 0)
            return got("a socket");
    return socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0 ? got("two sockets") : 0;
}

// ---- limits ---------------------------------------------------------------------------------

static int raise_limits(const char *)
{
    for (int what : {RLIMIT_DATA, RLIMIT_AS, RLIMIT_CPU, RLIMIT_NOFILE, RLIMIT_FSIZE}) {
        rlimit now, more;
        if (getrlimit(what, &now) != 0 || now.rlim_max == RLIM_INFINITY)
            return got("no limit");
        if (setrlimit(what, &(more = {RLIM_INFINITY, RLIM_INFINITY})) == 0)
            return got("a higher limit");
    }
    return 0;
}

// Memory of each kind that a program can ask for, 64 MB at a time, until there is no more.
static int use_memory(const char *kind)
{
    const size_t piece = 64 << 20;
    const int anonymous = MAP_ANONYMOUS | MAP_NORESERVE;
    for (size_t all = 0; all < (size_t)8 << 30; all += piece) {
        void *p = MAP_FAILED;
        if (strcmp(kind, "malloc") == 0)
            p = (p = malloc(piece)) ? p : MAP_FAILED;
        else if (strcmp(kind, "shared") == 0)
            p = mmap(nullptr, piece, PROT_READ | PROT_WRITE, MAP_SHARED | anonymous, -1, 0);
        else if (strcmp(kind, "stack") == 0)
            p = mmap(nullptr, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_GROWSDOWN | anonymous,
                     -1, 0);
        else if (strcmp(kind, "file") == 0) // that cudalab shares with it
            p = mmap(nullptr, piece, PROT_READ | PROT_WRITE, MAP_SHARED, 4, (off_t)all);
        else if (cudaMallocManaged(&p, piece) != cudaSuccess)
            p = MAP_FAILED;
        if (p == MAP_FAILED)
            return 0;
        memset(p, 1, piece);
    }
    return got("8 GB");
}

static int descriptors_without_end(const char *)
{
    int n = 0;
    while (n < 100000 && dup(1) >= 0)
        n++;
    return n > 1000 ? got("many descriptors") : 0;
}

static int wait_for_ever(void *)
{
    for (;;)
        syscall(SYS_pause);
}

// Threads that share one stack's worth of memory each: they cost the system more than the program.
static int threads_without_end(const char *)
{
    const int how = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    const size_t most = 6000, stack = 4096;
    char *stacks = (char *)malloc(most * stack);
    size_t n = 0;
    while (stacks && n < most && clone(wait_for_ever, stacks + (n + 1) * stack, how, nullptr) > 0)
        n++;
    return !stacks || n == most ? got("thousands of threads") : 0;
}

// Signals that the system sends by itself when something comes on a socket.
static int owner(const char *)
{
    int parent = getppid();
    for (unsigned long request : {0x8901UL, 0x8902UL}) // FIOSETOWN, SIOCSPGRP
        if (ioctl(3, request, &parent) == 0)
            return got("a process that gets signals");
    return fcntl(3, F_SETOWN, parent) == 0 ? got("a process that gets signals") : 0;
}

// The system must not even look at the arguments of such a call.
static int call(const char *name)
{
    static char room[4096];
    static const struct { const char *name; long number, a[5]; } calls[] = {
        {"memfd_create", SYS_memfd_create, {(long)"x", 0}}, {"memfd_secret", 447, {0}},
        {"io_uring_setup", 425, {4, (long)room}}, {"io_uring_enter", 426, {0}},
        {"io_uring_register", 427, {0}}, {"userfaultfd", SYS_userfaultfd, {1}},
        {"keyctl", SYS_keyctl, {0, -3, 1}},
        {"add_key", SYS_add_key, {(long)"user", (long)"a", (long)"b", 1, -3}},
        {"request_key", SYS_request_key, {(long)"user", (long)"a", 0, -3}},
        {"bpf", SYS_bpf, {0, (long)room, 8}}, {"perf_event_open", SYS_perf_event_open, {(long)room}},
        {"mount", SYS_mount, {(long)"none", (long)"/tmp", (long)"tmpfs", 0, 0}},
        {"umount2", SYS_umount2, {(long)"/tmp", 0}}, {"chroot", SYS_chroot, {(long)"."}},
        {"pivot_root", SYS_pivot_root, {(long)".", (long)"."}},
        {"unshare-user", SYS_unshare, {CLONE_NEWUSER}}, {"unshare-files", SYS_unshare, {CLONE_NEWNS}},
        {"setns", SYS_setns, {1, 0}}, {"fsopen", 430, {(long)"tmpfs", 0}},
        {"open_tree", 428, {AT_FDCWD, (long)".", 1}}, {"move_mount", 429, {0}},
        {"mount_setattr", 442, {AT_FDCWD, (long)"."}},
        {"openat2", 437, {AT_FDCWD, (long)"/", (long)room, 24}}, {"clone3", 435, {(long)room, 88}},
        {"open_by_handle_at", SYS_open_by_handle_at, {AT_FDCWD, (long)room, 0}},
        {"name_to_handle_at", SYS_name_to_handle_at, {AT_FDCWD, (long)".", (long)room}},
        {"fanotify_init", SYS_fanotify_init, {0, 0}}, {"shmget", SYS_shmget, {0, 4096, 01600}},
        {"msgget", SYS_msgget, {0, 01600}}, {"semget", SYS_semget, {0, 1, 01600}},
        {"mq_open", SYS_mq_open, {(long)"x", O_CREAT | O_RDWR, 0600, 0}},
        {"kcmp", SYS_kcmp, {getppid(), getppid(), 0}}, {"pidfd_open", 434, {getppid(), 0}},
        {"pidfd_getfd", 438, {3, 0, 0}}, {"pidfd_send_signal", 424, {3, 9, 0, 0}},
        {"process_madvise", 440, {3, 0, 0, 0, 0}}, {"process_mrelease", 448, {3, 0}},
        {"rt_sigqueueinfo", SYS_rt_sigqueueinfo, {getppid(), 9, (long)room}},
        {"migrate_pages", SYS_migrate_pages, {getppid(), 0, 0, 0}},
        {"move_pages", SYS_move_pages, {getppid(), 0, 0, 0, 0}},
        {"setpriority", SYS_setpriority, {PRIO_PROCESS, getppid(), 19}},
        {"sched_setaffinity", SYS_sched_setaffinity, {getppid(), 8, (long)room}},
        {"sched_setscheduler", SYS_sched_setscheduler, {getppid(), 0, (long)room}},
        {"ioprio_set", SYS_ioprio_set, {1, getppid(), 0}},
        {"prlimit-of-another", SYS_prlimit64, {getppid(), RLIMIT_NOFILE, 0, (long)room}},
        {"outlive-cudalab", SYS_prctl, {PR_SET_PDEATHSIG, 0}},
        {"setuid", SYS_setresuid, {0, 0, 0}}, {"setgroups", SYS_setgroups, {0, 0}},
        {"reboot", SYS_reboot, {0, 0, 0, 0}}, {"kexec_load", SYS_kexec_load, {0, 0, 0, 0}},
        {"init_module", SYS_init_module, {0, 0, 0}}, {"syslog", SYS_syslog, {3, (long)room, 99}},
        {"swapon", SYS_swapon, {0, 0}}, {"acct", SYS_acct, {0}}, {"quotactl", SYS_quotactl, {0}},
        {"sethostname", SYS_sethostname, {(long)"x", 1}}, {"vhangup", SYS_vhangup, {0}},
        {"clock_settime", SYS_clock_settime, {99, 0}}, {"adjtimex", SYS_adjtimex, {(long)room}},
        {"fchmod", SYS_fchmod, {1, 0777}}, {"fchown", SYS_fchown, {1, 0, 0}},
        {"mremap", SYS_mremap, {(long)room, 4096, 8192, 1, 0}}};
    for (auto &c : calls)
        if (strcmp(c.name, name) == 0) {
            long rc = syscall(c.number, c.a[0], c.a[1], c.a[2], c.a[3], c.a[4]);
            return rc != -1 || (errno != EPERM && errno != ENOSYS) ? got(name) : 0;
        }
    return got("no such call");
}

static int abort_now(const char *) { abort(); }

static const struct { const char *name; int (*run)(const char *); } tries[] = {
    {"read", read_file}, {"memory-of-others", read_memory}, {"list", list_folder},
    {"write", write_file}, {"write-own", write_own}, {"terminal", open_terminal},
    {"descriptors", descriptors}, {"environment", environment}, {"start", start_process},
    {"become", become}, {"signals", signals}, {"look", look_into}, {"network", network},
    {"limits", raise_limits}, {"memory", use_memory}, {"many", descriptors_without_end},
    {"threads", threads_without_end}, {"owner", owner}, {"call", call}, {"abort", abort_now}};

static bool try_one(const char *word)
{
    const size_t n = strcspn(word, ":");
    for (auto &t : tries)
        if (strlen(t.name) == n && strncmp(t.name, word, n) == 0) {
            printf("%s: ", word);
            if (!t.run(word[n] ? word + n + 1 : ""))
                printf("nothing\n");
            fflush(stdout);
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!try_one(argv[i]))
            return 2;
    return 0;
}
