/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work of the lab `shared`: each block turns its piece of an array around in shared memory.
 * How a variant is launched, one run of it, and how many elements came out where they belong.
 */
#ifndef LABS_SHARED_WORK_H
#define LABS_SHARED_WORK_H

#include "labkit/ladder/ladder.h"
#include <stddef.h>

enum mirror_tag {                       /* of a variant */
                  MIRROR_FIXED = 1,     /* an array of fixed size, none in the launch */
                  MIRROR_PAIRS = 2,     /* a value and its place: two arrays */
                  MIRROR_FORGOTTEN = 4, /* the launch doesn't say how much */
                  MIRROR_BIG = 8,       /* pieces longer than a block */
                  MIRROR_UNASKED = 16   /* more than comes by itself, and nobody asked */
};

enum { MIRROR_FIXED_BYTES = 1024 * sizeof(float) };

struct shared_options {
    struct lab_options lab;
    int n, piece;
    bool n_given;
};

/* How a variant is launched. */
struct mirror {
    unsigned blocks, threads, piece; /* elements of a block */
    size_t asked, used;              /* bytes of a block: in the launch, and touched */
    int n;
};

/* A long piece has an n of its own where none is typed. */
struct mirror mirror_of(const struct shared_options *, const struct lab_variant *);
/* The most that a block can have once it is asked for, and how many such blocks an SM holds. */
size_t mirror_most(const struct device_props *);
unsigned mirror_fit(const struct device_props *, size_t bytes);
struct mirror_lab {
    struct lab_run run;
    const struct shared_options *options;
    /* What the facts say: */
    struct mirror now;
    unsigned last, fit;                  /* its last thread; blocks that an SM holds at once */
    uint64_t held, half, fixed, free, most, sm; /* bytes of a block, and KB of an SM */
    uint64_t bytes;                             /* of the array */
    bool fixed_size, beyond, could; /* beyond: more than comes by itself; could: it may have it */
};
extern const struct ladder mirror_ladder;

int mirror_run(const struct mirror *, const struct trial *, struct attempt *);

#endif
