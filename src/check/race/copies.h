/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asynchronous copies (cp.async): when each is over.
 *
 * A copy runs beside the thread that starts it. Threads commit what they have started as a group,
 * and wait until all groups but the latest few are over. The groups of a warp are kept in a ring;
 * what has left it counts as over.
 */
#ifndef CHECK_RACE_COPIES_H
#define CHECK_RACE_COPIES_H

#include <stdint.h>

enum { COPY_GROUPS = 32 };
struct copy_group {
    uint64_t first, upto, over; /* times: the first copy, the commit, the wait */
    uint32_t lanes, waited;     /* that committed it, and that have waited for it */
};

/* Of one warp. */
struct copies {
    struct copy_group group[COPY_GROUPS];
    uint64_t count, forgotten; /* groups so far; what was committed by then has left the ring */
    uint64_t open;             /* the first copy since the last commit, or 0 */
};

void copies_start(struct copies *, uint64_t now);
void copies_commit(struct copies *, uint32_t lanes, uint64_t now);
void copies_wait(struct copies *, uint32_t lanes, unsigned but, uint64_t now);

/* When the lane's copy of that time was over; 0: it may still run. */
uint64_t copies_over(const struct copies *, unsigned lane, uint64_t time);
/* Every copy started before this time is over. */
uint64_t copies_oldest(const struct copies *);

#endif
