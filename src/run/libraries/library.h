/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What our libraries in place of NVIDIA's, such as cuBLAS, need of our runtime. A library is a
 * shared object of its own in the student's program. Its work on the device is kernels, launched as
 * those of the program are. So the order of streams, the checkers and the counters are there by
 * themselves, and a mistake is told at the line of the program that called the library.
 */
#ifndef RUN_LIBRARIES_LIBRARY_H
#define RUN_LIBRARIES_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cudalab_runtime_types.h"
#include "run/libraries/numbers.h"

#define API __attribute__((visibility("default")))

cudaError_t cudaMalloc(void **at, size_t bytes);
cudaError_t cudaFree(void *at);
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemcpy2D(void *to, size_t row_to, const void *from, size_t row_from, size_t width,
                         size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t row_to, const void *from, size_t row_from,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *at);
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args,
                             size_t shared, cudaStream_t stream);
void __cudaRegisterFunction(void **module, const char *host, char *device, const char *name,
                            int threads, void *tid, void *bid, dim3 *block, dim3 *grid,
                            int *warp);

/* client/libraries.c. The program may be linked with another runtime, hence they are weak. */
#define OURS __attribute__((weak))
/* The bytes are the library's name, a NUL, and its PTX. */
OURS void **cudalab_library(const char *bytes, size_t n);
/* A call has failed with a status of this library, and the program may look at it. */
OURS void cudalab_failed(const char *call, int number);
/* The program has asked what this status is. */
OURS void cudalab_looked_at(int number);
/* A call that is not served. */
OURS void cudalab_lacking(const char *call);
/* A mistake in how the program called: of a kind that `findings` knows, with a sentence. */
OURS void cudalab_mistake(const char *kind, const char *text);

#endif
