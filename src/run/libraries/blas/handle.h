/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside our cuBLAS: handles, statuses, and how functions check their arguments and launch.
 */
#ifndef RUN_LIBRARIES_BLAS_HANDLE_H
#define RUN_LIBRARIES_BLAS_HANDLE_H

#include "run/libraries/blas/blas.h"
#include "run/libraries/library.h"

enum blas_status_number { /* cublasStatus_t */
    OK = 0, NOT_INITIALIZED = 1, ALLOC_FAILED = 3, INVALID_VALUE = 7, MAPPING_ERROR = 11,
    EXECUTION_FAILED = 13, NOT_SUPPORTED = 15
};
enum operation { OP_N, OP_T, OP_C };
enum blas_fill { FILL_LOWER, FILL_UPPER };
enum diagonal { NON_UNIT, UNIT };
enum side { LEFT, RIGHT };

struct cublasContext;
typedef struct cublasContext *handle;
enum type { F32, F64, F16, F16_F32, TYPES }; /* of elements; the last: products give an f32 */
enum kernel {
#define KERNEL(name) K_##name,
    BLAS_KERNELS(KERNEL)
#undef KERNEL
    K_gemm, KERNELS
};

/* What a function does: `call` is its name for messages. */
struct task { handle h; const char *name; enum type type; };

/* Tells the program's mistake, if it is one, and returns the status. */
int blas_status(const char *call, int status);
/* NOT_INITIALIZED if this is no handle. */
int blas_check(const struct task *);
/* A number that the host or the device has, as the handle's pointer mode says. */
int blas_scalar(const struct task *, const void *given, struct blas_scalar *);
bool blas_on_device(const struct task *);
/* Element 0 of a vector of n: a negative step means that it is the last one in memory. */
struct blas_vector blas_vector(const struct task *, const void *at, blas_int n, blas_int step);
/* Launches for this many elements, with at most as many threads as are worth it. */
int blas_launch(const struct task *, enum kernel, blas_int elements, void **args);
int blas_launch_on(const struct task *, enum kernel, dim3 grid, dim3 block, void **args);
/* Runs a reduction in one block; the result, of `bytes`, goes where the pointer mode says. */
int blas_reduce(const struct task *, int kind, blas_int n, struct blas_vector x,
                struct blas_vector y, void *result, size_t bytes);
/* Brings numbers that rotg() and rotmg() read to the host; and takes them back. */
int blas_fetch(const struct task *, void *to, const void *from, size_t bytes);
int blas_store(const struct task *, void *to, const void *from, size_t bytes);

static inline size_t bytes_of(enum type t) { return t == F64 ? 8 : t == F16 ? 2 : 4; }
static inline blas_int at_least_1(blas_int n) { return n > 1 ? n : 1; }

/* level1.c and its kin: functions are made for both widths of numbers, `int` and 64 bits. */
#define INT32 int
#define INT64 int64_t

#endif
