/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running compilers where they can do no harm. The child leads a process group of its own, so
 * that all it started goes with it, and never sees the terminal: Ctrl-C is for cudalab, which
 * passes it on. Both outputs are read while it runs, or a full pipe would stop it for ever.
 */
#include "cc/child.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 50, NOT_FOUND = 127 };

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

/* ---- in the child --------------------------------------------------------------------- */

static void be_the_child(const struct child *c, int out, int err)
{
    int null = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigset_t held;
    sigemptyset(&held);
    for (int i = 0; i < ENDINGS; i++)
        sigaddset(&held, endings[i]);
    sigprocmask(SIG_UNBLOCK, &held, NULL);
    if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
        _exit(NOT_FOUND);
    if (c->limit > 0) { /* should nobody be left to stop it */
        rlim_t seconds = (rlim_t)c->limit + 2;
        setrlimit(RLIMIT_CPU, &(struct rlimit){.rlim_cur = seconds, .rlim_max = seconds});
    }
    if (c->scratch && setenv("TMPDIR", c->scratch, 1) != 0)
        _exit(NOT_FOUND);
    if (!c->argv)
        _exit(c->call(c->with, 1));
    execvp(c->argv[0], (char *const *)(uintptr_t)c->argv);
    _exit(NOT_FOUND);
}

/* ---- in the parent -------------------------------------------------------------------- */

/* What has come on one pipe; 1: more may come, 0: it is closed. */
static int drain(int *fd, struct buf *to)
{
    char bytes[1 << 12];
    ssize_t n = read(*fd, bytes, sizeof bytes);
    if (n > 0) {
        buf_add(to, bytes, (size_t)n);
        return 1;
    }
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return 1;
    close(*fd);
    *fd = -1;
    return 0;
}

/* Why the child must end now, or CHILD_EXITED while it need not. */
static enum child_end must_end(const struct child *c, const struct child_result *r, double start)
{
    progress_tell(c->progress, PART_UNKNOWN);
    if ((c->stop && *c->stop) || told_to_end())
        return CHILD_STOPPED;
    if (c->limit > 0 && clock_seconds() - start > c->limit)
        return CHILD_OUT_OF_TIME;
    if (r->out.len > c->most || r->err.len > c->most || r->out.failed || r->err.failed)
        return CHILD_FLOODED;
    return CHILD_EXITED;
}

static enum child_end listen_to(const struct child *c, int fds[2], double start,
                                struct child_result *r)
{
    struct buf *to[2] = {&r->out, &r->err};
    enum child_end end;
    while ((end = must_end(c, r, start)) == CHILD_EXITED && (fds[0] >= 0 || fds[1] >= 0)) {
        struct pollfd p[2] = {{.fd = fds[0], .events = POLLIN}, {.fd = fds[1], .events = POLLIN}};
        if (poll(p, 2, LOOK_MS) <= 0)
            continue;
        for (int i = 0; i < 2; i++)
            if (fds[i] >= 0 && p[i].revents)
                drain(&fds[i], to[i]);
    }
    return end;
}

/* Its outputs are closed; most often it has ended as well. */
static enum child_end wait_for(const struct child *c, pid_t pid, enum child_end end, double start,
                               struct child_result *r)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    int status = 0;
    pid_t done;
    while ((done = waitpid(pid, &status, end == CHILD_EXITED ? WNOHANG : 0)) != pid) {
        if (done < 0 && errno != EINTR)
            break;
        if (done == 0 && (end = must_end(c, r, start)) != CHILD_EXITED)
            kill(-pid, SIGKILL);
        if (done == 0)
            nanosleep(&nap, NULL);
    }
    r->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return end == CHILD_EXITED && WIFSIGNALED(status) ? CHILD_KILLED : end;
}

static int make_pipes(int out[2], int err[2])
{
    if (pipe(out) != 0)
        return -1;
    if (pipe(err) != 0) {
        close(out[0]);
        close(out[1]);
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(out[i], F_SETFD, FD_CLOEXEC);
        fcntl(err[i], F_SETFD, FD_CLOEXEC);
    }
    return 0;
}

int child_run(const struct child *c, struct child_result *r, struct err *e)
{
    int out[2], err[2];
    *r = (struct child_result){.end = CHILD_EXITED};
    buf_init(&r->out);
    buf_init(&r->err);
    if (make_pipes(out, err) != 0)
        return fail(e, "cannot start a compiler: %s", strerror(errno));
    pid_t pid = fork();
    if (pid == 0)
        be_the_child(c, out[1], err[1]);
    int why = errno;
    close(out[1]);
    close(err[1]);
    if (pid < 0) {
        close(out[0]);
        close(err[0]);
        return fail(e, "cannot start a compiler: %s", strerror(why));
    }
    setpgid(pid, pid); /* both sides say it, whoever comes first */
    int fds[2] = {out[0], err[0]};
    const double start = c->began > 0 ? c->began : clock_seconds();
    enum child_end end = listen_to(c, fds, start, r);
    for (int i = 0; i < 2; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    if (end != CHILD_EXITED)
        kill(-pid, SIGKILL);
    r->end = wait_for(c, pid, end, start, r);
    kill(-pid, SIGKILL); /* what it left running */
    return 0;
}

void child_result_free(struct child_result *r)
{
    buf_free(&r->out);
    buf_free(&r->err);
}
