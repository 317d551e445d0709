/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plane of floats from which a kernel makes the next one, step after step: Jacobi's iteration,
 * the spread of heat. Two arrays take turns; the result of every step is fetched and held against
 * plain C's. On the device rows may be further apart than they are long.
 */
#ifndef LABKIT_PLANE_PLANE_H
#define LABKIT_PLANE_PLANE_H

#include "labkit/ladder/ladder.h"
#include "labkit/run.h"

enum { PLANE_MOST = 1 << 22, PLANE_PITCH_BYTES = 512 }; /* points; what a pitch is a multiple of */

/* Its sizes, and the threads of a block, which are a tile of it. */
struct plane_shape {
    unsigned wide, high;
    unsigned tile[2], blocks[2];
    unsigned each; /* neighbouring points of a row that a thread takes */
};
/* From the two options, as typed. -1: the report says what would be right. */
int plane_shape(struct plane_shape *, const unsigned size[3], const unsigned tile[3],
                const struct device_props *, struct report *);
/* The same plane where each thread takes four points of a row. */
struct plane_shape plane_by_fours(const struct plane_shape *);
/* Floats from row to row if each row begins at a multiple of PLANE_PITCH_BYTES. */
unsigned plane_pitch(unsigned wide);
/* No thread of the grid is outside of the plane. */
bool plane_fits(const struct plane_shape *);

/* What a lab says of its steps; its functions get `self`. */
struct plane_steps {
    void *self;
    struct plane_shape shape;
    unsigned steps, pitch; /* pitch: floats from row to row on the device */
    bool one_array;        /* a kernel writes the array that it reads */
    const float *start;
    /* Rows `row` up to, but not including, `end` of a step in plain C. */
    void (*plain)(const void *self, const float *from, float *to, unsigned row, unsigned end);
    /* One launch, from the array `from` of the two. -1: the report says why. */
    int (*launch)(void *self, const struct trial *, const uint64_t at[2], unsigned from,
                  struct attempt *);
    /* May be NULL: before the first launch, and after the last one. */
    int (*open)(void *self, const struct trial *, const uint64_t at[2]);
    void (*close)(void *self, const struct trial *);
    /* May be NULL: plain C's planes before and after this step, counted from 1. */
    void (*seen)(void *self, unsigned step, const float *before, const float *after);
};
/* All steps, or as many as there are until one is wrong or has a fault: *done. The plane that the
 * last of them left on the device goes to `out`, which may be NULL. -1: the report says why. */
int plane_run(const struct plane_steps *, const struct trial *, struct attempt *, unsigned *done,
              float *out);

/* Another plane of that shape, to the device: what is between the rows stays unwritten. */
int plane_store(const struct plane_steps *, const struct trial *, uint64_t to, const float *plane);

/*
 * loads.c: how many loads all warps of the grid make. `kinds` says which loads a thread makes, each a
 * bit, from the first point that it takes; a warp makes a load if any of its lanes needs it.
 */
uint64_t plane_loads(const struct plane_shape *,
                     unsigned (*kinds)(const struct plane_shape *, unsigned x, unsigned y));
/* The same where each block loads its tile and the points around it, one a thread and round after
 * round; those outside of the plane only if `outside`. */
uint64_t plane_tile_loads(const struct plane_shape *, bool outside);

/* A plane, drawn: each cell is the mean of its points. Cells are square where there is room; there
 * are as many as fit side by side on a screen of this width. */
enum { PLANE_MAP_COLUMNS = 35, PLANE_MAP_ROWS = 20 };
struct plane_map {
    unsigned columns, rows;
    double cell[PLANE_MAP_ROWS * PLANE_MAP_COLUMNS];
};
void plane_map(struct plane_map *, const float *, unsigned wide, unsigned high, int width);
void say_plane_map(struct report *, const struct plane_map *);

#endif
