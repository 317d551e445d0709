/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuBLAS's copies of vectors and matrices between the host and the device: they are those of the
 * runtime, and are checked there.
 */
#include "run/libraries/blas/handle.h"

struct side_of_copy { const void *at; blas_int step; };

static int copy_rows(const char *name, size_t width, blas_int height, struct side_of_copy from,
                     struct side_of_copy to, size_t unit, enum cudaMemcpyKind kind,
                     const cudaStream_t *stream)
{
    void *at = (void *)(uintptr_t)to.at;
    const size_t row_from = (size_t)from.step * unit, row_to = (size_t)to.step * unit;
    const bool as_one = row_from == width && row_to == width;
    const size_t all = width * (size_t)height;
    cudaError_t error = cudaSuccess;
    if (height > 0 && as_one)
        error = stream ? cudaMemcpyAsync(at, from.at, all, kind, *stream)
                       : cudaMemcpy(at, from.at, all, kind);
    else if (height > 0)
        error = stream ? cudaMemcpy2DAsync(at, row_to, from.at, row_from, width, (size_t)height,
                                           kind, *stream)
                       : cudaMemcpy2D(at, row_to, from.at, row_from, width, (size_t)height, kind);
    if (error == cudaSuccess)
        return OK;
    cudaGetLastError();
    return blas_status(name, MAPPING_ERROR);
}

static int copy_vector(const char *name, blas_int n, blas_int unit, struct side_of_copy from,
                       struct side_of_copy to, enum cudaMemcpyKind kind,
                       const cudaStream_t *stream)
{
    if (n < 0 || unit <= 0 || from.step <= 0 || to.step <= 0)
        return blas_status(name, INVALID_VALUE);
    return copy_rows(name, (size_t)unit, n, from, to, (size_t)unit, kind, stream);
}

static int copy_matrix(const char *name, blas_int rows, blas_int columns, blas_int unit,
                       struct side_of_copy from, struct side_of_copy to,
                       enum cudaMemcpyKind kind, const cudaStream_t *stream)
{
    if (rows < 0 || columns < 0 || unit <= 0 || from.step < at_least_1(rows) ||
        to.step < at_least_1(rows))
        return blas_status(name, INVALID_VALUE);
    return rows ? copy_rows(name, (size_t)(rows * unit), columns, from, to, (size_t)unit, kind,
                            stream) : OK;
}

#define VECTOR(verb, end, kind, Int)                                                           \
    API int cublas##verb##Vector##end(Int n, Int unit, const void *x, Int step_x, void *y,     \
                                      Int step_y)                                              \
    {                                                                                          \
        return copy_vector(__func__, n, unit, (struct side_of_copy){x, step_x},                \
                           (struct side_of_copy){y, step_y}, kind, NULL);                      \
    }                                                                                          \
    API int cublas##verb##VectorAsync##end(Int n, Int unit, const void *x, Int step_x,         \
                                           void *y, Int step_y, cudaStream_t stream)           \
    {                                                                                          \
        return copy_vector(__func__, n, unit, (struct side_of_copy){x, step_x},                \
                           (struct side_of_copy){y, step_y}, kind, &stream);                   \
    }                                                                                          \
    API int cublas##verb##Matrix##end(Int rows, Int columns, Int unit, const void *a, Int lda, \
                                      void *b, Int ldb)                                        \
    {                                                                                          \
        return copy_matrix(__func__, rows, columns, unit, (struct side_of_copy){a, lda},       \
                           (struct side_of_copy){b, ldb}, kind, NULL);                         \
    }                                                                                          \
    API int cublas##verb##MatrixAsync##end(Int rows, Int columns, Int unit, const void *a,     \
                                           Int lda, void *b, Int ldb, cudaStream_t stream)     \
    {                                                                                          \
        return copy_matrix(__func__, rows, columns, unit, (struct side_of_copy){a, lda},       \
                           (struct side_of_copy){b, ldb}, kind, &stream);                      \
    }
VECTOR(Set, , cudaMemcpyHostToDevice, INT32)
VECTOR(Set, _64, cudaMemcpyHostToDevice, INT64)
VECTOR(Get, , cudaMemcpyDeviceToHost, INT32)
VECTOR(Get, _64, cudaMemcpyDeviceToHost, INT64)
