/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the commands of one session share: its device, its settings and limits, what the student
 * has made.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "session/budget.h"
#include "base/go-on.h"
#include "base/progress.h"
#include "screen/report.h"

#include <signal.h>

struct settings {
    char device[64];
    uint64_t seed;
    char schedule[40];     /* as labkit/schedule.h reads it */
    uint64_t step_limit;   /* default 2^34 */
    int threads;
    bool volatile_on, counters, projector, plain;
    char compiler[8];      /* auto nvrtc nvcc clang */
    int arch;              /* 0: the default */
    char include[400], define[400]; /* "inc:lib" and "N=64,DEBUG" for every load; "": none */
    int width;             /* 0: the terminal's, else 80 */
    char color[8], charset[8]; /* auto always never; auto ascii utf8 */
    char theme[8];         /* auto dark light */
};

struct loaded { char name[40]; void *module; }; /* labs' modules by name */

struct session {
    struct device *device;
    char why_device[200];
    struct settings settings;
    volatile sig_atomic_t stop;   /* set by Ctrl-C */
    struct budget budget;         /* of time, output and memory */
    struct progress progress;     /* told now and then by whatever takes long */
    struct loaded *loaded;
    unsigned loaded_count;
    uint64_t *arrays;             /* of the running command */
    unsigned array_count;
    struct go_on go_on;           /* what the device asks while it loads */
    bool counting;                /* the running command wants counters, of a GPU too */
    unsigned runs;                /* and its launches timed so often; 0: not said */
    const struct command *const *commands; /* all, in the order of help; NULL-terminated */
    struct arrays *own;           /* own/arrays.h; NULL while there are none */
    struct units *units;          /* own/unit.h, likewise */
    void *shell;                  /* repl's own */
};

/* Ctrl-C and the limits of time hold for the host's own work too: it asks now and then. -1: it has
 * to end, the report says why, and `advice` what to do instead. */
int session_goes_on(const struct session *, const char *advice, struct report *);

/* Bytes from the device and to it; -1: the report says why not. */
int session_fetch(struct session *, void *to, uint64_t address, size_t bytes, struct report *);
int session_store(struct session *, uint64_t address, const void *from, size_t bytes,
              struct report *);

#endif
