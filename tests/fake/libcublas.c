/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A libcublas for machines without a GPU: the functions of src/dev/gpu/blas.def over the memory of
 * tests/fake/libcuda.c. A dot product is computed in one double, so that no test relies on the
 * order in which the real one adds.
 *
 * FAKE_CUBLAS says how it misbehaves: unready (there is no handle), deaf (a stream is refused),
 * fails (a status that no table has), refuses, hangs, dies or is wrong when it is to compute.
 */
#include "dev/gpu/blas.h"
#include "dev/gpu/driver.h"

#include <signal.h>
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

int cublasSdot_v2(void *handle, int n, const float *x, int step_x, const float *y, int step_y,
                  float *result)
{
    if (is("dies"))
        raise(SIGKILL);
    while (is("hangs"))
        pause();
    if (is("refuses"))
        return BLAS_NOT_SUPPORTED;
    if (is("fails"))
        return 99;
    if (handle != &fake || !fake.stream || !fake.on_device || n < 1)
        return BLAS_INVALID_VALUE;
    return compute(n, x, step_x, y, step_y, result);
}
