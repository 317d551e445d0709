/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A row of floats is added to a sum, with the bits that come of adding them one after the other.
 * That takes long: each addition waits for the one before. But as long as a sum stays between two
 * powers of 2, it is a whole number of units, its last place. Then a value counts as the nearest
 * whole number of units, whatever the sum is, unless it lies half way between two. So the values
 * are rounded side by side, and added as whole numbers. Whatever is not as simple as that is left
 * to the caller. Not a header of its own: it is compiled with exec.c, as often as that is.
 */
#ifndef SIM_EXEC_SUMS_H
#define SIM_EXEC_SUMS_H

#include "sim/exec/float-bits.h"

enum { MANTISSA = 23, BIAS = 127, LOWEST_POWER = BIAS - 100 };
#define UNITS       (UINT32_C(1) << MANTISSA)  /* of a sum, at its smallest */
#define ROUNDS_MOST (float)(UNITS / 2)         /* so many are rounded in this way: */
#define ROUNDS      (float)(UNITS + UNITS / 2) /* a float of this size is a whole number */

/* Units of all values together, and of their sizes. False: one is too large, no number, or half way
 * between two. */
static inline bool count_units(const float value[LANES], float scale, int32_t *units,
                               uint32_t *sizes)
{
    uint32_t sum = 0, size = 0, odd = 0;
    for (int i = 0; i < LANES; i++) {
        const float exact = value[i] * scale, shifted = exact + ROUNDS;
        const float left = exact - (shifted - ROUNDS);
        const uint32_t whole = bits_of_float(shifted) - bits_of_float(ROUNDS);
        const uint32_t sign = 0 - (whole >> 31);
        sum += whole;
        size += (whole ^ sign) - sign;
        odd |= !(__builtin_fabsf(exact) < ROUNDS_MOST);
        odd |= __builtin_fabsf(left) == 0.5f;
    }
    *units = (int32_t)sum;
    *sizes = size;
    return !odd;
}

/* See struct exec_set. Sums so small that they might be flushed are left to the caller too. */
static bool count_floats(struct float_units *u, const float value[LANES])
{
    const uint32_t power = bits_of_float(u->like) >> MANTISSA & 0xff;
    int32_t units;
    uint32_t sizes;
    if (power < LOWEST_POWER || power == 0xff ||
        !count_units(value, float_of_bits((2 * BIAS + MANTISSA - power) << MANTISSA), &units,
                     &sizes))
        return false;
    u->up += (uint64_t)((int64_t)sizes + units) / 2;
    u->down += (uint64_t)((int64_t)sizes - units) / 2;
    return true;
}

static bool add_units(float *sum, const struct float_units *u)
{
    const uint32_t bits = bits_of_float(*sum);
    const bool negative = bits >> 31;
    const uint64_t more = negative ? u->down : u->up, less = negative ? u->up : u->down;
    const uint64_t now = UNITS | (bits & (UNITS - 1));
    if (bits >> MANTISSA << 1 != bits_of_float(u->like) >> MANTISSA << 1 || more > UNITS ||
        less > UNITS || now - less <= UNITS || now + more >= 2 * (uint64_t)UNITS)
        return false;
    *sum = float_of_bits((bits & ~(UNITS - 1)) | ((uint32_t)(now + more - less) & (UNITS - 1)));
    return true;
}

#endif
