/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running a kernel that adds up an array, or the products of two: its data, how many blocks of
 * how many threads, one run held against plain C. What a kernel asks of the host is in the tag
 * of its variant.
 */
#ifndef LABKIT_REDUCE_H
#define LABKIT_REDUCE_H

#include "labkit/floats.h"
#include "labkit/ladder/ladder.h"
#include "labkit/shape.h"

enum reduce_tag {
    EACH_THREAD, EACH_BLOCK, /* who adds to the total; there is a thread for each element */
    FEW_BLOCKS,              /* likewise each block, but of as many as fit on the device */
    SUMS_TO_HOST,            /* few blocks leave their sums, the host adds them */
    SUMS_TO_KERNEL,          /* and a second kernel does */
    REDUCE_MASK = 7,
    BY_FOURS = 8,       /* elements a thread takes at once */
    ONE_THREAD = 16,    /* of a block adds all its elements */
    SHARED_VALUES = 32, /* it takes 4 bytes of shared memory a thread */
    ODD_BLOCK = 64,     /* it shows something only if the block is no power of two */
    ON_HOST = 128,
    BY_CUBLAS = 256
};

struct reduce_data {
    int n, arrays;
    struct floats x, y;  /* y only where there are two arrays */
    struct float_sum sum;
    uint64_t at_x, at_y; /* on the session's device, while `there` */
    bool there;
};

/* The options of a lab that adds up arrays. */
struct reduce_options {
    struct lab_options lab;
    int n;
    bool n_given;
    const char *fill[2]; /* of each array; the second may be NULL */
};
/* n floats in each array. Close it also when opening failed. `names` are those of the options that
 * fill them. */
int reduce_open(struct reduce_data *, struct session *, const struct reduce_options *, int n,
                const char *const names[2], struct report *);
void reduce_close(struct reduce_data *);
/* 0 blocks or threads: choose. -1: they don't fit variant and n; the report says what does. */
int reduce_choose(const struct lab_variant *, int n, int blocks, int threads, unsigned usual,
                  const struct device_props *, struct launch_shape *,
                  struct report *);
unsigned reduce_halvings(unsigned threads); /* the steps of a tree, rounded up */
/* The longest chain of additions: in a thread, then in its block, then of the blocks. */
struct reduce_links { int64_t thread, block, blocks; };
struct reduce_links reduce_links(const struct lab_variant *, int n, struct launch_shape);
double reduce_chain(const struct lab_variant *, int n, struct launch_shape); /* how long it is */
double reduce_bound(const struct lab_variant *, const struct reduce_data *, struct launch_shape);
/* How many of a block's values a halving of their number, rounded down, never adds. */
unsigned reduce_lost(unsigned threads);
int reduce_run(const char *module, struct reduce_data *, struct launch_shape, bool on_gpu,
               const struct trial *, struct attempt *);

/* ---- what such labs show: reduce-say.c -------------------------------------------------- */

/* What one lab has that another has not. */
struct reduce_lab {
    const char *name;        /* what its answer is called, and its module */
    const char *fills[2];    /* the options that fill its arrays; the second may be NULL */
    unsigned threads;        /* a block, if not told */
    /* A figure from elsewhere, in milliseconds, NULL: none; and what it is, in a sentence. */
    const char *beside_head, *beside_says;
    const char *(*elsewhere)(const struct lab_variant *);
};

/* All that --variant and the other options of such a lab ask for. */
int reduction_run(const struct reduce_lab *, const struct lab_run *, const struct reduce_options *);

#endif
