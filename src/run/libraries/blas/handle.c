/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Handles of our cuBLAS, and what its functions have in common.
 */
#include "run/libraries/blas/handle.h"

#include <stdlib.h>

enum { MAGIC = 0x626c6173, VERSION = 130000, RESULT_BYTES = 64 };

struct cublasContext {
    int magic; /* 0: it was destroyed. So the struct itself stays, and a late use is found */
    int pointers_on_device, math, atomics, sm_limit;
    unsigned logger;
    cudaStream_t stream;
    void *result; /* device memory for one number */
};

/* ---- the kernels --------------------------------------------------------------------------- */

/* The name, then the PTX that the build has made. */
__asm__(".section .rodata\n"
        "cublas_bytes: .asciz \"cuBLAS\"\n"
        ".incbin \"kernels/ptx/run-blas.ptx\"\n"
        "cublas_bytes_end: .byte 0\n"
        ".previous\n");
extern const char cublas_bytes[], cublas_bytes_end[];

/* A kernel is known by the address of its name. */
static const char *const names[KERNELS][TYPES] = {
#define KERNEL(name) [K_##name] = {"cublas_" #name "_f32", "cublas_" #name "_f64"},
    BLAS_KERNELS(KERNEL)
#undef KERNEL
    [K_gemm] = {"cublas_gemm_f32", "cublas_gemm_f64", "cublas_gemm_f16", "cublas_gemm_f16_f32"}};

__attribute__((constructor)) static void start(void)
{
    void **module = cudalab_library(cublas_bytes, (size_t)(cublas_bytes_end - cublas_bytes));
    for (int k = 0; k < KERNELS; k++)
        for (int t = 0; t < TYPES && module; t++)
            if (names[k][t])
                __cudaRegisterFunction(module, (const char *)&names[k][t], NULL, names[k][t], -1,
                                       NULL, NULL, NULL, NULL, NULL);
}

/* ---- statuses ------------------------------------------------------------------------------ */

static const struct status_text { int number; const char *name, *text; } statuses[] = {
#define STATUS(library, number, name, text) {library##_STATUSES + number, #name, text},
#include "run/libraries/statuses.def"
#undef STATUS
};

int blas_status(const char *call, int status)
{
    if (status != OK)
        cudalab_failed(call, CUBLAS_STATUSES + status);
    return status;
}

static const struct status_text *find_status(int status)
{
    cudalab_looked_at(CUBLAS_STATUSES + status);
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (statuses[i].number == CUBLAS_STATUSES + status)
            return &statuses[i];
    return NULL;
}

API const char *cublasGetStatusName(int status)
{
    const struct status_text *s = find_status(status);
    return s ? s->name : "unknown status";
}

API const char *cublasGetStatusString(int status)
{
    const struct status_text *s = find_status(status);
    return s ? s->text : "unknown status";
}

/* ---- handles ------------------------------------------------------------------------------- */

static int check(const char *name, const struct cublasContext *h)
{
    return h && h->magic == MAGIC ? OK : blas_status(name, NOT_INITIALIZED);
}

int blas_check(const struct task *c)
{
    return check(c->name, c->h);
}

API int cublasCreate_v2(handle *out)
{
    struct cublasContext *h = out ? calloc(1, sizeof *h) : NULL;
    if (!out)
        return blas_status("cublasCreate", INVALID_VALUE);
    *out = NULL;
    if (!h || cudaMalloc(&h->result, RESULT_BYTES) != cudaSuccess) {
        free(h);
        cudaGetLastError();
        return blas_status("cublasCreate", h ? ALLOC_FAILED : NOT_INITIALIZED);
    }
    h->magic = MAGIC;
    *out = h;
    return OK;
}

API int cublasDestroy_v2(handle h)
{
    if (check("cublasDestroy", h))
        return NOT_INITIALIZED;
    h->magic = 0;
    cudaFree(h->result);
    return OK;
}

API int cublasGetVersion_v2(handle h, int *version)
{
    if (!version)
        return blas_status("cublasGetVersion", INVALID_VALUE);
    *version = VERSION;
    return h ? check("cublasGetVersion", h) : OK;
}

API size_t cublasGetCudartVersion(void)
{
    return VERSION / 10;
}

API int cublasGetProperty(int what, int *value)
{
    if (!value || what < 0 || what > 2)
        return blas_status(__func__, INVALID_VALUE);
    *value = what == 0 ? VERSION / 10000 : 0;
    return OK;
}

/* What a handle keeps: its functions set it and get it. */
#define SETTING(name, type, member, allowed)                                                   \
    API int cublasSet##name(handle h, type value)                                              \
    {                                                                                          \
        if (check("cublasSet" #name, h))                                                       \
            return NOT_INITIALIZED;                                                            \
        if (!(allowed))                                                                        \
            return blas_status("cublasSet" #name, INVALID_VALUE);                              \
        h->member = value;                                                                     \
        return OK;                                                                             \
    }                                                                                          \
    API int cublasGet##name(handle h, type *value)                                             \
    {                                                                                          \
        if (check("cublasGet" #name, h))                                                       \
            return NOT_INITIALIZED;                                                            \
        if (!value)                                                                            \
            return blas_status("cublasGet" #name, INVALID_VALUE);                              \
        *value = h->member;                                                                    \
        return OK;                                                                             \
    }
SETTING(Stream_v2, cudaStream_t, stream, true)
SETTING(PointerMode_v2, int, pointers_on_device, value == 0 || value == 1)
SETTING(MathMode, int, math, value >= 0)
SETTING(AtomicsMode, int, atomics, value == 0 || value == 1)
SETTING(SmCountTarget, int, sm_limit, value >= 0)

/* Our kernels need no memory besides. */
API int cublasSetWorkspace_v2(handle h, void *at, size_t bytes)
{
    if (check("cublasSetWorkspace", h))
        return NOT_INITIALIZED;
    return at || !bytes ? OK : blas_status("cublasSetWorkspace", INVALID_VALUE);
}

API int cublasLoggerConfigure(int on, int to_out, int to_err, const char *file)
{
    (void)on, (void)to_out, (void)to_err, (void)file;
    return OK;
}

/* ---- arguments ----------------------------------------------------------------------------- */

bool blas_on_device(const struct task *c)
{
    return c->h->pointers_on_device != 0;
}

/* Is it memory that the host cannot reach? */
static bool is_device_memory(const void *at)
{
    struct cudaPointerAttributes a;
    return cudaPointerGetAttributes(&a, at) == cudaSuccess && a.type == cudaMemoryTypeDevice;
}

int blas_scalar(const struct task *c, const void *given, struct blas_scalar *out)
{
    *out = (struct blas_scalar){given, 0};
    if (!given)
        return blas_status(c->name, INVALID_VALUE);
    if (blas_on_device(c))
        return OK;
    if (is_device_memory(given)) {
        cudalab_mistake("library-pointer",
                        "a number is in device memory, but the pointer mode of the handle says "
                        "that it is in host memory");
        return blas_status(c->name, INVALID_VALUE);
    }
    *out = (struct blas_scalar){NULL, c->type == F64 ? *(const double *)given
                                                     : (double)*(const float *)given};
    return OK;
}

struct blas_vector blas_vector(const struct task *c, const void *at, blas_int n, blas_int step)
{
    const char *first = at;
    if (step < 0 && n > 0)
        first -= (n - 1) * step * (blas_int)bytes_of(c->type);
    return (struct blas_vector){(void *)(uintptr_t)first, step};
}

/* ---- launching ----------------------------------------------------------------------------- */

int blas_launch_on(const struct task *c, enum kernel k, dim3 grid, dim3 block, void **args)
{
    if (cudaLaunchKernel(&names[k][c->type], grid, block, args, 0, c->h->stream) == cudaSuccess)
        return OK;
    cudaGetLastError();
    return blas_status(c->name, EXECUTION_FAILED);
}

int blas_launch(const struct task *c, enum kernel k, blas_int elements, void **args)
{
    enum { BLOCKS_MOST = 1 << 20 };
    blas_int blocks = (elements + BLAS_THREADS - 1) / BLAS_THREADS;
    if (elements <= 0)
        return OK;
    blocks = blocks < BLOCKS_MOST ? blocks : BLOCKS_MOST;
    unsigned threads = elements < BLAS_THREADS ? (unsigned)elements : BLAS_THREADS;
    return blas_launch_on(c, k, (dim3){(unsigned)blocks, 1, 1}, (dim3){threads, 1, 1}, args);
}

static int copied(const struct task *c, cudaError_t error)
{
    if (error == cudaSuccess)
        return OK;
    cudaGetLastError();
    return blas_status(c->name, error == cudaErrorInvalidValue ? INVALID_VALUE : EXECUTION_FAILED);
}

int blas_fetch(const struct task *c, void *to, const void *from, size_t bytes)
{
    cudaError_t error = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, c->h->stream);
    return copied(c, error ? error : cudaStreamSynchronize(c->h->stream));
}

int blas_store(const struct task *c, void *to, const void *from, size_t bytes)
{
    return copied(c, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, c->h->stream));
}

int blas_reduce(const struct task *c, int kind, blas_int n, struct blas_vector x,
                struct blas_vector y, void *result, size_t bytes)
{
    const bool of_index = kind == BLAS_IAMAX || kind == BLAS_IAMIN;
    const bool on_device = blas_on_device(c);
    void *to = on_device ? result : c->h->result;
    int wide = of_index && bytes == 8;
    void *args[] = {&kind, &n, &x, &y, &to, &wide};
    if (!result)
        return blas_status(c->name, INVALID_VALUE);
    int status = blas_launch_on(c, K_reduce, (dim3){1, 1, 1}, (dim3){BLAS_THREADS, 1, 1}, args);
    return status || on_device ? status : blas_fetch(c, result, c->h->result, bytes);
}
