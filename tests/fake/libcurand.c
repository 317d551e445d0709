/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A libcurand for machines without a GPU: the functions of src/dev/gpu/rand.def over the memory of
 * tests/fake/libcuda.c. Its numbers are those of Philox, whatever type is asked for, and not in the
 * order of the real one. So no test relies on that order.
 *
 * FAKE_CURAND says how it misbehaves: unready (there is no generator), deaf (a stream is refused),
 * seedless (a seed is refused), fails (a status that no table has), refuses, hangs, dies or is wrong
 * (all points are the same) when it is to generate.
 */
#include "base/philox.h"
#include "dev/gpu/driver.h"
#include "dev/gpu/rand.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DRIVER(name, parameters) int name parameters;
#include "dev/gpu/driver.def"
#undef DRIVER
#define RAND(name, parameters) int name parameters;
#include "dev/gpu/rand.def"
#undef RAND

static struct fake { int type; void *stream; unsigned long long seed, offset; } fake;

static int is(const char *how)
{
    const char *set = getenv("FAKE_CURAND");
    return set && strcmp(set, how) == 0;
}

int curandCreateGenerator(void **generator, int type)
{
    *generator = &fake;
    fake = (struct fake){.type = type};
    if (is("unready"))
        return RAND_INITIALIZATION_FAILED;
    return type == RANDOM_XORWOW || type == RANDOM_MRG || type == RANDOM_PHILOX ? RAND_OK
                                                                                : RAND_TYPE_ERROR;
}

int curandDestroyGenerator(void *generator)
{
    return generator == &fake ? RAND_OK : RAND_NOT_INITIALIZED;
}

int curandSetStream(void *generator, void *stream)
{
    fake.stream = stream;
    return generator != &fake ? RAND_NOT_INITIALIZED : is("deaf") ? RAND_INTERNAL_ERROR : RAND_OK;
}

int curandSetPseudoRandomGeneratorSeed(void *generator, unsigned long long seed)
{
    fake.seed = seed + (unsigned)fake.type;
    return generator != &fake ? RAND_NOT_INITIALIZED : is("seedless") ? RAND_TYPE_ERROR : RAND_OK;
}

int curandSetGeneratorOffset(void *generator, unsigned long long offset)
{
    fake.offset = offset;
    return generator == &fake ? RAND_OK : RAND_NOT_INITIALIZED;
}

static int generate(float *numbers, size_t n)
{
    const uint32_t key[2] = {(uint32_t)fake.seed, (uint32_t)(fake.seed >> 32)};
    float *made = malloc(n * sizeof *made);
    uint32_t four[4] = {0};
    for (size_t i = 0; made && i < n; i++) {
        unsigned long long at = is("wrong") ? 0 : fake.offset++;
        const uint32_t counter[4] = {(uint32_t)(at / 4), (uint32_t)(at / 4 >> 32), 0, 0};
        philox(key, counter, four);
        made[i] = (float)four[at % 4] * 0x1p-32f + 0x1p-33f;
    }
    int status = made ? cuMemcpyHtoD_v2((uint64_t)(uintptr_t)numbers, made, n * sizeof *made)
                      : DRIVER_INVALID_VALUE;
    free(made);
    return status == DRIVER_OK ? RAND_OK : RAND_LAUNCH_FAILURE;
}

int curandGenerateUniform(void *generator, float *numbers, size_t n)
{
    if (is("dies"))
        raise(SIGKILL);
    while (is("hangs"))
        pause();
    if (is("refuses"))
        return RAND_LENGTH_NOT_MULTIPLE;
    if (is("fails"))
        return 42;
    if (generator != &fake || !fake.stream)
        return RAND_NOT_INITIALIZED;
    return generate(numbers, n);
}
