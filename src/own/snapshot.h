/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of the session's arrays and variables at one moment. They are kept on the device, to be
 * restored for another run or to be compared with.
 */
#ifndef OWN_SNAPSHOT_H
#define OWN_SNAPSHOT_H

#include "own/arrays.h"

struct snapshot {
    uint64_t *copies; /* one for each array, in order; 0: there is none */
    unsigned count;
    size_t room;
};

/* -1: the report says why, and nothing is kept. */
int snapshot_take(struct session *, struct snapshot *, struct report *);
int snapshot_put_back(struct session *, const struct snapshot *, struct report *);
void snapshot_drop(struct session *, struct snapshot *);

/* The first difference; `of` is NULL: there is none. */
struct snapshot_difference {
    const struct array *of;
    uint64_t index;
    unsigned char was[8], is[8];
};
/* The digest is the same number for the same bytes in all arrays. */
int snapshot_compare(struct session *, const struct snapshot *, struct snapshot_difference *,
                     uint64_t *digest, struct report *);

#endif
