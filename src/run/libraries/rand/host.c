/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuRAND's functions for the host that make and set generators, and those that give direction
 * vectors and constants of Sobol sequences.
 */
#include "run/libraries/rand/host.h"
#include "run/libraries/rand/sobol.h"
#include "run/libraries/rand/tables.h"

#include <stdlib.h>

enum { RNG_DEFAULT = 100, RNG_XORWOW = 101, RNG_MRG = 121, RNG_MTGP32 = 141, RNG_MT19937 = 142,
       RNG_PHILOX = 161, RNG_QUASI = 200, RNG_SOBOL32 = 201, RNG_SCRAMBLED_SOBOL32 = 202,
       RNG_SOBOL64 = 203, RNG_SCRAMBLED_SOBOL64 = 204 };
enum { ORDER_QUASI = 201 };
enum { VECTORS_32 = 101, SCRAMBLED_VECTORS_32, VECTORS_64, SCRAMBLED_VECTORS_64 };
enum { MAGIC = 0x72616e64, VERSION = 10400 };

/* ---- generators ---------------------------------------------------------------------------- */

int rand_failed(const char *call, int status)
{
    if (status != OK)
        cudalab_failed(call, CURAND_STATUSES + status);
    return status;
}

int rand_lacking(const char *call, const char *what)
{
    cudalab_lacking(what);
    return rand_failed(call, TYPE_ERROR);
}

int rand_check(const char *call, const struct curandGenerator_st *g)
{
    return g && g->magic == MAGIC ? OK : rand_failed(call, NOT_INITIALIZED);
}

static int create(const char *call, generator *out, int type, bool of_host)
{
    static const struct { int type; enum source_kind kind; bool scrambled; } served[] = {
        {RNG_DEFAULT, SOURCE_XORWOW, false}, {RNG_XORWOW, SOURCE_XORWOW, false},
        {RNG_MRG, SOURCE_MRG, false}, {RNG_MT19937, SOURCE_MT19937, false},
        {RNG_PHILOX, SOURCE_PHILOX, false}, {RNG_QUASI, SOURCE_SOBOL32, false},
        {RNG_SOBOL32, SOURCE_SOBOL32, false}, {RNG_SCRAMBLED_SOBOL32, SOURCE_SOBOL32, true},
        {RNG_SOBOL64, SOURCE_SOBOL64, false}, {RNG_SCRAMBLED_SOBOL64, SOURCE_SOBOL64, true}};
    if (!out)
        return rand_failed(call, OUT_OF_RANGE);
    for (size_t i = 0; i < sizeof served / sizeof served[0]; i++) {
        if (served[i].type != type)
            continue;
        generator g = calloc(1, sizeof *g);
        if (!g)
            return rand_failed(call, ALLOCATION_FAILED);
        *g = (struct curandGenerator_st){.magic = MAGIC,
                                         .source = {.kind = served[i].kind, .of_host = of_host,
                                                    .scrambled = served[i].scrambled,
                                                    .dimensions = 1, .order = ORDER_DEFAULT}};
        *out = g;
        return OK;
    }
    if (type == RNG_MTGP32)
        return rand_lacking(call, "a generator CURAND_RNG_PSEUDO_MTGP32");
    return rand_failed(call, TYPE_ERROR);
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
    if (rand_check(__func__, g))
        return NOT_INITIALIZED;
    g->magic = 0;
    source_free(&g->source);
    return OK;
}

API int curandGetVersion(int *version)
{
    if (!version)
        return rand_failed(__func__, OUT_OF_RANGE);
    *version = VERSION;
    return OK;
}

API int curandGetProperty(int what, int *value)
{
    if (!value || what < 0 || what > 2)
        return rand_failed(__func__, OUT_OF_RANGE);
    *value = what == 0 ? VERSION / 1000 : what == 1 ? VERSION / 100 % 10 : VERSION % 100;
    return OK;
}

API int curandSetStream(generator g, cudaStream_t stream)
{
    if (rand_check(__func__, g))
        return NOT_INITIALIZED;
    g->stream = stream;
    return OK;
}

API int curandSetPseudoRandomGeneratorSeed(generator g, unsigned long long seed)
{
    if (rand_check(__func__, g))
        return NOT_INITIALIZED;
    if (source_is_quasi(&g->source))
        return rand_failed(__func__, TYPE_ERROR);
    const bool is_other = g->source.seed != seed;
    g->source.seed = seed;
    source_restart(&g->source, is_other);
    return OK;
}

API int curandSetGeneratorOffset(generator g, unsigned long long offset)
{
    if (rand_check(__func__, g))
        return NOT_INITIALIZED;
    if (g->source.kind == SOURCE_MT19937)
        return rand_failed(__func__, TYPE_ERROR);
    source_restart(&g->source, true);
    g->source.offset = offset;
    g->source.lost = false;
    return OK;
}

/* Where NVIDIA's numbers depend on the device, or are not known, an order is not served. */
API int curandSetGeneratorOrdering(generator g, int order)
{
    if (rand_check(__func__, g))
        return NOT_INITIALIZED;
    const enum source_kind kind = g->source.kind;
    if (source_is_quasi(&g->source))
        return order == ORDER_QUASI ? OK : rand_failed(__func__, OUT_OF_RANGE);
    if (order == ORDER_SEEDED && kind == SOURCE_XORWOW)
        return rand_lacking(__func__, "CURAND_ORDERING_PSEUDO_SEEDED");
    const bool of_host = g->source.of_host, is_twister = kind == SOURCE_MT19937;
    if (order == ORDER_DYNAMIC && kind != SOURCE_PHILOX && !is_twister && !of_host)
        return rand_lacking(__func__, "CURAND_ORDERING_PSEUDO_DYNAMIC");
    if (order < ORDER_BEST || order > ORDER_DYNAMIC || order == ORDER_SEEDED ||
        (order == ORDER_DYNAMIC && (of_host || is_twister)) ||
        (order == ORDER_BEST && of_host && is_twister))
        return rand_failed(__func__, OUT_OF_RANGE);
    const bool is_other = g->source.order != order;
    g->source.order = order;
    source_restart(&g->source, is_other);
    return OK;
}

API int curandSetQuasiRandomGeneratorDimensions(generator g, unsigned dimensions)
{
    if (rand_check(__func__, g))
        return NOT_INITIALIZED;
    if (!source_is_quasi(&g->source))
        return rand_failed(__func__, TYPE_ERROR);
    if (dimensions < 1 || dimensions > SOBOL_DIMENSIONS_OF_NVIDIA)
        return rand_failed(__func__, OUT_OF_RANGE);
    if (dimensions > SOBOL_DIMENSIONS)
        return rand_lacking(__func__, "more than 1024 dimensions of a quasi-random generator");
    g->source.dimensions = dimensions;
    return OK;
}

/* This is the time to make a generator's state. MT19937 begins anew. */
API int curandGenerateSeeds(generator g)
{
    if (rand_check(__func__, g))
        return NOT_INITIALIZED;
    if (g->source.kind == SOURCE_MT19937)
        source_restart(&g->source, true);
    return OK;
}

/* ---- direction vectors and constants ------------------------------------------------------- */

static int give_table(const char *call, void **out, void *table)
{
    if (!table)
        return rand_failed(call, ALLOCATION_FAILED);
    *out = table;
    return OK;
}

static int give_vectors(const char *call, void **out, bool wide, int set)
{
    const bool scrambled = set == (wide ? SCRAMBLED_VECTORS_64 : SCRAMBLED_VECTORS_32);
    if (!out || (!scrambled && set != (wide ? VECTORS_64 : VECTORS_32)))
        return rand_failed(call, OUT_OF_RANGE);
    return give_table(call, out, tables_vectors(wide, scrambled));
}

API int curandGetDirectionVectors32(void **out, int set)
{
    return give_vectors(__func__, out, false, set);
}

API int curandGetDirectionVectors64(void **out, int set)
{
    return give_vectors(__func__, out, true, set);
}

static int give_constants(const char *call, void **out, bool wide)
{
    return out ? give_table(call, out, tables_constants(wide)) : rand_failed(call, OUT_OF_RANGE);
}

API int curandGetScrambleConstants32(void **out)
{
    return give_constants(__func__, out, false);
}

API int curandGetScrambleConstants64(void **out)
{
    return give_constants(__func__, out, true);
}

#define LACKING(name)                                                                          \
    API int name(void) { return rand_lacking(#name, #name); }
#include "run/libraries/rand/lacking.def"
#undef LACKING
