/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/libraries/rand/tables.h"
#include "run/libraries/rand/scramble.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

/* The 32 bits of a narrow number are the high half of a wide one. */
static void put(void *table, bool wide, size_t i, uint64_t number)
{
    if (wide)
        ((uint64_t *)table)[i] = number;
    else
        ((uint32_t *)table)[i] = (uint32_t)(number >> 32);
}

static void *make_vectors(bool wide, bool scrambled)
{
    const unsigned vectors = wide ? 64 : 32;
    const size_t each = vectors * (wide ? sizeof(uint64_t) : sizeof(uint32_t));
    const size_t whole = SOBOL_DIMENSIONS_OF_NVIDIA * each, ours = SOBOL_DIMENSIONS * each;
    const struct scramble *s = scrambled ? scramble() : NULL;
    if (scrambled && !s)
        return NULL;
    void *at = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    if (mprotect(at, ours, PROT_READ | PROT_WRITE)) {
        munmap(at, whole);
        return NULL;
    }
    for (unsigned d = 0; d < SOBOL_DIMENSIONS; d++) {
        uint64_t v[64];
        sobol_vectors(d, v);
        for (unsigned i = 0; i < vectors; i++)
            put(at, wide, d * vectors + i, s ? s->vectors[d][i] : v[i]);
    }
    return at;
}

static void *make_constants(bool wide)
{
    const struct scramble *s = scramble();
    if (!s)
        return NULL;
    void *at = calloc(SOBOL_DIMENSIONS_OF_NVIDIA, wide ? sizeof(uint64_t) : sizeof(uint32_t));
    for (size_t d = 0; d < SOBOL_DIMENSIONS_OF_NVIDIA && at; d++)
        put(at, wide, d, s->constants[d]);
    return at;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *tables_vectors(bool wide, bool scrambled)
{
    static void *made[2][2];
    void **table = &made[wide][scrambled];
    pthread_mutex_lock(&lock);
    if (!*table)
        *table = make_vectors(wide, scrambled);
    pthread_mutex_unlock(&lock);
    return *table;
}

void *tables_constants(bool wide)
{
    static void *made[2];
    pthread_mutex_lock(&lock);
    if (!made[wide])
        made[wide] = make_constants(wide);
    pthread_mutex_unlock(&lock);
    return made[wide];
}
