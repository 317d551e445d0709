/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Warp shuffles as a rule in plain C: whose value each lane gets, and where that is not
 * defined; the picture of it, and the same in JSON.
 */
#ifndef LABKIT_SHUFFLE_H
#define LABKIT_SHUFFLE_H

#include "screen/report.h"
#include <stdbool.h>
#include <stdint.h>

enum { SHUFFLE_LANES = 32, SHUFFLE_UNDEFINED = -1 };
enum shuffle_op { SHUFFLE_DOWN, SHUFFLE_UP, SHUFFLE_XOR, SHUFFLE_IDX };

struct shuffle {
    enum shuffle_op op;
    int delta, width; /* width: lanes in a group */
    int lanes;        /* threads in the block */
    uint32_t active;  /* who calls the shuffle, */
    uint32_t named;   /* and the mask they name: the same, if it is right */
    int before[SHUFFLE_LANES], after[SHUFFLE_LANES];
    int source[SHUFFLE_LANES]; /* set by shuffle_sources; may be SHUFFLE_UNDEFINED */
};

bool shuffle_takes_part(const struct shuffle *, int lane);
void shuffle_sources(struct shuffle *);
bool shuffle_right(const struct shuffle *); /* is `after` what the rule gives? */
void shuffle_draw(const struct shuffle *, struct report *);
void put_shuffle(const struct shuffle *, struct json *);

#endif
