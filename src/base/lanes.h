/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of lanes: the lanes of a warp are the bits of a 32-bit mask.
 */
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include <stdbool.h>
#include <stdint.h>

/* The lowest lane of a mask that is not 0. */
static inline unsigned lane_first(uint32_t mask)
{
    return (unsigned)__builtin_ctz(mask);
}
/* How many lanes are in the mask. Where the processor may have no instruction for it, sums of
 * neighbouring bits are quicker than the compiler's function with a table. */
static inline unsigned lanes_in(uint32_t mask)
{
#ifdef __POPCNT__
    return (unsigned)__builtin_popcount(mask);
#else
    mask -= mask >> 1 & 0x55555555;
    mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333);
    return ((mask + (mask >> 4)) & 0x0f0f0f0f) * 0x01010101u >> 24;
#endif
}

/* A loop over the bits of a mask, or over its lanes: i is the number of each. */
#define EACH_BIT(i, mask)                                                                    \
    for (uint32_t left_##i = (mask), i; left_##i && (i = lane_first(left_##i), true);        \
         left_##i &= left_##i - 1)
#define EACH_LANE EACH_BIT

#endif
