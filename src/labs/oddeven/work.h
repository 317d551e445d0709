/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of kernels/oddeven.cu: which comparisons each step of a sorting network has, in plain
 * C, how a variant is launched, and one run of it held against qsort. A variant's tag says which
 * network it is, and how its steps wait for each other.
 */
#ifndef LABS_ODDEVEN_WORK_H
#define LABS_ODDEVEN_WORK_H

#include "labkit/ladder/ladder.h"
#include "labkit/shape.h"

enum sort_tag {
    SORT_LAUNCHES,   /* neighbours; a launch for each step */
    SORT_GRID,       /* the same in one launch whose blocks wait for each other */
    SORT_STRIDE,     /* and whose threads take several pairs */
    SORT_CHUNKS,     /* neighbouring chunks, in shared memory */
    SORT_BITONIC,
    SORT_BATCHER,
    SORT_ON_HOST,
    SORT_MASK = 7,
    SORT_PLAINLY = 8,    /* launched by <<<>>> though it should not be */
    SORT_BLOCK_WAITS = 16 /* only the threads of a block wait for each other */
};

enum { SORT_MOST = 1 << 20 };

struct sort_data {
    int n;
    float *x, *want, *got; /* as given, as qsort leaves it, as a kernel left it */
};

struct sort_network {
    unsigned steps; /* that wait for each other; of chunks: rounds */
    bool counted;   /* its comparisons and exchanges, which chunks have no single number of */
    uint64_t comparisons, exchanges;
    uint64_t loads; /* that its warps make; 0: not known before */
};

/* Close it also when opening failed; -1: the report says why. */
int sort_open(struct sort_data *, struct session *, int n, const char *fill, uint64_t seed,
              struct report *);
void sort_close(struct sort_data *);

/* 0 blocks or threads: choose. What can't be is told by sort_closed(). */
struct launch_shape sort_shape(const struct lab_variant *, int n, int blocks, int threads,
                               const struct device_props *);
/* Why the variant can't be run so, in at most 160 bytes; NULL: it can. */
const char *sort_closed(const struct lab_variant *, int n, struct launch_shape,
                        const struct device_props *, char out[160]);

/* What there is to know of it before it runs. */
int sort_network(const struct lab_variant *, const struct sort_data *, struct launch_shape,
                 const struct session *, struct sort_network *, struct report *);

/* A network's steps, one after the other: sort_first() and then sort_next() while they are true. */
struct sort_step {
    unsigned number;
    int first, size, distance, mask; /* as the kernels take them */
};
bool sort_first(const struct lab_variant *, int n, struct sort_step *);
bool sort_next(const struct lab_variant *, int n, struct sort_step *);
/* The pair of this number in a step; false: it has none. */
bool sort_pair(const struct lab_variant *, int n, const struct sort_step *, int pair, int *low,
               int *high);
int sort_pairs(const struct lab_variant *, int n); /* numbers of pairs in a step */

int sort_run(const struct trial *, struct sort_data *, struct launch_shape, struct attempt *);

#endif
