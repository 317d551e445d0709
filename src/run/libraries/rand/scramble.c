/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/libraries/rand/scramble.h"
#include "run/libraries/rand/source.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Two words of XORWOW are a number of 64 bits, the low one first. The first number begins at the
 * second word. */
static bool draw(uint64_t first, size_t n, uint64_t *numbers)
{
    struct source s = {.kind = SOURCE_XORWOW, .order = ORDER_DEFAULT, .offset = 1 + 2 * first};
    uint32_t *words = malloc(2 * n * sizeof *words);
    const bool drawn = words && source_take(&s, USE_WORD, 2 * n, words);
    for (size_t i = 0; i < n && drawn; i++)
        numbers[i] = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
    source_free(&s);
    free(words);
    return drawn;
}

static unsigned is_odd(uint64_t bits) /* is the number of ones odd? */
{
    for (unsigned half = 32; half > 0; half /= 2)
        bits ^= bits >> half;
    return bits & 1;
}

/* A row of the matrix has its first column in the highest bit. The diagonal is 1, and all behind it
 * is 0. */
static void multiply(const uint64_t random[64], uint64_t v[64])
{
    for (unsigned i = 0; i < 64; i++) {
        uint64_t product = 0;
        for (unsigned r = 0; r < 64; r++) {
            const uint64_t row = (random[r] >> (63 - r) | 1) << (63 - r);
            product = product << 1 | is_odd(row & v[i]);
        }
        v[i] = product;
    }
}

/* First come the matrices of all dimensions, 64 numbers each, then the constants. */
static struct scramble *make(void)
{
    struct scramble *s = malloc(sizeof *s);
    if (!s || !draw(0, SOBOL_DIMENSIONS * 64, s->vectors[0]) ||
        !draw(SOBOL_DIMENSIONS_OF_NVIDIA * 64, SOBOL_DIMENSIONS_OF_NVIDIA, s->constants)) {
        free(s);
        return NULL;
    }
    for (unsigned d = 0; d < SOBOL_DIMENSIONS; d++) {
        uint64_t v[64];
        sobol_vectors(d, v);
        multiply(s->vectors[d], v);
        memcpy(s->vectors[d], v, sizeof v);
    }
    return s;
}

const struct scramble *scramble(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct scramble *made;
    pthread_mutex_lock(&lock);
    if (!made)
        made = make();
    pthread_mutex_unlock(&lock);
    return made;
}
