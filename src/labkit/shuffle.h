/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Warp shuffles as a rule in plain C: which lane's value each lane gets, and where that is not
 * defined; the picture of it, and its facts.
 */
#ifndef LABKIT_SHUFFLE_H
#define LABKIT_SHUFFLE_H

#include "screen/facts.h"
#include <stdbool.h>
#include <stdint.h>

enum { SHUFFLE_LANES = 32, SHUFFLE_UNDEFINED = -1 };
enum shuffle_op { SHUFFLE_DOWN, SHUFFLE_UP, SHUFFLE_XOR, SHUFFLE_IDX };

struct shuffle {
    enum shuffle_op op;
    int delta, width; /* width: lanes in a group */
    int lanes;        /* threads in the block */
    uint32_t active;  /* the lanes that call the shuffle */
    uint32_t named;   /* the mask that they name: the same, if it is right */
    int before[SHUFFLE_LANES], after[SHUFFLE_LANES];
    /* Set by shuffle_sources: */
    int source[SHUFFLE_LANES]; /* may be SHUFFLE_UNDEFINED */
    int own, others, undefined, absent, past; /* how many lanes read so; are named, but absent; can
                                                 reach past their group */
    bool one_past;
    const char *op_name;
    bool right;
};
extern const struct fact shuffle_facts[]; /* of a struct shuffle */

void shuffle_sources(struct shuffle *);
bool shuffle_right(const struct shuffle *); /* is `after` what the rule gives? */
void shuffle_draw(const struct shuffle *, struct report *);

#endif
