/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A schedule as it is typed: lockstep, independent, random, the last two with a seed or a range
 * of seeds behind a colon, as in random:7 and random:1..20.
 */
#ifndef LABKIT_SCHEDULE_H
#define LABKIT_SCHEDULE_H

#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

extern const char *const schedule_names[]; /* NULL-terminated */

enum { SCHEDULE_RUNS = 1000 }; /* a range has no more */

struct schedule_range {
    const char *name;       /* one of schedule_names */
    bool seeded;            /* a seed was typed; else first is 0 */
    uint64_t first, runs;   /* runs is 1 but for a range */
};

/* -1: e says what would be right. */
int schedule_read(const char *text, struct schedule_range *, struct err *e);

#endif
