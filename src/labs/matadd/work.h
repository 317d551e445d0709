/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of kernels/matadd.cu: which thread has which element, the matrices with their padded
 * rows, one run held against plain C, and the sectors that its loads should need.
 */
#ifndef LABS_MATADD_WORK_H
#define LABS_MATADD_WORK_H

#include "labkit/ladder/ladder.h"

enum { MATADD_MOST = 4096, MATADD_ALIGN = 512 /* bytes, of the usual pitch */ };

enum matadd_tag {
    BY_COLUMNS, BY_ROWS, BY_NUMBER, BY_ROW_BLOCKS, MATADD_KIND = 3,
    UNPADDED = 4,   /* the pitch is the length of a row */
    NO_PITCH = 8,   /* the kernel ignores the pitch */
    BYTE_PITCH = 16 /* the kernel takes the pitch as a number of floats */
};

struct matadd_shape {
    int rows, cols, pitch; /* pitch: bytes */
    unsigned block[2], grid[2];
};

struct matadd_data {
    struct matadd_shape shape; /* of the matrices */
    size_t row, all;           /* floats: from row to row, and of a whole matrix */
    float *a, *b;              /* without padding */
    float *want, *got;         /* C with the padding of its rows, where nothing may change */
};

/* Fills in the grid for a variant and its block. */
void matadd_grid(struct matadd_shape *, const struct lab_variant *);
/* Which element has lane `lane` of warp `warp`, counted over the whole grid? False: none. In a
 * variant whose threads take several elements: in their turn `turn`, from 0 on. */
struct matadd_place { int row, col; };
bool matadd_place(const struct matadd_shape *, const struct lab_variant *, uint64_t warp, int lane,
                  int turn, struct matadd_place *);
/* Requests to load, and the sectors that they need. */
struct matadd_loads { uint64_t requests, sectors; };
struct matadd_loads matadd_loads(const struct matadd_shape *, const struct lab_variant *);

/* Close it also when opening failed; -1: the report says why. */
int matadd_open(struct matadd_data *, const struct matadd_shape *, uint64_t seed, struct session *,
                struct report *);
void matadd_close(struct matadd_data *);
int matadd_run(struct matadd_data *, const struct matadd_shape *,
               const struct matadd_loads *predicted, const struct trial *, struct attempt *);

#endif
