/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What cuRAND's functions for the host generate. A generator of the device gives its results to
 * device memory by a copy in its stream, and normal numbers by a kernel. A generator of the host
 * computes all in the program, with the C library's logarithm and sine as NVIDIA's does.
 */
#include "run/libraries/rand/host.h"
#include "run/libraries/rand/inverse.h"
#include "run/libraries/rand/poisson.h"
#include "run/libraries/rand/rand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the kernels --------------------------------------------------------------------------- */

__asm__(".section .rodata\n"
        "curand_bytes: .asciz \"cuRAND\"\n"
        ".incbin \"kernels/ptx/run-rand.ptx\"\n"
        "curand_bytes_end: .byte 0\n"
        ".previous\n");
extern const char curand_bytes[], curand_bytes_end[];

static const char *const names[] = {"curand_normal_f32", "curand_normal_f64",
                                    "curand_inverse_f32", "curand_inverse_f64"};

__attribute__((constructor)) static void start(void)
{
    void **module = cudalab_library(curand_bytes, (size_t)(curand_bytes_end - curand_bytes));
    for (size_t i = 0; i < sizeof names / sizeof names[0] && module; i++)
        __cudaRegisterFunction(module, (const char *)&names[i], NULL, names[i], -1, NULL, NULL,
                               NULL, NULL, NULL);
}

/* ---- results ------------------------------------------------------------------------------- */

/* Is the memory of the kind that the generator writes to? */
static int check_memory(const char *call, const struct curandGenerator_st *g, const void *out)
{
    struct cudaPointerAttributes a;
    if (cudaPointerGetAttributes(&a, out) != cudaSuccess) {
        cudaGetLastError();
        return OK;
    }
    if (g->source.of_host && a.type == cudaMemoryTypeDevice) {
        cudalab_mistake("library-pointer",
                        "the generator writes to host memory, and the pointer is to device memory");
        return rand_failed(call, LAUNCH_FAILURE);
    }
    if (!g->source.of_host && a.type == cudaMemoryTypeUnregistered) {
        cudalab_mistake("library-pointer",
                        "the generator writes to device memory, and the pointer is to host memory");
        return rand_failed(call, LAUNCH_FAILURE);
    }
    return OK;
}

static int check_results(const char *call, const struct curandGenerator_st *g, const void *out,
                         size_t n)
{
    if (rand_check(call, g))
        return NOT_INITIALIZED;
    if (g->source.lost)
        return rand_lacking(call, "a new seed or order without a new offset for Philox in use");
    if (source_is_quasi(&g->source) && n % g->source.dimensions)
        return rand_failed(call, LENGTH_NOT_MULTIPLE);
    return n ? check_memory(call, g, out) : OK;
}

static int give(const char *call, const struct curandGenerator_st *g, void *out,
                const void *results, size_t bytes)
{
    if (g->source.of_host) {
        memcpy(out, results, bytes);
        return OK;
    }
    if (cudaMemcpyAsync(out, results, bytes, cudaMemcpyHostToDevice, g->stream) == cudaSuccess)
        return OK;
    cudaGetLastError();
    return rand_failed(call, LAUNCH_FAILURE);
}

enum what { WHOLE, UNIFORM, UNIFORM_DOUBLE };

/* What results of one call are made of. A result is one or more words. */
struct results { enum source_kind kind; size_t n; uint32_t *words; double *doubles; };

/* MRG32k3a's words are below 2^32 by some hundreds, and are stretched. */
static const double mrg = 2.3283065498378288e-10;

static void finish_doubles(const struct results *r)
{
    const uint32_t *w = r->words;
    for (size_t i = 0; i < r->n; i++)
        switch (r->kind) {
        case SOURCE_MRG: r->doubles[i] = w[i] * mrg; break;
        case SOURCE_MT19937: r->doubles[i] = w[i] * 0x1p-32 + 0x1p-33; break;
        case SOURCE_SOBOL32: r->doubles[i] = w[i] * 0x1p-32 + 0x1p-32; break;
        case SOURCE_SOBOL64:
            r->doubles[i] = (double)((w[2 * i] | (uint64_t)w[2 * i + 1] << 32) >> 11) * 0x1p-53 +
                            0x1p-54;
            break;
        default:
            r->doubles[i] = (double)(w[2 * i] ^ (uint64_t)w[2 * i + 1] << 21) * 0x1p-53 + 0x1p-54;
        }
}

static void finish_words(const struct results *r, enum what what)
{
    for (size_t i = 0; i < r->n; i++) {
        const uint32_t word = r->words[r->kind == SOURCE_SOBOL64 ? 2 * i + 1 : i];
        if (what == UNIFORM) {
            const float u = r->kind == SOURCE_MRG       ? (float)(word * mrg)
                            : r->kind == SOURCE_MT19937 ? (float)(word * 0x1p-32 + 0x1p-33)
                                                        : (float)word * 0x1p-32f + 0x1p-33f;
            memcpy(&r->words[i], &u, sizeof u);
        } else if (r->kind == SOURCE_MRG)
            r->words[i] = (uint32_t)(word * 1.000000048662);
    }
}

/* As measured: Sobol's sequence of 32 bits takes the table for small means. */
static bool poisson_is_inverse(enum source_kind kind, double mean)
{
    return kind == SOURCE_SOBOL64 || (kind == SOURCE_SOBOL32 && mean >= 10);
}

static int make_results(const char *call, generator g, struct results *r, enum what what,
                        double mean)
{
    const bool wide = what == UNIFORM_DOUBLE;
    const bool inverse = mean > 0 && poisson_is_inverse(r->kind, mean);
    const enum source_use use = wide ? USE_DOUBLE : USE_WORD;
    r->words = malloc(r->n * source_words(&g->source, use) * sizeof *r->words);
    r->doubles = wide || inverse ? malloc(r->n * sizeof *r->doubles) : NULL;
    if (!r->words || ((wide || inverse) && !r->doubles) ||
        !source_take(&g->source, use, r->n, r->words))
        return rand_failed(call, ALLOCATION_FAILED);
    if (wide || inverse)
        finish_doubles(r);
    else
        finish_words(r, what);
    if (mean > 0 && !(inverse ? poisson_inverse(mean, r->n, r->doubles, r->words)
                              : poisson_of(mean, r->n, r->words)))
        return rand_failed(call, ALLOCATION_FAILED);
    return OK;
}

static int generate(const char *call, generator g, void *out, size_t n, enum what what,
                    double mean /* of a Poisson distribution; 0: none */)
{
    int status = check_results(call, g, out, n);
    if (status || !n)
        return status;
    struct results r = {.kind = g->source.kind, .n = n};
    const bool wide = what == UNIFORM_DOUBLE;
    const size_t each = wide || (what == WHOLE && !mean && r.kind == SOURCE_SOBOL64) ? 8 : 4;
    status = make_results(call, g, &r, what, mean);
    if (!status)
        status = give(call, g, out, wide ? (const void *)r.doubles : r.words, n * each);
    free(r.words);
    free(r.doubles);
    return status;
}

API int curandGenerate(generator g, unsigned *out, size_t n)
{
    if (rand_check(__func__, g))
        return NOT_INITIALIZED;
    if (g->source.kind == SOURCE_SOBOL64)
        return rand_failed(__func__, TYPE_ERROR);
    return generate(__func__, g, out, n, WHOLE, 0);
}

API int curandGenerateUniform(generator g, float *out, size_t n)
{
    return generate(__func__, g, out, n, UNIFORM, 0);
}

API int curandGenerateUniformDouble(generator g, double *out, size_t n)
{
    return generate(__func__, g, out, n, UNIFORM_DOUBLE, 0);
}

API int curandGenerateLongLong(generator g, unsigned long long *out, size_t n)
{
    if (rand_check(__func__, g))
        return NOT_INITIALIZED;
    if (g->source.kind != SOURCE_SOBOL64)
        return rand_failed(__func__, TYPE_ERROR);
    return generate(__func__, g, out, n, WHOLE, 0);
}

API int curandGeneratePoisson(generator g, unsigned *out, size_t n, double mean)
{
    if (rand_check(__func__, g))
        return NOT_INITIALIZED;
    if (!(mean > 0))
        return rand_failed(__func__, OUT_OF_RANGE);
    if (mean >= POISSON_MEAN_END)
        return rand_lacking(__func__, "curandGeneratePoisson with a mean of 2000 or more");
    return generate(__func__, g, out, n, WHOLE, mean);
}

/* ---- normal numbers ------------------------------------------------------------------------ */

struct normal { double mean, deviation; bool wide, log; };

/* As NVIDIA's library computes on the host: without fused operations. */
static void pair_of_floats(const uint32_t w[2], bool of_mrg, float out[2])
{
    const float step = 2.3283064e-10f * 6.2831855f;
    const float u = of_mrg ? (float)(w[0] * mrg) : (float)w[0] * 0x1p-32f + 0x1p-33f;
    const float angle = of_mrg ? (float)(w[1] * mrg) * 6.2831855f
                               : (float)w[1] * step + step / 2.0f;
    const float size = sqrtf(-2.0f * logf(u));
    out[0] = sinf(angle) * size;
    out[1] = cosf(angle) * size;
}

static void pair_of_doubles(const uint32_t w[4], bool of_mrg, double out[2])
{
    const double pi = 3.14159265358979323846;
    const double u = of_mrg ? w[0] * mrg
                            : (double)(w[0] ^ (uint64_t)w[1] << 21) * 0x1p-53 + 0x1p-54;
    const double turns = of_mrg ? w[1] * mrg * 2
                                : (double)(w[2] ^ (uint64_t)w[3] << 21) * 0x1p-52 + 0x1p-53;
    const double size = sqrt(-2.0 * log(u));
    out[0] = sin(turns * pi) * size;
    out[1] = cos(turns * pi) * size;
}

static void compute(const struct curandGenerator_st *g, const struct normal *want,
                    const uint32_t *words, unsigned each, bool second, void *out, size_t n)
{
    const bool of_mrg = g->source.kind == SOURCE_MRG, pairs = source_has_pairs(&g->source);
    for (size_t i = 0; i < n; i++) {
        const size_t at = i + second;
        const uint32_t *w = words + (pairs ? at / 2 : i) * each;
        float f[2];
        double d[2];
        if (want->wide) {
            if (pairs)
                pair_of_doubles(w, of_mrg, d);
            else
                d[at % 2] = inverse_double(w, each == 2);
            const double v = want->mean + want->deviation * d[at % 2];
            ((double *)out)[i] = want->log ? exp(v) : v;
        } else {
            if (pairs)
                pair_of_floats(w, of_mrg, f);
            else
                f[at % 2] = inverse_float(w, each == 2);
            const float v = (float)want->mean + (float)want->deviation * f[at % 2];
            ((float *)out)[i] = want->log ? expf(v) : v;
        }
    }
}

/* The words go to the device, and a kernel makes the numbers of them. */
static int launch(const char *call, const struct curandGenerator_st *g,
                  const struct normal *want, const uint32_t *words, size_t bytes, bool second,
                  void *out, size_t n)
{
    enum { BLOCKS_MOST = 1 << 16 };
    void *there;
    const size_t blocks = (n + RAND_THREADS - 1) / RAND_THREADS;
    if (cudaMalloc(&there, bytes) != cudaSuccess) {
        cudaGetLastError();
        return rand_failed(call, ALLOCATION_FAILED);
    }
    struct rand_normals p = {out, there, (long long)n, want->mean, want->deviation, second,
                             want->log, g->source.kind == SOURCE_MRG,
                             g->source.kind == SOURCE_SOBOL64};
    const unsigned kernel = (source_has_pairs(&g->source) ? 0 : 2) + want->wide;
    void *args[] = {&p};
    const dim3 grid = {(unsigned)(blocks < BLOCKS_MOST ? blocks : BLOCKS_MOST), 1, 1};
    cudaError_t error = cudaMemcpyAsync(there, words, bytes, cudaMemcpyHostToDevice, g->stream);
    if (!error)
        error = cudaLaunchKernel(&names[kernel], grid, (dim3){RAND_THREADS, 1, 1}, args, 0,
                                 g->stream);
    cudaError_t freed = cudaFree(there);
    if (!error && !freed)
        return OK;
    cudaGetLastError();
    return rand_failed(call, LAUNCH_FAILURE);
}

static int normal(const char *call, generator g, void *out, size_t n, struct normal want)
{
    int status = check_results(call, g, out, n);
    if (status || !n)
        return status;
    if (n % 2 && g->source.kind != SOURCE_PHILOX && source_has_pairs(&g->source))
        return rand_failed(call, LENGTH_NOT_MULTIPLE);
    const enum source_use use = want.wide ? USE_PAIR_OF_DOUBLES : USE_PAIR;
    const unsigned each = source_words(&g->source, use);
    const bool second = source_is_second(&g->source);
    const size_t bytes = source_pairs(&g->source, n) * each * sizeof(uint32_t);
    uint32_t *words = malloc(bytes);
    if (!words || !source_take(&g->source, use, n, words))
        status = rand_failed(call, ALLOCATION_FAILED);
    else if (g->source.of_host)
        compute(g, &want, words, each, second, out, n);
    else
        status = launch(call, g, &want, words, bytes, second, out, n);
    free(words);
    return status;
}

API int curandGenerateNormal(generator g, float *out, size_t n, float mean, float deviation)
{
    return normal(__func__, g, out, n, (struct normal){mean, deviation, false, false});
}

API int curandGenerateNormalDouble(generator g, double *out, size_t n, double mean,
                                   double deviation)
{
    return normal(__func__, g, out, n, (struct normal){mean, deviation, true, false});
}

API int curandGenerateLogNormal(generator g, float *out, size_t n, float mean, float deviation)
{
    return normal(__func__, g, out, n, (struct normal){mean, deviation, false, true});
}

API int curandGenerateLogNormalDouble(generator g, double *out, size_t n, double mean,
                                      double deviation)
{
    return normal(__func__, g, out, n, (struct normal){mean, deviation, true, true});
}

