/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the commands of a session share: its device, its settings and limits, and what the student
 * made.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "session/budget.h"
#include "session/team.h"
#include "base/go-on.h"
#include "base/progress.h"
#include "screen/report.h"

#include <signal.h>

struct settings {
    char device[64];
    uint64_t seed;
    char schedule[40];     /* labkit/ladder/schedule.h reads it */
    uint64_t step_limit;   /* default 2^34 */
    int threads; /* cores that a launch on the simulator may use; 0: all */
    bool volatile_on, counters, projector, plain;
    bool build_cache;      /* keep what compilers make for the next session */
    char compiler[8];      /* auto nvrtc nvcc clang */
    int arch;              /* 0: the default */
    char include[400], define[400]; /* "inc:lib" and "N=64,DEBUG" for every load; "": none */
    int width;             /* 0: the terminal's, else 80 */
    char color[8], charset[8]; /* auto always never; auto ascii utf8 */
    char theme[8];         /* auto dark light */
};

struct loaded_module { char name[40]; void *module; }; /* a lab's module */

struct session {
    struct device *device;
    char why_device[200];
    struct settings settings;
    volatile sig_atomic_t stop;   /* set by Ctrl-C */
    struct budget budget;         /* of time, output and memory */
    struct progress progress;     /* long work tells how far it is */
    struct loaded_module *loaded;
    unsigned loaded_count;
    uint64_t *arrays;             /* of the running command */
    unsigned array_count;
    struct go_on go_on;           /* the device asks it while it loads */
    bool counting;                /* the running command wants counters, also on a GPU */
    unsigned runs;                /* how often what it launches is timed; 0: not said */
    bool runs_may_be_fewer;       /* where so many take long */
    unsigned sequence;            /* that launches belong to, to be timed; 0: to none */
    unsigned kept_launches;       /* since that was set */
    unsigned launched;            /* by the running command, or this attempt of it */
    unsigned launch_number;       /* of its last launch that a look was asked for */
    bool trying;                  /* an attempt that is not told: its launches count all the same */
    bool benching;                /* `bench` keeps them */
    const struct launch_look *look; /* takes one of the next launches; NULL: nobody does */
    const struct command *const *commands; /* all, in the order of help; NULL-terminated */
    struct arrays *own;           /* own/arrays.h; NULL while there are none */
    struct units *units;          /* own/unit.h, likewise */
    struct team *team;            /* the ranks of mpirun; NULL: this process is alone */
    bool has_mpi;                 /* this cudalab was built with it */
    void *shell;                  /* repl's own */
};

/* Long work on the host calls this now and then. -1: it has to end, since Ctrl-C was pressed or a
 * limit of time is reached. The report then says why, and adds `advice`. */
int session_goes_on(const struct session *, const char *advice, struct report *);

/* Does long work on the host in parts (base/parts.h), with the session's limits, its progress and
 * as many threads as `set threads` allows. -1: the report says why it ended, with the advice for a
 * limit. */
struct parts;
int session_do_parts(const struct session *, const struct parts *, const char *advice,
                     struct report *);

/* Copies bytes from the device and to it; -1: the report says why not. */
int session_fetch(struct session *, void *to, uint64_t address, uint64_t bytes, struct report *);
int session_store(struct session *, uint64_t address, const void *from, uint64_t bytes,
                  struct report *);

#endif
