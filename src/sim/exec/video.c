/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the video instructions, one lane after the other. They are rare, so they need not be fast.
 * Since Maxwell no GPU has these instructions, except for vabsdiff4. ptxas uses other instructions
 * for them. The results here are those of an H100. In these cases the PTX manual says something
 * else:
 *
 *   - .sat with an unsigned 32-bit result turns a negative result into 0. But a sum that is too
 *     large wraps.
 *   - The result of vshl has 34 bits before .sat. For a part of d, the .sat of vshl and vshr makes 32
 *     bits of the result, and the lowest of these are written.
 *   - For a part of d, the .sat of the other instructions turns a negative result into the greatest
 *     number of the part.
 *   - With .sat, the upper half of d gets the upper half of the result.
 *   - vmad treats operands of 32 bits as signed, whatever their types are.
 *   - After vadd or vsub with an unsigned result, .min treats a result of 2^31 or more as the
 *     greater one.
 */
#include "sim/exec/video.h"
#include "sim/exec/op.h"
#include "sim/warp.h"

#include <string.h>

_Static_assert(sizeof(struct video) == sizeof(int64_t), "it is stored in an offset");

/* The lowest `bits` bits of a word as a number. */
static int64_t field(uint64_t word, unsigned bits, bool is_signed)
{
    const uint64_t ones = (UINT64_C(1) << bits) - 1, top = UINT64_C(1) << (bits - 1);
    const uint64_t v = word & ones;
    return (int64_t)(is_signed && v & top ? v - ones - 1 : v);
}

static int64_t within(int64_t v, unsigned bits, bool is_signed)
{
    const int64_t most = (INT64_C(1) << (bits - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    return v < least ? least : v > most ? most : v;
}

static bool compares(const struct video *x, int64_t a, int64_t b)
{
    switch ((enum video_compare)x->compare) {
    case VIDEO_EQ: return a == b;
    case VIDEO_NE: return a != b;
    case VIDEO_LT: return a < b;
    case VIDEO_LE: return a <= b;
    case VIDEO_GT: return a > b;
    case VIDEO_GE: break;
    }
    return a >= b;
}

static int64_t shifted(const struct video *x, int64_t a, uint64_t b)
{
    const unsigned by = x->wraps ? b & 31 : b > 32 ? 32 : (unsigned)b;
    if (x->op == VIDEO_SHR)
        return a >> by;
    return field((uint64_t)a << by, 34, true);
}

/* {-}a * {-}b + {-}c, shifted right by `shift` bits. The sum fits in a signed number of 64 bits.
 * One sum of the largest numbers does not, and wraps. */
static int64_t product(const struct video *x, int64_t a, int64_t b, uint32_t c)
{
    uint64_t sum = (uint64_t)a * (uint64_t)b;
    sum = x->negates_product ? 0 - sum : sum;
    sum += x->negates_c ? 0 - (uint64_t)(int32_t)c : (uint64_t)(int32_t)c;
    const int64_t v = (int64_t)(sum + x->plus_one) >> x->shift;
    const bool is_signed = x->a_signed || x->b_signed || x->negates_product || x->negates_c;
    return x->saturates ? within(v, 32, is_signed) : v;
}

static int64_t operate(const struct video *x, int64_t a, int64_t b, uint32_t c)
{
    switch ((enum video_op)x->op) {
    case VIDEO_ADD: return a + b;
    case VIDEO_SUB: return a - b;
    case VIDEO_ABSDIFF: return a < b ? b - a : a - b;
    case VIDEO_MIN: return a < b ? a : b;
    case VIDEO_MAX: return a > b ? a : b;
    case VIDEO_AVRG: return (a + b + (a + b >= 0)) >> 1;
    case VIDEO_SHL:
    case VIDEO_SHR: return shifted(x, a, (uint64_t)b);
    case VIDEO_MAD: return product(x, a, b, c);
    case VIDEO_SET: break;
    }
    return compares(x, a, b);
}

/* ---- one number ------------------------------------------------------------------------ */

static unsigned width_of(unsigned part)
{
    return 1u << (part >> VIDEO_WIDTH_SHIFT);
}

static int64_t part_of(uint32_t word, unsigned part, bool is_signed)
{
    return field(word >> (part & VIDEO_AT), width_of(part), is_signed);
}

static int64_t saturated(const struct video *x, int64_t v, unsigned bits)
{
    const bool shift = x->op == VIDEO_SHL || x->op == VIDEO_SHR;
    if (!x->saturates || x->op == VIDEO_MAD)
        return v;
    if (shift)
        return within(v, 32, x->d_signed);
    if (bits < 32)
        return v < 0 ? within(INT32_MAX, bits, x->d_signed) : within(v, bits, x->d_signed);
    return x->d_signed ? within(v, bits, true) : v < 0 ? 0 : v;
}

/* Applies .min or .max: the lesser or greater of the result and c. */
static int64_t lesser_or_greater(const struct video *x, int64_t v, uint32_t word)
{
    const int64_t c = field(word, 32, x->d_signed);
    const bool sum = x->op == VIDEO_ADD || x->op == VIDEO_SUB;
    if (x->op != VIDEO_ABSDIFF || !x->d_signed)
        v = field((uint64_t)v, 32, x->d_signed);
    const bool less = v < c && (x->d_signed || !sum || v >> 31 == 0);
    return less == (x->second == VIDEO_THEN_MIN) ? v : c;
}

static uint32_t merged(const struct video *x, int64_t v, uint32_t c)
{
    enum { UPPER_HALF = 4 << VIDEO_WIDTH_SHIFT | 16 };
    if (x->saturates && x->d == UPPER_HALF)
        v >>= 16;
    const uint32_t bits = (uint32_t)((UINT64_C(1) << width_of(x->d)) - 1) << (x->d & VIDEO_AT);
    return (c & ~bits) | ((uint32_t)v << (x->d & VIDEO_AT) & bits);
}

static uint32_t one_number(const struct video *x, uint32_t a, uint32_t b, uint32_t c)
{
    const bool whole = x->op == VIDEO_MAD;
    const bool a_signed = x->a_signed || (whole && width_of(x->a) == 32);
    const bool b_signed = x->b_signed || (whole && width_of(x->b) == 32);
    int64_t v = operate(x, part_of(a, x->a, a_signed), part_of(b, x->b, b_signed), c);
    v = saturated(x, v, width_of(x->d));
    switch ((enum video_second)x->second) {
    case VIDEO_ALONE: break;
    case VIDEO_THEN_ADD: return (uint32_t)v + c;
    case VIDEO_THEN_MIN:
    case VIDEO_THEN_MAX: return (uint32_t)lesser_or_greater(x, v, c);
    case VIDEO_MERGE: return merged(x, v, c);
    }
    return (uint32_t)v;
}

/* ---- two or four numbers --------------------------------------------------------------- */

/* The operand of result k: a part of a or of b. */
static int64_t chosen(const struct video *x, unsigned choices, unsigned k, uint32_t a, uint32_t b,
                      bool is_signed)
{
    const unsigned bits = 32 / x->count, part = choices >> 3 * k & 7;
    return field((part < x->count ? a : b) >> part % x->count * bits, bits, is_signed);
}

static uint32_t many_numbers(const struct video *x, uint32_t a, uint32_t b, uint32_t c)
{
    const unsigned bits = 32 / x->count;
    uint32_t all = c, sum = c;
    for (unsigned k = 0; k < x->count; k++) {
        if (!(x->d >> k & 1))
            continue;
        int64_t v = operate(x, chosen(x, x->a, k, a, b, x->a_signed),
                            chosen(x, x->b, k, a, b, x->b_signed), 0);
        if (x->saturates)
            v = within(v, bits, x->d_signed);
        const uint32_t ones = ((1u << bits) - 1) << bits * k;
        all = (all & ~ones) | ((uint32_t)v << bits * k & ones);
        sum += (uint32_t)v; /* the sum has all bits of v, also those that do not fit in `all` */
    }
    return x->second == VIDEO_THEN_ADD ? sum : all;
}

enum after video_run(struct warp *w, const struct insn *in, uint32_t m)
{
    const uint32_t *a = row_of(w, in->a), *b = row_of(w, in->b), *c = row_of(w, in->c);
    uint32_t *d = row_of(w, in->d);
    struct video x;
    memcpy(&x, &in->offset, sizeof x);
    EACH_LANE(i, m)
        d[i] = (x.count == 1 ? one_number : many_numbers)(&x, a[i], b[i], c[i]);
    return GO;
}
