/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the session's arrays and variables hold at one moment, kept on the device itself: to be
 * put back, for another run from the same bytes, or to be compared with.
 */
#ifndef OWN_SNAPSHOT_H
#define OWN_SNAPSHOT_H

#include "own/arrays.h"

struct snapshot {
    uint64_t *copies; /* by the number of the array; 0: it has none */
    unsigned count;
    size_t room;
};

/* -1: the report says why, and nothing is kept. */
int snapshot_take(struct session *, struct snapshot *, struct report *);
int snapshot_put_back(struct session *, const struct snapshot *, struct report *);
void snapshot_drop(struct session *, struct snapshot *);

/* Where the arrays differ from it first; of NULL: nowhere. */
struct snapshot_difference {
    const struct array *of;
    uint64_t index;
    unsigned char was[8], is[8];
};
/* And a number that is the same for the same bytes in all of them. */
int snapshot_compare(struct session *, const struct snapshot *, struct snapshot_difference *,
                     uint64_t *digest, struct report *);

#endif
