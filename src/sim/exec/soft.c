/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Floating-point arithmetic by integers; soft.h has the idea. Here: taking apart and putting
 * together with one rounding, and the operations between. An exact result may need more bits
 * than a mantissa has; then its lowest bit says that something is left below ("sticky"), which
 * is enough to round right, since every format is far narrower.
 */
#include "sim/exec/soft.h"

static struct soft not_a_number(void) /* of an operation that has no result */
{
    return (struct soft){.kind = SOFT_NAN, .negative = true};
}

static unsigned leading_zeros(wide v)
{
    uint64_t high = wide_high(v), low = wide_low(v);
    return high ? (unsigned)__builtin_clzll(high) : low ? 64 + (unsigned)__builtin_clzll(low) : 128;
}

/* v >> by, and what falls out leaves its mark in the lowest bit. */
static wide shift_sticky(wide v, unsigned by)
{
    if (by == 0)
        return v;
    if (by > 127)
        return wide_of(0, !wide_is_zero(v));
    return wide_mark(wide_right(v, by), !wide_is_zero(wide_left(v, 128 - by)));
}

/* Brings the highest one to SOFT_TOP. */
static struct soft normal(struct soft v)
{
    unsigned zeros = leading_zeros(v.mantissa);
    if (zeros == 128)
        return (struct soft){.kind = SOFT_ZERO, .negative = v.negative};
    v.kind = SOFT_FINITE;
    if (zeros == 0) {
        v.mantissa = shift_sticky(v.mantissa, 1);
        v.exponent++;
    } else {
        v.mantissa = wide_left(v.mantissa, zeros - 1);
        v.exponent -= (int)zeros - 1;
    }
    return v;
}

static uint64_t ones(unsigned bits)
{
    return bits > 63 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}

/* ---- taking apart -------------------------------------------------------------------- */

static struct soft unpack_integer(const struct soft_format *f, uint64_t bits)
{
    const bool negative = f->is_signed && bits >> (f->bits - 1) & 1;
    const uint64_t size = (negative ? 0 - bits : bits) & ones(f->bits);
    return normal((struct soft){.negative = negative, .mantissa = wide_of(0, size)});
}

static int bias_of(const struct soft_format *f)
{
    return (1 << (f->exponent_bits - 1)) - 1;
}

struct soft soft_unpack(const struct soft_format *f, uint64_t bits)
{
    if (!f->exponent_bits)
        return unpack_integer(f, bits);
    uint64_t fraction = bits & ones(f->fraction_bits);
    uint64_t exponent = bits >> f->fraction_bits & ones(f->exponent_bits);
    struct soft v = {.negative = bits >> (f->bits - 1) & 1};
    const bool special = exponent == ones(f->exponent_bits);
    if (special && (!f->finite || fraction == ones(f->fraction_bits))) {
        v.kind = fraction ? SOFT_NAN : SOFT_INFINITE;
        v.mantissa = wide_of(0, fraction << (52 - f->fraction_bits));
        return v;
    }
    v.mantissa = wide_of(0, fraction | (uint64_t)(exponent != 0) << f->fraction_bits);
    v.exponent = (exponent ? (int)exponent : 1) - bias_of(f) - f->fraction_bits;
    return normal(v);
}

bool soft_is_subnormal(const struct soft_format *f, uint64_t bits)
{
    return f->exponent_bits && !(bits >> f->fraction_bits & ones(f->exponent_bits));
}

/* ---- rounding and putting together --------------------------------------------------- */

/* Drops the low `count` bits of a mantissa. */
static wide round_off(wide m, unsigned count, bool negative, enum soft_rounding mode)
{
    if (count == 0)
        return m;
    if (count > 127) {
        m = shift_sticky(m, count - 127);
        count = 127;
    }
    const wide kept = wide_right(m, count), rest = wide_subtract(m, wide_left(kept, count));
    const int order = wide_order(rest, wide_left(wide_of(0, 1), count - 1)); /* to a half */
    bool up = mode == SOFT_NEAREST        ? order > 0 || (order == 0 && (wide_low(kept) & 1))
              : mode == SOFT_NEAREST_AWAY ? order >= 0
              : mode == SOFT_DOWN         ? !wide_is_zero(rest) && negative
              : mode == SOFT_UP           ? !wide_is_zero(rest) && !negative
                                          : false;
    return wide_add(kept, wide_of(0, up));
}

uint64_t soft_limit(const struct soft_format *f, bool negative)
{
    uint64_t sign = negative ? UINT64_C(1) << (f->bits - 1) : 0;
    if (f->finite)
        return sign | (ones(f->exponent_bits + f->fraction_bits) - 1);
    return sign | ((ones(f->exponent_bits) << f->fraction_bits) - 1);
}

static uint64_t pack_float(const struct soft_format *f, struct soft v, enum soft_rounding mode)
{
    uint64_t sign = v.negative ? UINT64_C(1) << (f->bits - 1) : 0;
    uint64_t infinite = ones(f->exponent_bits) << f->fraction_bits;
    if (v.kind == SOFT_ZERO)
        return sign;
    if (v.kind == SOFT_INFINITE)
        return f->finite ? soft_limit(f, v.negative) : sign | infinite;
    if (v.kind == SOFT_NAN && f->nan)
        return f->nan;
    if (v.kind == SOFT_NAN) /* the payload, made quiet */
        return sign | infinite | wide_low(v.mantissa) | UINT64_C(1) << (f->fraction_bits - 1);
    int exponent = v.exponent + SOFT_TOP + bias_of(f), below = exponent < 1 ? 1 - exponent : 0;
    unsigned drop = (unsigned)(SOFT_TOP - f->fraction_bits + below);
    uint64_t kept = wide_low(round_off(v.mantissa, drop, v.negative, mode));
    /* the leading one, or a carry out of the fraction, adds to the exponent as it should */
    uint64_t bits = below ? kept : ((uint64_t)(exponent - 1) << f->fraction_bits) + kept;
    if (exponent <= (int)ones(f->exponent_bits) && bits <= soft_limit(f, false))
        return sign | bits;
    bool inward = f->finite || mode == SOFT_ZEROWARD || mode == (v.negative ? SOFT_UP : SOFT_DOWN);
    return inward ? soft_limit(f, v.negative) : sign | infinite;
}

/* A result that is below the normal numbers is zero: as rounded with exponents that have no
 * lower end, which is how a GPU looks at it. */
struct soft soft_flush(const struct soft_format *f, struct soft v, enum soft_rounding mode)
{
    int exponent = v.exponent + SOFT_TOP + bias_of(f);
    if (v.kind != SOFT_FINITE || exponent > 0)
        return v;
    wide kept = round_off(v.mantissa, (unsigned)(SOFT_TOP - f->fraction_bits), v.negative, mode);
    /* to the least normal one */
    bool rises = exponent == 0 && !wide_is_zero(wide_right(kept, f->fraction_bits + 1u));
    v.kind = rises ? SOFT_FINITE : SOFT_ZERO;
    return v;
}

/* What lies outside becomes the nearest integer that there is; a NaN is 0, or the top bit of
 * 64. */
static uint64_t pack_integer(const struct soft_format *f, struct soft v, enum soft_rounding mode)
{
    uint64_t most = ones(f->bits - f->is_signed), least = f->is_signed ? most + 1 : 0;
    if (v.kind == SOFT_NAN)
        return f->bits == 64 ? UINT64_C(1) << 63 : 0;
    if (v.kind == SOFT_INFINITE || (v.kind == SOFT_FINITE && v.exponent > -62))
        return v.negative ? least : most;
    if (v.kind == SOFT_ZERO)
        return 0;
    wide size = round_off(v.mantissa, (unsigned)-v.exponent, v.negative, mode);
    const uint64_t low = wide_high(size) ? ~UINT64_C(0) : wide_low(size);
    if (v.negative)
        return low > least ? least : (0 - low) & ones(f->bits);
    return low > most ? most : low;
}

uint64_t soft_pack(const struct soft_format *f, struct soft v, enum soft_rounding mode)
{
    return f->exponent_bits ? pack_float(f, v, mode) : pack_integer(f, v, mode);
}

/* ---- operations ---------------------------------------------------------------------- */

/* A NaN among the operands is the result. */
static bool has_nan(struct soft a, struct soft b, struct soft *out)
{
    *out = a.kind == SOFT_NAN ? a : b;
    return out->kind == SOFT_NAN;
}

/*
 * The operand with the smaller exponent is moved to the other's. Bits lost there do no harm:
 * mantissas end in 20 zeros or more, so that a loss means a distance of more than that, where
 * a difference loses at most one leading bit.
 */
struct soft soft_add(struct soft a, struct soft b, enum soft_rounding mode)
{
    struct soft nan;
    if (has_nan(a, b, &nan))
        return nan;
    if (a.kind == SOFT_INFINITE || b.kind == SOFT_INFINITE) {
        if (a.kind == b.kind && a.negative != b.negative)
            return not_a_number();
        return a.kind == SOFT_INFINITE ? a : b;
    }
    if (a.kind == SOFT_ZERO && b.kind == SOFT_ZERO) {
        a.negative = a.negative == b.negative ? a.negative : mode == SOFT_DOWN;
        return a;
    }
    if (a.kind == SOFT_ZERO || b.kind == SOFT_ZERO)
        return a.kind == SOFT_ZERO ? b : a;
    if (a.exponent < b.exponent ||
        (a.exponent == b.exponent && wide_order(a.mantissa, b.mantissa) < 0)) {
        struct soft swap = a;
        a = b;
        b = swap;
    }
    wide moved = shift_sticky(b.mantissa, (unsigned)(a.exponent - b.exponent));
    if (a.negative == b.negative) {
        a.mantissa = wide_add(a.mantissa, moved);
    } else if (wide_order(a.mantissa, moved) == 0) {
        return (struct soft){.kind = SOFT_ZERO, .negative = mode == SOFT_DOWN};
    } else {
        a.mantissa = wide_subtract(a.mantissa, moved);
    }
    return normal(a);
}

/* The 64 bits from SOFT_TOP down. */
static uint64_t upper_half(wide mantissa)
{
    return wide_low(wide_right(mantissa, 63));
}

/* Operands come from soft_unpack: their mantissas fit into 64 bits, the product into 128. */
struct soft soft_multiply(struct soft a, struct soft b)
{
    struct soft nan, v = {.negative = a.negative != b.negative};
    if (has_nan(a, b, &nan))
        return nan;
    if (a.kind == SOFT_INFINITE || b.kind == SOFT_INFINITE) {
        v.kind = SOFT_INFINITE;
        return a.kind == SOFT_ZERO || b.kind == SOFT_ZERO ? not_a_number() : v;
    }
    if (a.kind == SOFT_ZERO || b.kind == SOFT_ZERO)
        return v;
    v.mantissa = wide_product(upper_half(a.mantissa), upper_half(b.mantissa));
    v.exponent = a.exponent + b.exponent + 126;
    return normal(v);
}

struct soft soft_divide(struct soft a, struct soft b)
{
    struct soft nan, v = {.negative = a.negative != b.negative};
    if (has_nan(a, b, &nan))
        return nan;
    if (a.kind == b.kind && (a.kind == SOFT_ZERO || a.kind == SOFT_INFINITE))
        return not_a_number();
    if (a.kind == SOFT_INFINITE || b.kind == SOFT_ZERO)
        v.kind = SOFT_INFINITE;
    if (a.kind != SOFT_FINITE || b.kind != SOFT_FINITE)
        return v;
    uint64_t quotient;
    bool rest = wide_divide(a.mantissa, upper_half(b.mantissa), &quotient) != 0;
    v.mantissa = wide_mark(wide_left(wide_of(0, quotient), 1), rest);
    v.exponent = a.exponent - b.exponent - 64;
    return normal(v);
}

struct soft soft_root(struct soft a)
{
    if (a.kind == SOFT_NAN || a.kind == SOFT_ZERO)
        return a;
    if (a.negative)
        return not_a_number();
    if (a.kind == SOFT_INFINITE)
        return a;
    bool odd = a.exponent & 1;
    wide rest = wide_left(a.mantissa, odd), root = wide_of(0, 0);
    for (int at = SOFT_TOP; at >= 0; at -= 2) { /* two digits a step */
        const wide bit = wide_left(wide_of(0, 1), (unsigned)at);
        const wide next = wide_add(root, bit);
        root = wide_right(root, 1);
        if (wide_order(rest, next) < 0)
            continue;
        rest = wide_subtract(rest, next);
        root = wide_add(root, bit);
    }
    a.mantissa = wide_mark(wide_left(root, 1), !wide_is_zero(rest));
    a.exponent = (a.exponent - odd) / 2 - 1;
    return normal(a);
}

struct soft soft_integral(struct soft v, enum soft_rounding mode)
{
    if (v.kind != SOFT_FINITE || v.exponent >= 0)
        return v;
    v.mantissa = round_off(v.mantissa, (unsigned)-v.exponent, v.negative, mode);
    v.exponent = 0;
    return normal(v);
}

static int size_order(struct soft a, struct soft b)
{
    if (a.kind != b.kind || a.kind != SOFT_FINITE)
        return a.kind < b.kind ? -1 : a.kind > b.kind;
    if (a.exponent != b.exponent)
        return a.exponent < b.exponent ? -1 : 1;
    return wide_order(a.mantissa, b.mantissa);
}

int soft_compare(struct soft a, struct soft b)
{
    if (a.kind == SOFT_ZERO && b.kind == SOFT_ZERO)
        return 0;
    if (a.negative != b.negative)
        return a.negative ? -1 : 1;
    return a.negative ? size_order(b, a) : size_order(a, b);
}
