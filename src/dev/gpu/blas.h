/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuBLAS is NVIDIA's library of linear algebra. It is found at run time, as the driver is. struct
 * blas has one pointer for each line of blas.def. Only the process that works with the GPU calls
 * these functions, in the context that is current there.
 *
 * cudalab is built without NVIDIA's cublas_v2.h. This header declares what it needs of it.
 */
#ifndef DEV_GPU_BLAS_H
#define DEV_GPU_BLAS_H

#include "base/err.h"
#include "dev/jobs.h"

enum blas_status { /* cublasStatus_t */
    BLAS_OK = 0, BLAS_NOT_INITIALIZED = 1, BLAS_ALLOC_FAILED = 3, BLAS_INVALID_VALUE = 7,
    BLAS_ARCH_MISMATCH = 8, BLAS_MAPPING_ERROR = 11, BLAS_EXECUTION_FAILED = 13,
    BLAS_INTERNAL_ERROR = 14, BLAS_NOT_SUPPORTED = 15, BLAS_LICENSE_ERROR = 16
};
enum { BLAS_RESULT_ON_DEVICE = 1 }; /* cublasPointerMode_t */
enum { BLAS_AS_STORED = 0 };        /* cublasOperation_t */

struct blas { /* all zero: not open */
    void *library, *handle;
#define BLAS(name, parameters) int (*name) parameters;
#include "dev/gpu/blas.def"
#undef BLAS
};

/* Opens it unless it is open. Work goes to the stream, results stay on the device. -1: there is no
 * cuBLAS, or it can't work here, and the error says why. */
int blas_open(struct blas *, void *stream, struct err *e);
void blas_close(struct blas *); /* open or not */
/* Queues the call, as a launch is queued: wait for the stream before you use the result. */
int blas_dot(const struct blas *, const struct dot_job *, struct err *e);
int blas_product(const struct blas *, const struct product_job *, struct err *e);

#endif
