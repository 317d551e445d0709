/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The laplace lab: the grid, its steps in plain C and on the device, and how fast they settle.
 */
#ifndef LABS_LAPLACE_WORK_H
#define LABS_LAPLACE_WORK_H

#include "labkit/plane/plane.h"

enum laplace_tag {                   /* of a variant */
                   PACKED = 1,       /* a row begins where the last one ends */
                   TILED = 2,        /* points go through shared memory */
                   ONE_ARRAY = 4,    /* old and new values are in one array */
                   NEEDS_OUTSIDE = 8, /* it goes wrong only where threads are outside of the grid */
                   BY_FOURS = 16      /* a thread takes four points of a row */
};

struct laplace_options {
    struct lab_options lab;
    unsigned size[3], tile[3];
    int iters;
};

struct laplace {
    struct lab_run run;
    const struct laplace_options *options;
    struct plane_shape shape, used; /* used: with the blocks of this variant */
    float *start;
    double *change; /* of each step: the largest of any point */
    /* What the facts say: */
    unsigned iters, done, pitch, points, threads, outside; /* done: steps that were made */
    double first, last, each;   /* changes; sectors of a load */
    uint64_t pitch_bytes, row_bytes, tile_bytes, bytes;
    bool apart, tiled, even, settled, one_done; /* apart: rows have something between them */
};

extern const struct ladder laplace_ladder;

#endif
