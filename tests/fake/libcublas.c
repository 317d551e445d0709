/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A libcublas for machines without a GPU: the functions of src/dev/gpu/blas.def over the memory of
 * tests/fake/libcuda.c. A dot product is computed in one double, also as an element of a product of
 * matrices. So no test relies on the order in which the real one adds.
 *
 * FAKE_CUBLAS says how it misbehaves: unready (there is no handle), deaf (a stream is refused),
 * fails (a status that no table has), refuses, hangs, dies or is wrong when it is to compute.
 */
#include "dev/gpu/blas.h"
#include "dev/gpu/driver.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DRIVER(name, parameters) int name parameters;
#include "dev/gpu/driver.def"
#undef DRIVER
#define BLAS(name, parameters) int name parameters;
#include "dev/gpu/blas.def"
#undef BLAS

static struct fake { void *stream; int on_device; } fake;

static int is(const char *how)
{
    const char *set = getenv("FAKE_CUBLAS");
    return set && strcmp(set, how) == 0;
}

int cublasCreate_v2(void **handle)
{
    *handle = &fake;
    return is("unready") ? BLAS_NOT_INITIALIZED : BLAS_OK;
}

int cublasDestroy_v2(void *handle)
{
    return handle == &fake ? BLAS_OK : BLAS_NOT_INITIALIZED;
}

int cublasSetStream_v2(void *handle, void *stream)
{
    fake.stream = stream;
    return handle != &fake ? BLAS_NOT_INITIALIZED : is("deaf") ? BLAS_INTERNAL_ERROR : BLAS_OK;
}

int cublasSetPointerMode_v2(void *handle, int mode)
{
    fake.on_device = mode == BLAS_RESULT_ON_DEVICE;
    return handle == &fake ? BLAS_OK : BLAS_NOT_INITIALIZED;
}

/* The floats from the first that is read to the last; free them. */
static float *fetch(const float *from, int n, int step)
{
    size_t bytes = ((size_t)(n - 1) * (size_t)step + 1) * sizeof(float);
    float *all = malloc(bytes);
    if (all && cuMemcpyDtoH_v2(all, (uint64_t)(uintptr_t)from, bytes) == DRIVER_OK)
        return all;
    free(all);
    return NULL;
}

static int compute(int n, const float *x, int step_x, const float *y, int step_y, float *result)
{
    double sum = is("wrong") ? 1e6 : 0;
    float *a = fetch(x, n, step_x), *b = fetch(y, n, step_y);
    for (int i = 0; a && b && i < n; i++)
        sum += (double)a[(size_t)i * (size_t)step_x] * (double)b[(size_t)i * (size_t)step_y];
    float rounded = (float)sum;
    int status = a && b ? cuMemcpyHtoD_v2((uint64_t)(uintptr_t)result, &rounded, sizeof rounded)
                        : DRIVER_INVALID_VALUE;
    free(a);
    free(b);
    return status == DRIVER_OK ? BLAS_OK : BLAS_EXECUTION_FAILED;
}

/* What becomes of a call before it computes. */
static int before(void *handle)
{
    if (is("dies"))
        raise(SIGKILL);
    while (is("hangs"))
        pause();
    if (is("refuses"))
        return BLAS_NOT_SUPPORTED;
    if (is("fails"))
        return 99;
    return handle == &fake && fake.stream && fake.on_device ? BLAS_OK : BLAS_INVALID_VALUE;
}

int cublasSdot_v2(void *handle, int n, const float *x, int step_x, const float *y, int step_y,
                  float *result)
{
    int status = before(handle);
    if (status != BLAS_OK)
        return status;
    return n < 1 ? BLAS_INVALID_VALUE : compute(n, x, step_x, y, step_y, result);
}

/* By columns, as the real one has it: element (i, j) of a is a[i + row_a j]. */
static void multiply(int m, int n, int k, const float *a, int row_a, const float *b, int row_b,
                     float *c)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = is("wrong") ? 1e6 : 0;
            for (int l = 0; l < k; l++)
                sum += (double)a[(size_t)i + (size_t)row_a * (size_t)l] *
                       (double)b[(size_t)l + (size_t)row_b * (size_t)j];
            c[(size_t)i + (size_t)m * (size_t)j] = (float)sum;
        }
}

int cublasSgemm_v2(void *handle, int flip_a, int flip_b, int m, int n, int k, const float *one,
                   const float *a, int row_a, const float *b, int row_b, const float *zero,
                   float *c, int row_c)
{
    int status = before(handle);
    if (status != BLAS_OK)
        return status;
    if (flip_a != BLAS_AS_STORED || flip_b != BLAS_AS_STORED || m < 1 || n < 1 || k < 1 ||
        row_a < m || row_b < k || row_c != m)
        return BLAS_INVALID_VALUE;
    size_t bytes = (size_t)m * (size_t)n * sizeof(float);
    float *at_one = fetch(one, 1, 1), *at_zero = fetch(zero, 1, 1), *product = malloc(bytes);
    float *x = fetch(a, row_a * (k - 1) + m, 1), *y = fetch(b, row_b * (n - 1) + k, 1);
    bool whole = at_one && at_zero && product && x && y && *at_one == 1 && *at_zero == 0;
    if (whole) {
        multiply(m, n, k, x, row_a, y, row_b, product);
        whole = cuMemcpyHtoD_v2((uint64_t)(uintptr_t)c, product, bytes) == DRIVER_OK;
    }
    free(at_one);
    free(at_zero);
    free(product);
    free(x);
    free(y);
    return whole ? BLAS_OK : BLAS_EXECUTION_FAILED;
}
