/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file runs compilers where they can do no harm. A supervisor stands between cudalab and the
 * program. The supervisor leads a session of its own, without the terminal. When cudalab dies, even
 * by kill -9, it kills the program and all that the program has started. Ctrl-C goes to cudalab,
 * which then ends the program. Both outputs are read while the program runs, since a full pipe
 * would stop it for ever. Only a program that a person attends has the terminal, and its keys.
 */
#define _GNU_SOURCE
#include "programs/child.h"

#include "os/clock.h"
#include "os/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 50, CLOSE_RANGE = 436, FILES_MOST = 256, FILE_MB = 64, TASKS_MOST = 4096 };
/* The numbers of the two descriptors of struct child_talk. */
enum { TALK_FIRST = 3, TALK_COUNT = 2, TALK_MEMORY = 4 };
enum { MEMORY_LEAST_MB = 64, STACK_MB = 16 };

const char *const child_variables[] = {
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH", "CUDA_HOME", "CUDA_PATH", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS",
    "NVCC_CCBIN", "COMPILER_PATH", "GCC_EXEC_PREFIX", "SOURCE_DATE_EPOCH", NULL};

/* What a program at the terminal sees as well. */
static const char *const terminal_variables[] = {"TERM", "COLORTERM", "NO_COLOR", "INPUTRC", NULL};

/* ---- signals that end us ---------------------------------------------------------------- */

static const int endings[] = {SIGTERM, SIGHUP};
enum { ENDINGS = sizeof endings / sizeof *endings };

void signals_hold(sigset_t *before)
{
    sigset_t held;
    struct sigaction now_does;
    sigemptyset(&held);
    for (int i = 0; i < ENDINGS; i++) /* one that is ignored, by nohup say, stays so */
        if (sigaction(endings[i], NULL, &now_does) == 0 && now_does.sa_handler != SIG_IGN)
            sigaddset(&held, endings[i]);
    sigprocmask(SIG_BLOCK, &held, before);
}

void signals_release(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}

static bool told_to_end(void)
{
    sigset_t waiting;
    return sigpending(&waiting) == 0 &&
           (sigismember(&waiting, SIGTERM) == 1 || sigismember(&waiting, SIGHUP) == 1);
}

/* ---- in the program's process ----------------------------------------------------------- */

/* Sets the signals that the program starts with, or that the supervisor waits for. */
static void set_signals(int how)
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGCHLD);
    for (int i = 0; i < ENDINGS; i++) {
        signal(endings[i], SIG_DFL);
        sigaddset(&held, endings[i]);
    }
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(how, &held, NULL);
}

/* Lowers a limit, and never raises one. */
static void limit(int what, rlim_t most)
{
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)what, &now) == 0 && most > now.rlim_max)
        most = now.rlim_max;
    setrlimit((__rlimit_resource_t)what, &(struct rlimit){.rlim_cur = most, .rlim_max = most});
}

static void set_bounds(const struct child_bounds *b)
{
    struct rlimit cpu;
    const struct { int what; uint64_t most; } all[] = {
        {RLIMIT_NOFILE, b->files},
#ifndef CONFINE_SANITIZED
        {RLIMIT_DATA, b->data},
#endif
        {RLIMIT_NPROC, b->tasks}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].most)
            limit(all[i].what, (rlim_t)all[i].most);
    if (b->cpu_s && getrlimit(RLIMIT_CPU, &cpu) == 0 && b->cpu_s + 1 < cpu.rlim_max) {
        cpu.rlim_cur = (rlim_t)b->cpu_s; /* SIGXCPU, which tells the reason, and then SIGKILL */
        cpu.rlim_max = cpu.rlim_cur + 1;
        setrlimit(RLIMIT_CPU, &cpu);
    }
}

static void set_limits(const struct child *c)
{
    limit(RLIMIT_CORE, 0);
    if (c->bounds) {
        set_bounds(c->bounds);
        return;
    }
    if (c->deadline > 0) { /* should nobody be left to stop it */
        double left = c->deadline - clock_seconds();
        const long cores = c->talk ? sysconf(_SC_NPROCESSORS_ONLN) : 1; /* it may have threads */
        limit(RLIMIT_CPU, (rlim_t)(left > 0 ? left : 0) * (rlim_t)(cores > 1 ? cores : 1) + 2);
    }
#ifndef CONFINE_SANITIZED /* its shadow is counted as memory */
    if (c->memory) {
        limit(RLIMIT_DATA, c->memory);
        limit(RLIMIT_STACK, (rlim_t)STACK_MB << 20); /* DATA does not count it */
        limit(RLIMIT_AS, c->memory + ((rlim_t)1 << 30) + /* and its libraries */
                             (c->talk ? c->talk->shared : 0));
    }
#endif
    if (c->confined) {
        limit(RLIMIT_FSIZE, c->talk ? 0 : (rlim_t)FILE_MB << 20); /* a program writes no files */
        limit(RLIMIT_NOFILE, FILES_MOST);
    }
    if (c->confined && c->talk)
        limit(RLIMIT_NPROC, TASKS_MOST); /* threads count, and others of the same user */
}

static int set_variables(const struct child_talk *talk)
{
    for (const char *const *v = talk->variables; v && *v; v += 2)
        if (setenv(v[0], v[1], 1) != 0)
            return -1;
    return 0;
}

enum { VARIABLES_MOST = (sizeof child_variables + sizeof terminal_variables) / sizeof(char *) };

/* Gives the program an environment that has only the variables that it may see. */
static int set_environment(const struct child *c)
{
    if (c->talk && !c->confined)
        return set_variables(c->talk);
    const char *const *const lists[] = {child_variables, terminal_variables};
    const char *name[VARIABLES_MOST], *kept[VARIABLES_MOST];
    size_t n = 0;
    for (size_t l = 0; !c->confined && l < (c->attended ? 2 : 1); l++)
        for (const char *const *v = lists[l]; *v; v++, n++) {
            name[n] = *v;
            kept[n] = getenv(*v);
        }
    if (clearenv() != 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (kept[i] && setenv(name[i], kept[i], 1) != 0)
            return -1;
    if (c->talk && set_variables(c->talk) != 0)
        return -1;
    if (c->first && setenv("LD_PRELOAD", c->first, 1) != 0)
        return -1;
    if (c->rules && setenv("SUNPRO_DEPENDENCIES", c->rules, 1) != 0)
        return -1;
    return c->scratch ? setenv("TMPDIR", c->scratch, 1) : 0;
}

/* No limit of processes holds for root, and root raises its other limits. So a student's program
 * becomes a user that has nothing. Landlock says what it reads, so its files may be root's alone. */
static int become_nobody(void)
{
    enum { NOBODY = 65534, PAST_MODES = 1 /* CAP_DAC_OVERRIDE */, CAP_VERSION = 0x20080522 };
    struct { uint32_t version; int pid; } head = {CAP_VERSION, 0};
    struct { uint32_t effective, permitted, inheritable; } rights[2] = {
        {1U << PAST_MODES, 1U << PAST_MODES, 1U << PAST_MODES}};
    if (geteuid() != 0)
        return 0;
    if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0)
        return errno == EINVAL ? 0 : -1; /* a namespace without this user, whose root has limits */
    if (setgroups(0, NULL) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0)
        return -1;
    return syscall(SYS_capset, &head, rights) != 0 ||
                   prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, PAST_MODES, 0, 0) != 0
               ? -1 : 0;
}

/* Ends a process that is not the program yet. The reader of its output is told why. */
static void give_up(const char *what)
{
    dprintf(STDERR_FILENO, "cannot %s: %s\n", what, strerror(errno));
    _exit(CHILD_NOT_BEGUN);
}

/* When the parent dies, even by kill -9, the system sends this process a signal. */
static void die_with(pid_t parent, int by)
{
    if (prctl(PR_SET_PDEATHSIG, by) != 0)
        give_up("follow the parent");
    if (getppid() != parent)
        _exit(CHILD_NOT_BEGUN);
}

static void be_the_program(const struct child *c, pid_t supervisor)
{
    struct err e;
    if (!c->attended)
        setpgid(0, 0);
    set_signals(SIG_UNBLOCK);
    if (c->confined && c->talk && become_nobody() != 0)
        give_up("become another user than root");
    die_with(supervisor, SIGKILL); /* a change of the user would undo it */
    set_limits(c);
    if (set_environment(c) != 0)
        give_up("set the environment");
    if (c->confined && !c->stays && chdir(c->scratch ? c->scratch : "/") != 0)
        give_up("enter the temporary folder");
    if (!c->confined && c->folder && chdir(c->folder) != 0)
        give_up("enter its folder");
    if (c->confined && confine_self(c->confined, &e) != 0) {
        dprintf(STDERR_FILENO, "%s\n", e.text);
        _exit(1);
    }
    char *const *words = (char *const *)(uintptr_t)c->argv;
    const char *file = c->file ? c->file : words[0];
    if (strchr(file, '/')) /* execvp() would have a shell read a file that is no program */
        execv(file, words);
    else
        execvp(file, words);
    give_up("start it");
}

/* ---- the supervisor ------------------------------------------------------------------- */

static void close_from(int first)
{
    if (syscall(CLOSE_RANGE, first, ~0U, 0) == 0)
        return;
    struct rlimit r;
    int last = getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < 65536 ? (int)r.rlim_cur : 65536;
    for (int fd = first; fd < last; fd++)
        close(fd);
}

/* No limit of the system holds for a file without a name. */
static bool has_too_much(const struct child *c)
{
    struct stat info;
    return fstat(TALK_MEMORY, &info) == 0 && (uint64_t)info.st_blocks * 512 > c->memory;
}

/* Kills the children of this process. False: the system does not list them. */
static bool kill_children(void)
{
    char path[64];
    int pid;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *f = fopen(path, "re");
    if (!f)
        return false;
    while (fscanf(f, "%d", &pid) == 1)
        kill(pid, SIGKILL);
    fclose(f);
    return true;
}

/* Waits for one child, or if `now` only looks. False: there are none. */
static bool wait_for_any(bool now)
{
    const pid_t done = waitpid(-1, NULL, now ? WNOHANG : 0);
    return done >= 0 || errno == EINTR;
}

/* What the program started may have groups of its own, and it becomes ours when the program has
 * ended. It has a moment to clear up, as the supervisors and removers of another cudalab do.
 * `group` 0: the program's is our own. */
static void end_rest(pid_t group)
{
    enum { GRACE_MS = 1000 };
    const struct timespec nap = {.tv_nsec = 1000000};
    bool some = true;
    if (group)
        kill(-group, SIGKILL);
    for (int i = 0; i < GRACE_MS && (some = wait_for_any(true)); i++)
        nanosleep(&nap, NULL);
    while (some && kill_children())
        some = wait_for_any(false);
}

/* Waits until the program has ended. Kills it when we are told to end, or cudalab has died, or when
 * the file that it shares with us becomes too large. */
static int watch(const struct child *c, pid_t program, bool watches_memory)
{
    const struct timespec nap = {.tv_nsec = 10000000};
    sigset_t awaited;
    int status = 0;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    for (int i = 0; i < ENDINGS; i++)
        sigaddset(&awaited, endings[i]);
    while (waitpid(program, &status, WNOHANG) != program) {
        const int got = watches_memory ? sigtimedwait(&awaited, NULL, &nap)
                                       : sigwaitinfo(&awaited, NULL);
        if ((got > 0 && got != SIGCHLD) || (watches_memory && has_too_much(c)))
            kill(c->attended ? program : -program, SIGKILL);
    }
    end_rest(c->attended ? 0 : program);
    return status;
}

/* Ends the supervisor with the status, or by the signal, that ended the program. */
static void end_like(int status)
{
    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status));
    limit(RLIMIT_CORE, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(WTERMSIG(status), SIG_DFL);
    kill(getpid(), WTERMSIG(status));
    _exit(CHILD_NOT_BEGUN);
}

/* Gives the program's two descriptors their numbers. Returns the first number that is free. */
static int keep_talk(const struct child_talk *talk)
{
    int aside[TALK_COUNT];
    if (!talk || talk->fds[0] < 0)
        return TALK_FIRST;
    for (int i = 0; i < TALK_COUNT; i++) /* first out of the way: one may have the other's number */
        if ((aside[i] = fcntl(talk->fds[i], F_DUPFD, TALK_FIRST + TALK_COUNT)) < 0)
            _exit(CHILD_NOT_BEGUN);
    for (int i = 0; i < TALK_COUNT; i++)
        if (dup2(aside[i], TALK_FIRST + i) < 0)
            _exit(CHILD_NOT_BEGUN);
    return TALK_FIRST + TALK_COUNT;
}

static void be_the_supervisor(const struct child *c, pid_t parent, const int files[3])
{
    set_signals(SIG_BLOCK);
    if (c->attended)
        signal(SIGINT, SIG_IGN); /* it is the program's */
    else
        setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (int i = 0; i < 3; i++)
        if (files[i] < 0 || dup2(files[i], i) < 0)
            _exit(CHILD_NOT_BEGUN);
    const int free_from = keep_talk(c->talk);
    close_from(free_from);
    die_with(parent, SIGTERM);
    pid_t self = getpid(), program = fork();
    if (program == 0)
        be_the_program(c, self);
    if (program < 0)
        give_up("start a process");
    const bool watches_memory = c->confined && c->memory && free_from > TALK_MEMORY;
    for (int fd = 0; fd < TALK_MEMORY; fd++)
        close(fd); /* the outputs end when the program's do, and what it talks through */
    close_from(TALK_MEMORY + (watches_memory ? 1 : 0));
    if (!c->attended)
        setpgid(program, program); /* both say it, whoever comes first */
    end_like(watch(c, program, watches_memory));
}

/* ---- in the parent -------------------------------------------------------------------- */

/* Reads what has come on one pipe. 1: more may come. 0: it is closed. */
static int drain(const struct child_talk *talk, int *fd, struct buf *to, bool is_err)
{
    char bytes[1 << 12];
    ssize_t n = read(*fd, bytes, sizeof bytes);
    if (n > 0) {
        buf_add(to, bytes, (size_t)n);
        if (talk && talk->tell)
            talk->tell(talk->ctx, is_err, bytes, (size_t)n);
        return 1;
    }
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return 1;
    close(*fd);
    *fd = -1;
    return 0;
}

/* Says why the child must end now. CHILD_EXITED: it may go on. */
static enum child_end must_end(const struct child *c, const struct child_result *r)
{
    progress_tell(c->progress, PART_UNKNOWN);
    if ((c->stop && *c->stop) || told_to_end())
        return CHILD_STOPPED;
    if (c->deadline > 0 && clock_seconds() > c->deadline)
        return CHILD_OUT_OF_TIME;
    if (r->out.len > c->most || r->err.len > c->most || r->out.failed || r->err.failed)
        return CHILD_FLOODED;
    return CHILD_EXITED;
}

struct listening {
    const struct child_talk *talk;
    int *fds;
    struct buf *to[2];
};

static void take_printed(void *self)
{
    const struct listening *l = self;
    for (int i = 0; i < 2; i++) {
        struct pollfd p = {.fd = l->fds[i], .events = POLLIN};
        while (l->fds[i] >= 0 && poll(&p, 1, 0) > 0 && drain(l->talk, &l->fds[i], l->to[i], i == 1))
            ;
    }
}

static enum child_end listen_to(const struct child *c, int fds[2], struct child_result *r)
{
    struct buf *to[2] = {&r->out, &r->err};
    struct listening listening = {c->talk, fds, {to[0], to[1]}};
    struct child_printed *printed = c->talk ? c->talk->printed : NULL;
    int listen = c->talk ? c->talk->listen : -1;
    enum child_end end;
    if (printed)
        *printed = (struct child_printed){take_printed, &listening};
    while ((end = must_end(c, r)) == CHILD_EXITED && (fds[0] >= 0 || fds[1] >= 0)) {
        struct pollfd p[3] = {{.fd = fds[0], .events = POLLIN}, {.fd = fds[1], .events = POLLIN},
                              {.fd = listen, .events = POLLIN}};
        if (poll(p, 3, LOOK_MS) <= 0)
            continue;
        for (int i = 0; i < 2; i++) /* what it printed comes before what it asks then */
            if (fds[i] >= 0 && p[i].revents)
                drain(c->talk, &fds[i], to[i], i == 1);
        if (listen >= 0 && p[2].revents && !c->talk->serve(c->talk->ctx))
            listen = -1;
    }
    if (printed)
        *printed = (struct child_printed){NULL, NULL};
    return end;
}

/* Waits for a child whose outputs are closed. Most often it has already ended. */
static enum child_end wait_for(const struct child *c, pid_t pid, enum child_end end,
                               struct child_result *r)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    int status = 0;
    pid_t done;
    while ((done = waitpid(pid, &status, end == CHILD_EXITED ? WNOHANG : 0)) != pid) {
        if (done < 0 && errno != EINTR)
            break;
        if (done == 0 && (end = must_end(c, r)) != CHILD_EXITED)
            kill(pid, SIGTERM);
        if (done == 0)
            nanosleep(&nap, NULL);
    }
    r->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return end == CHILD_EXITED && WIFSIGNALED(status) ? CHILD_KILLED : end;
}

enum { READ_OUT, READ_ERR, WRITE_IN, WRITE_OUT, WRITE_ERR, INPUT, FILES };

static void close_files(int files[FILES])
{
    for (int i = 0; i < FILES; i++) {
        if (files[i] >= 0)
            close(files[i]);
        files[i] = -1;
    }
}

/* What the program has as stdin: a file without a name that has these bytes, at its start. */
static int open_input(const struct child *c)
{
    const struct span input = c->input;
    if (c->our_input && fcntl(STDIN_FILENO, F_GETFD) >= 0)
        return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, TALK_FIRST);
    if (!input.at)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    int fd = memfd_create("input", MFD_CLOEXEC);
    if (fd >= 0 && (fd_write(fd, input.at, input.n) != 0 || lseek(fd, 0, SEEK_SET) != 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

static int open_pipe(int files[FILES], int read_end, int write_end)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    files[read_end] = ends[0];
    files[write_end] = ends[1];
    return 0;
}

static int open_files(const struct child *c, bool talks, int files[FILES])
{
    for (int i = 0; i < FILES; i++)
        files[i] = -1;
    if (talks ? open_pipe(files, INPUT, WRITE_IN) != 0 : (files[INPUT] = open_input(c)) < 0)
        return -1;
    return open_pipe(files, READ_OUT, WRITE_OUT) != 0 || open_pipe(files, READ_ERR, WRITE_ERR) != 0
               ? -1
               : 0;
}

/* Starts the supervisor. Returns its process number, or -1. */
static pid_t start_supervisor(const struct child *c, const int files[FILES])
{
    const pid_t self = getpid();
    sigset_t before;
    signals_hold(&before); /* the supervisor is born deaf to what it will wait for */
    pid_t pid = fork();
    if (pid == 0)
        be_the_supervisor(c, self, (int[]){files[INPUT], files[WRITE_OUT], files[WRITE_ERR]});
    int why = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return pid;
}

static int cannot_start(const struct child *c, int files[FILES], struct err *e)
{
    fail(e, "cannot start a %s: %s", c->talk || c->bounds ? "program" : "compiler",
         strerror(errno));
    close_files(files);
    return -1;
}

int child_run(const struct child *c, struct child_result *r, struct err *e)
{
    int files[FILES];
    *r = (struct child_result){.end = CHILD_EXITED};
    if (c->memory && c->memory < (size_t)MEMORY_LEAST_MB << 20)
        return fail_limit(e, "memory-limit leaves %zu MiB, and a %s needs %d at least: `free` "
                    "arrays, or start a new session", c->memory >> 20,
                    c->talk ? "program" : "compiler", MEMORY_LEAST_MB);
    pid_t pid = open_files(c, false, files) == 0 ? start_supervisor(c, files) : -1;
    if (pid < 0)
        return cannot_start(c, files, e);
    for (int i = WRITE_OUT; i < FILES; i++) {
        close(files[i]);
        files[i] = -1;
    }
    enum child_end end = listen_to(c, files, r);
    close_files(files);
    if (end != CHILD_EXITED)
        kill(pid, SIGTERM);
    r->end = wait_for(c, pid, end, r);
    return 0;
}

void child_hide_memory(void)
{
    prctl(PR_SET_DUMPABLE, 0);
}

int child_start(const struct child *c, struct child_running *r, struct err *e)
{
    int files[FILES];
    child_hide_memory();
    *r = (struct child_running){.in = -1, .out = -1, .err = -1};
    const pid_t pid = open_files(c, true, files) == 0 ? start_supervisor(c, files) : -1;
    if (pid < 0)
        return cannot_start(c, files, e);
    *r = (struct child_running){pid, files[WRITE_IN], files[READ_OUT], files[READ_ERR]};
    for (int i = WRITE_OUT; i < FILES; i++)
        close(files[i]);
    return 0;
}

int child_attend(const struct child *given, int (*ended)(void), enum child_end *end, int *code,
                 struct err *e)
{
    static const int its_own[] = {SIGINT, SIGQUIT};
    enum { OWN = sizeof its_own / sizeof *its_own };
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before[OWN];
    struct child c = *given;
    int status = 0, files[FILES] = {[WRITE_OUT] = STDOUT_FILENO, [WRITE_ERR] = STDERR_FILENO};
    c.attended = true;
    child_hide_memory();
    files[INPUT] = open_input(&c);
    for (int i = 0; i < OWN; i++)
        sigaction(its_own[i], &ignore, &before[i]);
    const pid_t pid = files[INPUT] >= 0 ? start_supervisor(&c, files) : -1;
    const int why = errno;
    if (files[INPUT] >= 0)
        close(files[INPUT]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        if (ended())
            kill(pid, SIGTERM);
    for (int i = 0; i < OWN; i++)
        sigaction(its_own[i], &before[i], NULL);
    *end = WIFSIGNALED(status) ? CHILD_KILLED : CHILD_EXITED;
    *code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return pid > 0 ? 0 : fail(e, "cannot start a program: %s", strerror(why));
}

/* Waits for the supervisor of a child for so long. */
static bool ends_within(pid_t pid, double seconds, int *status)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    const double until = clock_seconds() + seconds;
    pid_t done;
    while ((done = waitpid(pid, status, WNOHANG)) != pid && clock_seconds() < until)
        nanosleep(&nap, NULL);
    return done == pid;
}

/* Seconds in which a supervisor ends all that runs under it. */
#define SETTLE 5.0

enum child_end child_stop(struct child_running *r, double seconds, int *code)
{
    int *const fds[] = {&r->in, &r->out, &r->err};
    int status = 0;
    for (int i = 0; i < 3; i++) {
        if (*fds[i] >= 0)
            close(*fds[i]);
        *fds[i] = -1;
    }
    const bool by_itself = r->pid > 0 && ends_within(r->pid, seconds, &status);
    if (r->pid > 0 && !by_itself) {
        kill(r->pid, SIGTERM);
        if (!ends_within(r->pid, SETTLE, &status)) /* whatever it started then dies with it */
            kill(r->pid, SIGKILL), ends_within(r->pid, SETTLE, &status);
    }
    r->pid = 0;
    *code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return !by_itself ? CHILD_STOPPED : WIFSIGNALED(status) ? CHILD_KILLED : CHILD_EXITED;
}

void child_signal_name(int signal_number, char out[20])
{
    static const struct { int number; const char *name; } known[] = {
        {SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
        {SIGILL, "SIGILL"},   {SIGKILL, "SIGKILL"}, {SIGTRAP, "SIGTRAP"}, {SIGSYS, "SIGSYS"},
        {SIGTERM, "SIGTERM"}, {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}};
    snprintf(out, 20, "signal %d", signal_number);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].number == signal_number)
            snprintf(out, 20, "%s", known[i].name);
}

void child_result_free(struct child_result *r)
{
    buf_free(&r->out);
    buf_free(&r->err);
}
