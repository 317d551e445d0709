/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the host side of our cuBLAS and its kernels have in common. A matrix is a view: it says
 * where an element lies, whether the memory has the whole matrix, a half, a band, or a half
 * without gaps. So one kernel serves many functions of BLAS.
 *
 * Both C and CUDA C read this file, and clang reads it without the C library.
 */
#ifndef RUN_LIBRARIES_BLAS_H
#define RUN_LIBRARIES_BLAS_H

typedef long long blas_int;

/* Where element (row, column) lies. The columns come one after the other. */
enum blas_storage {
    BLAS_DENSE, /* at row + column * ld */
    BLAS_BAND,  /* only `below` diagonals below the main one and `above` above it: in `above + row -
                 * column` of each column */
    BLAS_PACKED /* the half only, without gaps */
};
/* What of the matrix is in memory, and what the rest is. */
enum blas_half { BLAS_WHOLE, BLAS_LOWER, BLAS_UPPER };

struct blas_view {
    const void *at;
    blas_int ld, n; /* n: of rows, for BLAS_PACKED */
    blas_int below, above;
    unsigned char storage, half;
    unsigned char mirrors;    /* the other half is the same; else it is 0 */
    unsigned char unit;       /* the diagonal is 1, and is not read */
    unsigned char transposed; /* element (i, j) is the one at (j, i) */
};

/* A number of the host's, or where it lies in device memory. */
struct blas_scalar { const void *at; double value; };

struct blas_vector { void *at; blas_int step; }; /* element 0, and how far the next one is */

enum blas_reduction { BLAS_ASUM, BLAS_DOT, BLAS_NRM2, BLAS_IAMAX, BLAS_IAMIN };
enum { BLAS_THREADS = 256, BLAS_TILE_X = 32, BLAS_TILE_Y = 8 };

/* A product C = alpha A B + beta C, of each matrix of a batch. */
struct blas_product {
    blas_int m, n, k, ldc;
    struct blas_view a, b;
    void *c;
    struct blas_scalar alpha, beta;
    blas_int batch, step_a, step_b, step_c; /* elements from one matrix to the next */
    unsigned char half;                     /* of C that is written */
    unsigned char pointers;                 /* a, b and c are arrays of pointers, one a matrix */
};

/* Kernels: KERNEL(name) is there for float and double, PRODUCT(name) for types of products. */
#define BLAS_KERNELS(KERNEL)                                                                   \
    KERNEL(axpy) KERNEL(scal) KERNEL(copy) KERNEL(swap) KERNEL(rot) KERNEL(rotm)               \
    KERNEL(reduce) KERNEL(mv) KERNEL(rank) KERNEL(multiply) KERNEL(solve) KERNEL(geam)         \
    KERNEL(dgmm)

#endif
