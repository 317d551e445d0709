/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuRAND's functions for the host. A generator of the device gives its results to device memory by
 * a copy in its stream, and normal numbers by a kernel. A generator of the host computes all in the
 * program, with the C library's logarithm and sine as NVIDIA's does.
 */
#include "run/libraries/library.h"
#include "run/libraries/rand/poisson.h"
#include "run/libraries/rand/rand.h"
#include "run/libraries/rand/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum rand_status_number { /* curandStatus_t */
    OK = 0, NOT_INITIALIZED = 101, ALLOCATION_FAILED = 102, TYPE_ERROR = 103, OUT_OF_RANGE = 104,
    LENGTH_NOT_MULTIPLE = 105, LAUNCH_FAILURE = 201
};
enum { RNG_DEFAULT = 100, RNG_XORWOW = 101, RNG_MRG = 121, RNG_MTGP32 = 141, RNG_MT19937 = 142,
       RNG_PHILOX = 161, RNG_QUASI = 200, RNG_LAST = 204 };
enum { ORDER_BEST = 100, ORDER_DEFAULT, ORDER_SEEDED, ORDER_LEGACY, ORDER_DYNAMIC };
enum { MAGIC = 0x72616e64, VERSION = 10400 };

struct curandGenerator_st {
    int magic; /* 0: it was destroyed. So the struct itself stays, and a late use is found */
    bool of_host;
    cudaStream_t stream;
    struct source source;
};
typedef struct curandGenerator_st *generator;

/* ---- the kernels --------------------------------------------------------------------------- */

__asm__(".section .rodata\n"
        "curand_bytes: .asciz \"cuRAND\"\n"
        ".incbin \"kernels/ptx/run-rand.ptx\"\n"
        "curand_bytes_end: .byte 0\n"
        ".previous\n");
extern const char curand_bytes[], curand_bytes_end[];

static const char *const names[] = {"curand_normal_f32", "curand_normal_f64"};

__attribute__((constructor)) static void start(void)
{
    void **module = cudalab_library(curand_bytes, (size_t)(curand_bytes_end - curand_bytes));
    for (size_t i = 0; i < sizeof names / sizeof names[0] && module; i++)
        __cudaRegisterFunction(module, (const char *)&names[i], NULL, names[i], -1, NULL, NULL,
                               NULL, NULL, NULL);
}

/* ---- generators ---------------------------------------------------------------------------- */

static int failed(const char *call, int status)
{
    if (status != OK)
        cudalab_failed(call, CURAND_STATUSES + status);
    return status;
}

static int lacking(const char *call, const char *what)
{
    cudalab_lacking(what);
    return failed(call, TYPE_ERROR);
}

static int check(const char *call, const struct curandGenerator_st *g)
{
    return g && g->magic == MAGIC ? OK : failed(call, NOT_INITIALIZED);
}

static int create(const char *call, generator *out, int type, bool of_host)
{
    static const struct { int type; enum source_kind kind; } served[] = {
        {RNG_DEFAULT, SOURCE_XORWOW}, {RNG_XORWOW, SOURCE_XORWOW}, {RNG_MRG, SOURCE_MRG},
        {RNG_PHILOX, SOURCE_PHILOX}};
    if (!out)
        return failed(call, OUT_OF_RANGE);
    for (size_t i = 0; i < sizeof served / sizeof served[0]; i++) {
        if (served[i].type != type)
            continue;
        generator g = calloc(1, sizeof *g);
        if (!g)
            return failed(call, ALLOCATION_FAILED);
        *g = (struct curandGenerator_st){.magic = MAGIC, .of_host = of_host,
                                         .source = {.kind = served[i].kind}};
        *out = g;
        return OK;
    }
    if (type == RNG_MTGP32)
        return lacking(call, "a generator CURAND_RNG_PSEUDO_MTGP32");
    if (type == RNG_MT19937)
        return lacking(call, "a generator CURAND_RNG_PSEUDO_MT19937");
    if (type >= RNG_QUASI && type <= RNG_LAST)
        return lacking(call, "a generator CURAND_RNG_QUASI_...");
    return failed(call, TYPE_ERROR);
}

API int curandCreateGenerator(generator *out, int type)
{
    return create(__func__, out, type, false);
}

API int curandCreateGeneratorHost(generator *out, int type)
{
    return create(__func__, out, type, true);
}

API int curandDestroyGenerator(generator g)
{
    if (check(__func__, g))
        return NOT_INITIALIZED;
    g->magic = 0;
    source_free(&g->source);
    return OK;
}

API int curandGetVersion(int *version)
{
    if (!version)
        return failed(__func__, OUT_OF_RANGE);
    *version = VERSION;
    return OK;
}

API int curandGetProperty(int what, int *value)
{
    if (!value || what < 0 || what > 2)
        return failed(__func__, OUT_OF_RANGE);
    *value = what == 0 ? VERSION / 1000 : what == 1 ? VERSION / 100 % 10 : VERSION % 100;
    return OK;
}

API int curandSetStream(generator g, cudaStream_t stream)
{
    if (check(__func__, g))
        return NOT_INITIALIZED;
    g->stream = stream;
    return OK;
}

API int curandSetPseudoRandomGeneratorSeed(generator g, unsigned long long seed)
{
    if (check(__func__, g))
        return NOT_INITIALIZED;
    g->source.seed = seed;
    source_restart(&g->source);
    return OK;
}

API int curandSetGeneratorOffset(generator g, unsigned long long offset)
{
    if (check(__func__, g))
        return NOT_INITIALIZED;
    source_restart(&g->source);
    g->source.offset = offset;
    g->source.lost = false;
    return OK;
}

/* Where NVIDIA's numbers depend on the device, or are not known, an order is not served. */
API int curandSetGeneratorOrdering(generator g, int order)
{
    if (check(__func__, g))
        return NOT_INITIALIZED;
    const enum source_kind kind = g->source.kind;
    if (order == ORDER_SEEDED && kind == SOURCE_XORWOW)
        return lacking(__func__, "CURAND_ORDERING_PSEUDO_SEEDED");
    if (order == ORDER_DYNAMIC && kind != SOURCE_PHILOX && !g->of_host)
        return lacking(__func__, "CURAND_ORDERING_PSEUDO_DYNAMIC");
    if (order < ORDER_BEST || order > ORDER_DYNAMIC || order == ORDER_SEEDED ||
        (order == ORDER_DYNAMIC && g->of_host))
        return failed(__func__, OUT_OF_RANGE);
    g->source.legacy = order == ORDER_LEGACY;
    source_restart(&g->source);
    return OK;
}

API int curandSetQuasiRandomGeneratorDimensions(generator g, unsigned dimensions)
{
    (void)dimensions;
    return check(__func__, g) ? NOT_INITIALIZED : failed(__func__, TYPE_ERROR);
}

API int curandGenerateSeeds(generator g)
{
    return check(__func__, g);
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
    if (g->of_host && a.type == cudaMemoryTypeDevice) {
        cudalab_mistake("library-pointer",
                        "the generator writes to host memory, and the pointer is to device memory");
        return failed(call, LAUNCH_FAILURE);
    }
    if (!g->of_host && a.type == cudaMemoryTypeUnregistered) {
        cudalab_mistake("library-pointer",
                        "the generator writes to device memory, and the pointer is to host memory");
        return failed(call, LAUNCH_FAILURE);
    }
    return OK;
}

static int check_results(const char *call, const struct curandGenerator_st *g, const void *out,
                         size_t n)
{
    if (check(call, g))
        return NOT_INITIALIZED;
    if (g->source.lost)
        return lacking(call, "a new seed or order without a new offset for Philox in use");
    return n ? check_memory(call, g, out) : OK;
}

static int give(const char *call, const struct curandGenerator_st *g, void *out,
                const void *results, size_t bytes)
{
    if (g->of_host) {
        memcpy(out, results, bytes);
        return OK;
    }
    if (cudaMemcpyAsync(out, results, bytes, cudaMemcpyHostToDevice, g->stream) == cudaSuccess)
        return OK;
    cudaGetLastError();
    return failed(call, LAUNCH_FAILURE);
}

enum what { WHOLE, UNIFORM, UNIFORM_DOUBLE };

/* MRG32k3a's words are below 2^32 by some hundreds, and are stretched. */
static void finish(enum source_kind kind, enum what what, uint32_t *words, double *doubles,
                   size_t n)
{
    const double mrg = 2.3283065498378288e-10;
    for (size_t i = 0; i < n; i++)
        if (what == UNIFORM_DOUBLE && kind == SOURCE_MRG)
            doubles[i] = words[i] * mrg;
        else if (what == UNIFORM_DOUBLE)
            doubles[i] = (double)(words[2 * i] ^ (uint64_t)words[2 * i + 1] << 21) * 0x1p-53 +
                         0x1p-54;
        else if (what == UNIFORM) {
            const float u = kind == SOURCE_MRG ? (float)(words[i] * mrg)
                                               : (float)words[i] * 0x1p-32f + 0x1p-33f;
            memcpy(&words[i], &u, sizeof u);
        } else if (kind == SOURCE_MRG)
            words[i] = (uint32_t)(words[i] * 1.000000048662);
}

static int generate(const char *call, generator g, void *out, size_t n, enum what what,
                    double mean /* of a Poisson distribution; 0: none */)
{
    int status = check_results(call, g, out, n);
    if (status || !n)
        return status;
    const bool wide = what == UNIFORM_DOUBLE;
    const enum source_use use = wide ? USE_DOUBLE : USE_WORD;
    uint32_t *words = malloc(n * source_words(&g->source, use) * sizeof *words);
    double *doubles = wide ? malloc(n * sizeof *doubles) : NULL;
    if (!words || (wide && !doubles) || !source_take(&g->source, use, n, words))
        status = failed(call, ALLOCATION_FAILED);
    if (!status)
        finish(g->source.kind, what, words, doubles, n);
    if (!status && mean > 0 && !poisson_of(mean, n, words))
        status = failed(call, ALLOCATION_FAILED);
    if (!status)
        status = give(call, g, out, wide ? (const void *)doubles : words,
                      n * (wide ? sizeof *doubles : sizeof *words));
    free(words);
    free(doubles);
    return status;
}

API int curandGenerate(generator g, unsigned *out, size_t n)
{
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
    (void)out, (void)n;
    return check(__func__, g) ? NOT_INITIALIZED : failed(__func__, TYPE_ERROR);
}

API int curandGeneratePoisson(generator g, unsigned *out, size_t n, double mean)
{
    if (check(__func__, g))
        return NOT_INITIALIZED;
    if (!(mean > 0))
        return failed(__func__, OUT_OF_RANGE);
    if (mean >= POISSON_MEAN_END)
        return lacking(__func__, "curandGeneratePoisson with a mean of 2000 or more");
    return generate(__func__, g, out, n, WHOLE, mean);
}

/* ---- normal numbers ------------------------------------------------------------------------ */

struct normal { double mean, deviation; bool wide, log; };

/* As NVIDIA's library computes on the host: without fused operations. */
static void pair_of_floats(const uint32_t w[2], bool of_mrg, float out[2])
{
    const double mrg = 2.3283065498378288e-10;
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
    const double mrg = 2.3283065498378288e-10, pi = 3.14159265358979323846;
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
    const bool of_mrg = g->source.kind == SOURCE_MRG;
    for (size_t i = 0; i < n; i++) {
        const size_t at = i + second;
        float f[2];
        double d[2];
        if (want->wide) {
            pair_of_doubles(words + at / 2 * each, of_mrg, d);
            const double v = want->mean + want->deviation * d[at % 2];
            ((double *)out)[i] = want->log ? exp(v) : v;
        } else {
            pair_of_floats(words + at / 2 * each, of_mrg, f);
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
        return failed(call, ALLOCATION_FAILED);
    }
    struct rand_normals p = {out, there, (long long)n, want->mean, want->deviation, second,
                             want->log, g->source.kind == SOURCE_MRG};
    void *args[] = {&p};
    const dim3 grid = {(unsigned)(blocks < BLOCKS_MOST ? blocks : BLOCKS_MOST), 1, 1};
    cudaError_t error = cudaMemcpyAsync(there, words, bytes, cudaMemcpyHostToDevice, g->stream);
    if (!error)
        error = cudaLaunchKernel(&names[want->wide], grid, (dim3){RAND_THREADS, 1, 1}, args, 0,
                                 g->stream);
    cudaError_t freed = cudaFree(there);
    if (!error && !freed)
        return OK;
    cudaGetLastError();
    return failed(call, LAUNCH_FAILURE);
}

static int normal(const char *call, generator g, void *out, size_t n, struct normal want)
{
    int status = check_results(call, g, out, n);
    if (status || !n)
        return status;
    if (n % 2 && g->source.kind != SOURCE_PHILOX)
        return failed(call, LENGTH_NOT_MULTIPLE);
    const enum source_use use = want.wide ? USE_PAIR_OF_DOUBLES : USE_PAIR;
    const unsigned each = source_words(&g->source, use);
    const bool second = source_is_second(&g->source);
    const size_t bytes = source_pairs(&g->source, n) * each * sizeof(uint32_t);
    uint32_t *words = malloc(bytes);
    if (!words || !source_take(&g->source, use, n, words))
        status = failed(call, ALLOCATION_FAILED);
    else if (g->of_host)
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

#define LACKING(name)                                                                          \
    API int name(void) { return lacking(#name, #name); }
#include "run/libraries/rand/lacking.def"
#undef LACKING
