/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/libraries/rand/sobol.h"

#include <pthread.h>
#include <sys/mman.h>

static const uint16_t published[] = {
#include "run/libraries/rand/joe-kuo.def"
};

/* The recurrence of the polynomial goes on from the initial numbers. */
void sobol_vectors(unsigned dimension, uint64_t v[64])
{
    const uint16_t *row = published;
    if (dimension == 0) {
        for (unsigned i = 0; i < 64; i++)
            v[i] = UINT64_C(1) << (63 - i);
        return;
    }
    for (unsigned d = 1; d < dimension; d++)
        row += 2 + row[0];
    const unsigned degree = row[0], inner = row[1];
    for (unsigned i = 0; i < degree; i++)
        v[i] = (uint64_t)row[2 + i] << (63 - i);
    for (unsigned i = degree; i < 64; i++) {
        v[i] = v[i - degree] ^ v[i - degree] >> degree;
        for (unsigned k = 1; k < degree; k++)
            if (inner >> (degree - 1 - k) & 1)
                v[i] ^= v[i - k];
    }
}

static unsigned zeros_below(uint64_t x) /* x is not 0 */
{
    unsigned n = 0;
    for (; !(x & 1); x >>= 1)
        n++;
    return n;
}

/* The Gray codes of two numbers that follow one another differ in one bit. After the last number
 * comes the first one. */
void sobol_points(unsigned dimension, bool wide, uint64_t first, size_t n, uint32_t *words)
{
    const uint64_t last = wide ? UINT64_MAX : UINT32_MAX;
    uint64_t v[64], number = first & last, x = 0;
    sobol_vectors(dimension, v);
    for (unsigned i = 0; i < 64; i++)
        if ((number ^ number >> 1) >> i & 1)
            x ^= v[i];
    for (size_t i = 0; i < n; i++) {
        if (wide) {
            words[2 * i] = (uint32_t)x;
            words[2 * i + 1] = (uint32_t)(x >> 32);
        } else
            words[i] = (uint32_t)(x >> 32);
        number = (number + 1) & last;
        x = number ? x ^ v[zeros_below(number)] : 0;
    }
}

/* ---- tables for programs ------------------------------------------------------------------- */

static struct { void *narrow, *wide; } tables;

static void *make_table(bool wide)
{
    const size_t each = wide ? 64 * sizeof(uint64_t) : 32 * sizeof(uint32_t);
    const size_t whole = SOBOL_DIMENSIONS_OF_NVIDIA * each, ours = SOBOL_DIMENSIONS * each;
    uint64_t v[64];
    void *at = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    if (mprotect(at, ours, PROT_READ | PROT_WRITE)) {
        munmap(at, whole);
        return NULL;
    }
    for (unsigned d = 0; d < SOBOL_DIMENSIONS; d++) {
        sobol_vectors(d, v);
        for (unsigned i = 0; i < (wide ? 64 : 32); i++)
            if (wide)
                ((uint64_t *)at)[d * 64 + i] = v[i];
            else
                ((uint32_t *)at)[d * 32 + i] = (uint32_t)(v[i] >> 32);
    }
    return at;
}

static void make_narrow(void) { tables.narrow = make_table(false); }
static void make_wide(void) { tables.wide = make_table(true); }

void *sobol_table(bool wide)
{
    static pthread_once_t narrow_once = PTHREAD_ONCE_INIT, wide_once = PTHREAD_ONCE_INIT;
    if (wide)
        pthread_once(&wide_once, make_wide);
    else
        pthread_once(&narrow_once, make_narrow);
    return wide ? tables.wide : tables.narrow;
}
