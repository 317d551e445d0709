/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A copy of this process calls one function, and what that gives comes through a pipe. So a piece
 * of work may crash, and nothing but that piece is lost. The copy leads a group of its own, since
 * Ctrl-C is for the process that made it. It dies with that process.
 */
#define _GNU_SOURCE
#include "programs/programs.h"

#include "os/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void be_the_copy(copy_work *work, void *self, unsigned number, pid_t parent, int fd)
{
    struct buf result = {0};
    struct err e = {.text = ""};
    setpgid(0, 0);
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != parent)
        _exit(COPY_BROKEN);
    const int rc = work(self, number, &result, &e);
    if (rc == 0 && result.failed)
        _exit(COPY_BROKEN);
    const char *text = rc == 0 ? buf_text(&result) : e.text;
    _exit(fd_write(fd, text, rc == 0 ? result.len : strlen(e.text)) != 0 ? COPY_BROKEN
          : rc == 0                                                      ? COPY_DONE
                                                                         : COPY_FAILED);
}

int program_copy(copy_work *work, void *self, unsigned number, struct self_copy *out, struct err *e)
{
    int ends[2];
    const pid_t parent = getpid();
    *out = (struct self_copy){.fd = -1};
    child_hide_memory();
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(e, "cannot start a process: %s", strerror(errno));
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        be_the_copy(work, self, number, parent, ends[1]);
    }
    const int why = errno;
    close(ends[1]);
    if (pid > 0) {
        *out = (struct self_copy){pid, ends[0]};
        return 0;
    }
    close(ends[0]);
    return fail(e, "cannot start a process: %s", strerror(why));
}

enum copy_end program_copy_end(struct self_copy *c, double seconds, int *code)
{
    struct child_running as_child = {.pid = c->pid, .in = c->fd, .out = -1, .err = -1};
    const enum child_end end = child_stop(&as_child, seconds, code);
    *c = (struct self_copy){.fd = -1};
    if (end == CHILD_STOPPED || end == CHILD_KILLED)
        return COPY_BROKEN;
    return *code == COPY_DONE || *code == COPY_FAILED ? (enum copy_end) * code : COPY_BROKEN;
}
