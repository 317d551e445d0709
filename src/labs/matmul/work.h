/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of kernels/matmul.cu, matmul-async.cu and matmul-mma.cu: their tiles and launches, the
 * matrices, one run held against plain C in double, and how many loads a launch should make.
 */
#ifndef LABS_MATMUL_WORK_H
#define LABS_MATMUL_WORK_H

#include "labkit/ladder/ladder.h"

enum { MATMUL_MOST = 4096, MATMUL_USUAL = 128, MATMUL_SMALL = 40, MATMUL_BLOCK = 32 };

/* The tag of a variant: its row in the table of rungs. */
enum matmul_rung {
    BY_ONEBLOCK, BY_ROWX, BY_COLX, BY_TILES16, BY_TILES32, BY_REGISTERS, BY_MORE_REGISTERS,
    BY_WIDE_LOADS, BY_BUFFERS, BY_ASYNC_COPIES, BY_WARP_TILES, BY_TENSOR_CORES, BY_FRAGMENTS,
    BY_LIBRARY
};

struct matmul_size { int m, n, k; };

struct matmul_launch {
    unsigned grid[2], block[2];
    unsigned rows, cols; /* of C that a block computes; 0: the library's affair */
    unsigned depth;      /* columns of a tile of A; 0: there are no tiles */
    unsigned shared_bytes;
    const char *kernel;
};
bool matmul_half(const struct lab_variant *); /* A and B have elements of f16 */
struct matmul_launch matmul_launch(const struct lab_variant *, struct matmul_size);
uint64_t matmul_products(struct matmul_size); /* m n k: multiply-adds */
/* Requests of all warps to load from global memory. */
uint64_t matmul_loads(const struct lab_variant *, struct matmul_size);

/* What the elements of C should be: those of the rows that are checked. */
struct matmul_want {
    double *exact, *magnitude; /* sums of the products, and of their absolute values */
};

struct matmul_data {
    struct matmul_size size;
    int rows;              /* so many rows of C are checked: all, unless there are many */
    float *a, *b, *c;
    uint16_t *half_a, *half_b; /* the same as f16, once a variant needs them */
    bool fits_half;            /* no element is too large for f16 */
    struct matmul_want want, want_half;
    double half_off;       /* the largest difference that f16 makes to an element of C */
};
/* `fill` is for A and B. Close it also when opening failed; -1: the report says why. */
int matmul_open(struct matmul_data *, struct matmul_size, const char *const fill[2], uint64_t seed,
                struct session *, struct report *);
void matmul_close(struct matmul_data *);
/* Fills in what is about f16, unless it is there. -1: the report says why. */
int matmul_need_half(struct matmul_data *, struct session *, struct report *);
/* Is ->c right? No element goes through more than `chain` roundings. */
void matmul_judge(const struct matmul_data *, const struct matmul_want *, double chain,
                  struct attempt *);

int matmul_run(struct matmul_data *, const struct trial *, struct attempt *);

#endif
