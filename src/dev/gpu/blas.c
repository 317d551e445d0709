/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file opens libcublas, makes a handle, and puts its statuses into words.
 */
#include "dev/gpu/blas.h"

#include "dev/gpu/vendor.h"

#include <limits.h>

static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so", NULL};

static const struct vendor_function functions[] = {
#define BLAS(name, parameters) {#name, offsetof(struct blas, name)},
#include "dev/gpu/blas.def"
#undef BLAS
    {NULL, 0},
};

static const struct vendor_status statuses[] = {
    {BLAS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED, the driver or GPU doesn't suit it"},
    {BLAS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED, no memory is left for it"},
    {BLAS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE, an argument that it can't take"},
    {BLAS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH, it has no code for this GPU"},
    {BLAS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR, it can't reach the GPU's memory"},
    {BLAS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED, its kernel could not be run"},
    {BLAS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR, something inside it failed"},
    {BLAS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED, it can't do this"},
    {BLAS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR, its licence doesn't allow it"},
    {0, NULL},
};

static const struct vendor_library cublas = {"cuBLAS", names, functions, statuses};

static int failed(const char *call, int status, struct err *e)
{
    return vendor_failed(&cublas, call, status, e);
}

static int set_up(const struct blas *b, void *stream, struct err *e)
{
    int status = b->cublasSetStream_v2(b->handle, stream);
    if (status != BLAS_OK)
        return failed("cublasSetStream", status, e);
    status = b->cublasSetPointerMode_v2(b->handle, BLAS_RESULT_ON_DEVICE);
    return status == BLAS_OK ? 0 : failed("cublasSetPointerMode", status, e);
}

int blas_open(struct blas *b, void *stream, struct err *e)
{
    if (b->handle)
        return 0;
    if (!b->library && !(b->library = vendor_open(&cublas, b, e)))
        return -1;
    int status = b->cublasCreate_v2(&b->handle);
    if (status != BLAS_OK) {
        b->handle = NULL;
        return failed("cublasCreate", status, e);
    }
    if (set_up(b, stream, e) == 0)
        return 0;
    blas_close(b);
    return -1;
}

void blas_close(struct blas *b)
{
    if (b->handle)
        b->cublasDestroy_v2(b->handle);
    b->handle = NULL;
}

int blas_dot(const struct blas *b, const struct dot_job *d, struct err *e)
{
    if (d->n > INT_MAX)
        return fail(e, "cublasSdot counts elements by an int, up to %d, and here are %llu", INT_MAX,
                    (unsigned long long)d->n);
    int status = b->cublasSdot_v2(b->handle, (int)d->n, (const float *)(uintptr_t)d->x, d->step_x,
                                  (const float *)(uintptr_t)d->y, d->step_y,
                                  (float *)(uintptr_t)d->to);
    return status == BLAS_OK ? 0 : failed("cublasSdot", status, e);
}

/* cuBLAS has its matrices by columns. So for it our A is the transpose of A, and the transpose of C
 * is that of B times that of A. */
int blas_product(const struct blas *b, const struct product_job *p, struct err *e)
{
    int status = b->cublasSgemm_v2(b->handle, BLAS_AS_STORED, BLAS_AS_STORED, p->n, p->m, p->k,
                                   (const float *)(uintptr_t)p->one,
                                   (const float *)(uintptr_t)p->b, p->n,
                                   (const float *)(uintptr_t)p->a, p->k,
                                   (const float *)(uintptr_t)p->zero, (float *)(uintptr_t)p->c,
                                   p->n);
    return status == BLAS_OK ? 0 : failed("cublasSgemm", status, e);
}
