/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Floating-point arithmetic by integers: every format, every rounding. A number is taken apart
 * into sign, exponent and a 127-bit mantissa; an operation keeps all that matters of the exact
 * result, its last bit being "something is left below"; packing rounds once. It is what the
 * host's arithmetic can't do: the directed roundings without changing the host's mode, half
 * precision, and all of it the same on any machine. Slow, a lane at a time: what is common
 * and rounds to nearest has a line in ops.def instead.
 */
#ifndef SIM_SOFT_H
#define SIM_SOFT_H

#include "sim/exec/wide.h"

enum soft_kind { SOFT_ZERO, SOFT_FINITE, SOFT_INFINITE, SOFT_NAN };

/* mantissa * 2^exponent; of a finite number bit SOFT_TOP of the mantissa is its highest one. */
enum { SOFT_TOP = 126 };
struct soft {
    enum soft_kind kind;
    bool negative;
    int exponent;
    wide mantissa; /* of a NaN: its payload, as the fraction of a double */
};

/* What numbers look like: integers have no exponent bits. */
struct soft_format {
    uint8_t bits;          /* of the whole */
    uint8_t exponent_bits; /* 0: an integer */
    uint8_t fraction_bits;
    bool is_signed;
    uint64_t nan; /* what arithmetic gives for it; 0: the payload passes */
    bool finite;  /* there is no infinity, and only a number with all bits set is NaN */
};

enum soft_rounding { SOFT_NEAREST, SOFT_ZEROWARD, SOFT_DOWN, SOFT_UP, SOFT_NEAREST_AWAY };

struct soft soft_unpack(const struct soft_format *, uint64_t bits);
uint64_t soft_pack(const struct soft_format *, struct soft, enum soft_rounding);
uint64_t soft_limit(const struct soft_format *, bool negative); /* the largest finite number */
struct soft soft_flush(const struct soft_format *, struct soft, enum soft_rounding);
bool soft_is_subnormal(const struct soft_format *, uint64_t bits);

struct soft soft_add(struct soft, struct soft, enum soft_rounding);
struct soft soft_multiply(struct soft, struct soft);
struct soft soft_divide(struct soft, struct soft);
struct soft soft_root(struct soft);
struct soft soft_integral(struct soft, enum soft_rounding);
int soft_compare(struct soft, struct soft); /* -1, 0, 1: neither is a NaN */

#endif
