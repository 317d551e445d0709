/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What labs show whose kernels add up an array: their ladder.
 */
#ifndef LABKIT_REDUCE_SAY_H
#define LABKIT_REDUCE_SAY_H

#include "labkit/reduce.h"

/* What one lab has that another has not. */
struct reduce_lab {
    const char *name;        /* what its answer is called, and its module */
    const char *fills[2];    /* the options that fill its arrays; the second may be NULL */
    unsigned threads;        /* a block, if not told */
    /* A figure from elsewhere, in milliseconds, NULL: none; and what it is, in a sentence. */
    const char *beside_head, *beside_says;
    const char *(*elsewhere)(const struct lab_variant *);
};

struct reduction {
    struct lab_run run;
    const struct reduce_lab *of;
    const struct reduce_options *options;
    struct reduce_data data;  /* as asked */
    struct reduce_data small; /* for wrong variants: so little that losing one shows */
    bool on_gpu;
    /* What the facts say: */
    struct reduce_data now;   /* one of these two */
    struct launch_shape shape;       /* 0, 0: none */
    const char *fill, *second, *slides, *says, *adds;
    bool sums, products, stuck, library, own_chain, useless, of_blocks, odd, uneven, has_slides;
    double bound, additions;
    uint64_t bytes, shared, terms, waits, one_wait;
    int64_t stands;
    unsigned idle, warps, halvings, lost, kept;
};

/* All that --variant and the other options of such a lab ask for. */
int reduction_run(const struct reduce_lab *, const struct lab_run *, const struct reduce_options *);

#endif
