/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A child is a program in a process of its own. Its stdout and stderr are caught. If it hangs,
 * crashes, or prints without end, cudalab goes on, and nothing of it outlives cudalab. It sees a
 * few variables of the environment. A confined child sees none, and only the files that it is
 * given.
 */
#ifndef PROGRAMS_CHILD_H
#define PROGRAMS_CHILD_H

#include "base/buf.h"
#include "programs/confine.h"
#include "base/lines.h"
#include "base/progress.h"
#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

/* For who serves a program and waits for it: `take` takes what it has printed by now, and does not
 * wait. A program that has printed much waits for that. NULL: it does not run. */
struct child_printed {
    void (*take)(void *self);
    void *self;
};

/* What a program of the student's is given, which compilers are not: the whole environment, and two
 * descriptors, which get the numbers 3 and 4. While it runs, `serve` is called when something has
 * come at `listen`; false: nothing more will. `tell` gets what it prints at once. */
struct child_talk {
    int fds[2], listen; /* -1: none */
    size_t shared;      /* bytes of address space for the file that is the second descriptor */
    bool (*serve)(void *ctx);
    void (*tell)(void *ctx, bool is_err, const char *text, size_t n);
    struct child_printed *printed; /* filled in while it runs; NULL: nobody asks */
    void *ctx;
    const char *const *variables; /* of the environment: names and values by turns, NULL-ended */
};

/* What the system bounds for each process. 0: it stays as it is. */
struct child_bounds {
    uint64_t cpu_s, data, files, tasks; /* bytes of data, open files, processes and threads */
};

struct child {
    const char *const *argv;
    const char *file;                    /* the program; NULL: it is argv[0] */
    const struct child_talk *talk;       /* NULL: it is a compiler or such a tool */
    struct span input;                   /* its stdin; none: /dev/null */
    bool our_input;                      /* its stdin is ours */
    const char *scratch;                 /* where it may put temporary files; NULL: anywhere */
    const char *first;                   /* a library that it loads first; may be NULL */
    const char *rules;                   /* gcc writes here which files it reads; may be NULL */
    const struct confinement *confined;  /* NULL: it has the rights that cudalab has */
    bool stays;                          /* confined, it stays in our folder; else in `scratch` */
    const char *folder;                  /* where an unconfined one runs; NULL: in ours */
    bool attended;                       /* child_attend(): it has our terminal */
    const struct child_bounds *bounds;   /* in place of those by what is below; may be NULL */
    size_t memory;                       /* bytes it may have, also in its `shared` file; 0: any */
    double deadline;                     /* by clock_seconds(), 0: none */
    const volatile sig_atomic_t *stop;   /* Ctrl-C */
    const struct progress *progress;     /* told while it runs; may be NULL */
    size_t most;                         /* bytes it may print on each of its two outputs */
};

/* The variables that an unconfined child sees, where cudalab has them: what they say is an input
 * of each compilation. Ends with NULL. */
extern const char *const child_variables[];

enum child_end { CHILD_EXITED, CHILD_KILLED, CHILD_OUT_OF_TIME, CHILD_STOPPED, CHILD_FLOODED };

struct child_result {
    enum child_end end;
    int code; /* its exit status, or the signal that killed it */
    struct buf out, err;
};

/* The exit status where the program never began: its stderr has the reason. */
enum { CHILD_NOT_BEGUN = 127 };

/* A child that is talked with through pipes, while its caller does what it wants. */
struct child_running {
    pid_t pid;        /* 0: there is none */
    int in, out, err; /* its stdin, to be written, and what it prints; all close on exec */
};
/* From now on no other process can look into the memory of this one, except those of root. */
void child_hide_memory(void);
/* Hides our memory first. -1: no process could be started. Of the child, what child_run() asks while
 * it runs is not used. */
int child_start(const struct child *, struct child_running *, struct err *);
/* Ends it with all that it started, and waits for that. Closes what is open. First it has so many
 * seconds to end by itself, which CHILD_EXITED and CHILD_KILLED say with a code. Else it is
 * CHILD_STOPPED. */
enum child_end child_stop(struct child_running *, double seconds, int *code);

/* Hides our memory first. The child has our stdin (with `our_input`), stdout and stderr, and Ctrl-C
 * is its own until it ends. ended() tells that this process must end. *code is its exit status, or
 * the signal that killed it. -1: no process could be started. */
int child_attend(const struct child *, int (*ended)(void), enum child_end *, int *code, struct err *);

/* -1: no process could be started. Free the result always. */
int child_run(const struct child *, struct child_result *, struct err *);
/* From hold to release, SIGTERM and SIGHUP stop a child first and end us at the release, when
 * what lay in temporary folders has been cleared away. */
void signals_hold(sigset_t *before);
void signals_release(const sigset_t *before);
void child_result_free(struct child_result *);
void child_signal_name(int signal_number, char out[20]); /* "SIGSEGV", or "signal 63" */

#endif
