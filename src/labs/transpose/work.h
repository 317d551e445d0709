/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of kernels/transpose.cu: their blocks, the matrices, one run held against plain C,
 * and the sectors and wavefronts that a launch should need.
 */
#ifndef LABS_TRANSPOSE_WORK_H
#define LABS_TRANSPOSE_WORK_H

#include "labkit/ladder/ladder.h"

enum { TRANSPOSE_MOST = 16384, TRANSPOSE_SMALL = 64 };

/* The tag of a variant: its row in the table of rungs. */
enum transpose_rung {
    BY_READING_ROWS, BY_WRITING_ROWS, BY_ONE_BANK, BY_TILES, BY_FOUR_ROWS, BY_WIDE_TILES,
    BY_COPYING, WITHOUT_BARRIER, TO_SAME_PLACE
};

struct transpose_size { int rows, cols; }; /* of A */

struct transpose_launch {
    unsigned grid[2], block[2];
    unsigned tile;                  /* a block has tile x tile elements */
    bool copies;                    /* B = A */
    bool fours_read, fours_written; /* by accesses of four elements */
};
struct transpose_launch transpose_launch(const struct lab_variant *, struct transpose_size);

/* What all warps need: 32-byte sectors, and wavefronts of the loads from the tile. */
struct transpose_needs { uint64_t load_sectors, store_sectors, wavefronts; };
struct transpose_needs transpose_needs(const struct lab_variant *, struct transpose_size);

struct transpose_data {
    struct transpose_size size;
    float *a, *transposed, *got;
};
/* `fill` is for A. Close it also when opening failed; -1: the report says why. */
int transpose_open(struct transpose_data *, struct transpose_size, const char *fill, uint64_t seed,
                   struct session *, struct report *);
void transpose_close(struct transpose_data *);
int transpose_run(struct transpose_data *, const struct trial *,
                  const struct transpose_needs *predicted, struct attempt *);

#endif
