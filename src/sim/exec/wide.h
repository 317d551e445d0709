/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unsigned integers of 128 bits. Compilers for machines of 32 bits have none: there they are made
 * of two halves.
 */
#ifndef SIM_EXEC_WIDE_H
#define SIM_EXEC_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __SIZEOF_INT128__

typedef unsigned __int128 wide;

static inline wide wide_of(uint64_t high, uint64_t low) { return (wide)high << 64 | low; }
static inline uint64_t wide_high(wide v) { return (uint64_t)(v >> 64); }
static inline uint64_t wide_low(wide v) { return (uint64_t)v; }
static inline wide wide_add(wide a, wide b) { return a + b; }
static inline wide wide_subtract(wide a, wide b) { return a - b; }
static inline wide wide_left(wide v, unsigned by) { return v << by; } /* by 0 to 127 */
static inline wide wide_right(wide v, unsigned by) { return v >> by; }
static inline wide wide_product(uint64_t a, uint64_t b) { return (wide)a * b; }
static inline int wide_order(wide a, wide b) { return a < b ? -1 : a > b; }

/* Returns what v / by leaves. The quotient must have 64 bits: v's high half is below `by`. */
static inline uint64_t wide_divide(wide v, uint64_t by, uint64_t *quotient)
{
    *quotient = (uint64_t)(v / by);
    return (uint64_t)(v % by);
}

#else

typedef struct { uint64_t high, low; } wide;

static inline wide wide_of(uint64_t high, uint64_t low) { return (wide){high, low}; }
static inline uint64_t wide_high(wide v) { return v.high; }
static inline uint64_t wide_low(wide v) { return v.low; }

static inline wide wide_add(wide a, wide b)
{
    const uint64_t low = a.low + b.low;
    return (wide){a.high + b.high + (low < a.low), low};
}

static inline wide wide_subtract(wide a, wide b)
{
    return (wide){a.high - b.high - (a.low < b.low), a.low - b.low};
}

static inline wide wide_left(wide v, unsigned by)
{
    if (by >= 64)
        return (wide){v.low << (by - 64), 0};
    return by ? (wide){v.high << by | v.low >> (64 - by), v.low << by} : v;
}

static inline wide wide_right(wide v, unsigned by)
{
    if (by >= 64)
        return (wide){0, v.high >> (by - 64)};
    return by ? (wide){v.high >> by, v.high << (64 - by) | v.low >> by} : v;
}

static inline wide wide_product(uint64_t a, uint64_t b)
{
    const uint64_t half = UINT32_MAX, low = (a & half) * (b & half);
    const uint64_t middle = (a >> 32) * (b & half) + (low >> 32);
    const uint64_t other = (a & half) * (b >> 32) + (middle & half);
    return (wide){(a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32),
                  other << 32 | (low & half)};
}

static inline int wide_order(wide a, wide b)
{
    if (a.high != b.high)
        return a.high < b.high ? -1 : 1;
    return a.low < b.low ? -1 : a.low > b.low;
}

static inline uint64_t wide_divide(wide v, uint64_t by, uint64_t *quotient)
{
    uint64_t rest = v.high, out = 0;
    for (int bit = 63; bit >= 0; bit--) {
        const bool carry = rest >> 63;
        rest = rest << 1 | (v.low >> bit & 1);
        const bool fits = carry || rest >= by;
        rest -= fits ? by : 0;
        out = out << 1 | fits;
    }
    *quotient = out;
    return rest;
}

#endif

static inline bool wide_is_zero(wide v) { return !(wide_high(v) | wide_low(v)); }
/* With its lowest bit set where `mark` is. */
static inline wide wide_mark(wide v, bool mark) { return wide_of(wide_high(v), wide_low(v) | mark); }

#endif
