/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clocks around a launch: the moments of host and device, which of them come before which, and so
 * which clock certainly includes the kernel, however fast host and device are.
 */
#ifndef LABS_TIMING_CLOCKS_H
#define LABS_TIMING_CLOCKS_H

#include "command/command.h"
#include "screen/report.h"

enum moment {               /* in a legal order */
              CLOCK_MARK,   /* the device reaches the first event */
              CLOCK_CALL,   /* the host calls the launch */
              CLOCK_RETURN, /* the call comes back */
              CLOCK_BEGIN,  /* the kernel begins */
              CLOCK_END,    /* and ends */
              CLOCK_MARK2,  /* the device reaches the second event */
              CLOCK_WAITED, /* the host has waited for all of it */
              CLOCK_MOMENTS
};

/* A way to time, named as its variant. */
struct clock_kind {
    const char *name;           /* "wall-sync" */
    const char *starts, *stops; /* as in a program */
    const char *counts;         /* "time on the wall" */
    enum moment from, to;
    bool cpu; /* counts only while a processor works for this program */
};
const struct clock_kind *clock_named(const char *name);

/* Does it include all of the kernel in every legal order? */
bool clock_holds_kernel(const struct clock_kind *);
/* Does it include the launching call? */
bool clock_holds_call(const struct clock_kind *);
double clock_measured(const struct clock_kind *, const struct launch_result *); /* seconds */

/* Draw host, device and the clocks over time; `one`: only that clock. NULL: all. */
void say_clocks(struct report *, const struct clock_kind *one);

#endif
