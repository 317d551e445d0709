/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A worker is a cudalab of its own, which runs the commands of one hand-in under --safe. It gets a
 * command and answers with JSON lines. It may hang, crash, or be taken over by the hand-in. So what
 * it says is bounded and checked, and it never learns anything but the commands that it gets: it
 * has no open file of ours, a few variables of our environment, and can't look into this process.
 */
#ifndef GRADE_WORKER_H
#define GRADE_WORKER_H

#include "base/buf.h"
#include "base/lines.h"
#include "base/progress.h"
#include "grade/worker-cache.h"
#include "programs/programs.h"

#include <signal.h>

struct worker_limits {           /* each 0: its default, in worker.c */
    double command_s, session_s; /* by the clock: the worker's own limits */
    double grace_s;              /* so much longer we wait for it to keep them */
    uint64_t cpu_s;              /* that each of its processes keeps processors busy */
    uint64_t memory, answer;     /* bytes: of each process; of the answer to one command */
    uint64_t tasks;              /* processes and threads of this user */
};

struct worker_want {
    const struct programs *programs;
    const char *program;        /* NULL: this program */
    const char *folder;         /* it runs here; what it leaves lies in `temporary` */
    const char *temporary;      /* NULL: where TMPDIR says */
    const char *const *files;   /* it may read these, in its folder; NULL-ended */
    const char *const *options; /* more options of cudalab, NULL-ended; may be NULL */
    bool cached;                /* it has a cache (worker-cache.h), if it has `temporary` and files */
    struct worker_limits limits;
    const volatile sig_atomic_t *stop; /* Ctrl-C; may be NULL */
    const struct progress *progress;   /* told while it is waited for; may be NULL */
};

enum worker_end {
    WORKER_ANSWERED,
    WORKER_ENDED,       /* it ended by itself, with a status */
    WORKER_SPENT,       /* likewise: it has used up the time or the output of its session */
    WORKER_DIED,        /* a signal ended it */
    WORKER_OUT_OF_TIME, /* it took too long, for a command or in all, and was ended */
    WORKER_OUT_OF_CPU,  /* a process of it took too much processor time */
    WORKER_FLOODED,     /* its answer is too long */
    WORKER_GARBAGE,     /* its answer is no JSON */
    WORKER_STOPPED      /* by Ctrl-C */
};

struct grade_worker {
    struct worker_want want;
    struct worker_limits limits;
    struct child_running process;
    enum worker_end end; /* WORKER_ANSWERED: it can be asked */
    int code;            /* the status or the signal that ended it */
    double session_ends; /* by clock_seconds() */
    struct worker_cache cache;
    char nonce[20];
    unsigned asked;  /* commands so far */
    struct buf read; /* what came and was not yet taken */
    struct buf said; /* the last that it wrote to stderr */
};

/* -1: it can't be started. Stop it always. */
int worker_start(struct grade_worker *, const struct worker_want *, struct err *);
/* Runs one line of commands. The answer gets a line of JSON for each command that ran; it is empty
 * for a comment. Each line is one valid object, and ends in a newline. From the first end on that
 * is no answer, all further ones are the same. */
enum worker_end worker_ask(struct grade_worker *, struct span command, struct buf *answer);
/* The same process at our terminal, for a person: it runs a script of its folder, and then what is
 * typed, or what comes from our stdin. It is over when this returns. ended() tells that this process
 * must end. -1: it can't be started, or it crashed. */
int worker_open(const struct worker_want *, const char *script, bool our_input, int (*ended)(void),
                struct err *);
/* Says in words why a worker does not answer any more, "it was ended by SIGSEGV". */
void worker_say(const struct grade_worker *, struct buf *out);
void worker_stop(struct grade_worker *);

#endif
