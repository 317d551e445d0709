/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/libraries/rand/sobol.h"

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
void sobol_points(const uint64_t v[64], uint64_t constant, bool wide, uint64_t first, size_t n,
                  uint32_t *words)
{
    const uint64_t last = wide ? UINT64_MAX : UINT32_MAX;
    uint64_t number = first & last, x = constant;
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
        x = number ? x ^ v[zeros_below(number)] : constant;
    }
}
