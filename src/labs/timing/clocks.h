/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clocks around a launch: the moments of host and device, what of them comes before what, and so
 * which clock is sure to hold the kernel, whatever the speed of either.
 */
#ifndef LABS_TIMING_CLOCKS_H
#define LABS_TIMING_CLOCKS_H

#include "command/command.h"
#include "screen/report.h"

enum moment {               /* in an order that is legal */
              CLOCK_MARK,   /* the device reaches the first event */
              CLOCK_CALL,   /* the host calls the launch */
              CLOCK_RETURN, /* the call comes back */
              CLOCK_BEGIN,  /* the kernel begins */
              CLOCK_END,    /* and ends */
              CLOCK_MARK2,  /* the device reaches the second event */
              CLOCK_WAITED, /* the host has waited for all that */
              CLOCK_MOMENTS
};

/* A way to time, named as its variant. */
struct clock_kind {
    const char *name, *row;     /* "wall-sync", "wall, waits" */
    const char *starts, *stops; /* as in a program */
    const char *counts;         /* "time on the wall" */
    enum moment from, to;
    bool cpu; /* counts only while a processor works for this program */
};
extern const struct clock_kind clock_kinds[]; /* end with a NULL name */
const struct clock_kind *clock_named(const char *name);

/* Does `a` come before `b` in every legal order? */
bool clock_before(enum moment a, enum moment b);
/* All of the kernel is within, in every legal order. */
bool clock_holds_kernel(const struct clock_kind *);
/* So is the host's launching. */
bool clock_holds_call(const struct clock_kind *);
double clock_measured(const struct clock_kind *, const struct launch_result *); /* seconds */

/* Host, device and these clocks over time; one: only that clock. */
void say_clocks(struct report *, const struct clock_kind *one);

#endif
