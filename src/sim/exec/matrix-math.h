/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How tensor cores multiply: D = A * B + C. The results have the same bits as on an H100. All of
 * this is arithmetic on arrays of elements, row by row. Only exec.c includes this file. It is
 * compiled once for each instruction set; compilers make vector code of the loops over 8 columns.
 *
 * RULE_SUM (f16, bf16, tf32): all products of an element of D, and its c, are added at once. First
 *   each term is truncated to TERM_BITS bits below the largest exponent of all terms. Then the sum
 *   is exact. At last it is truncated to f32, or rounded to the nearest f16.
 * RULE_HALVES: such a sum of c and the first half of the products. Then such a sum of that result
 *   and the second half.
 * RULE_CHAIN (8-bit types): like RULE_HALVES with 0 for c. Then c is added by an ordinary addition.
 * RULE_QUADS: ordinary fused multiply-adds in f32, one after the other. c is added last. But if the
 *   result is f16, c is added after two of the four products.
 * RULE_DOUBLE: ordinary fused multiply-adds of doubles, beginning with c. If several operands are
 *   NaNs, the result has the NaN of B, else that of the sum, else that of A.
 *
 * All rules were measured on an H100 (tests/gpu/tiles.c). For RULE_CHAIN and RULE_QUADS, the
 * compiler makes several instructions of one.
 */
#ifndef SIM_MATRIX_MATH_H
#define SIM_MATRIX_MATH_H

#include "base/half.h"
#include "sim/exec/float-bits.h"
#include "sim/matrix.h"

enum { MATRIX_MOST = 1024, COLUMNS = 8 };
enum { TERM_BITS = 25, FACTOR_FRACTION = 10, FLOAT_FRACTION = 23 };
/* The exponent of a 0, and a limit below the exponent of any other term. */
enum { NO_EXPONENT = -600, LOWEST_EXPONENT = -400 };

/* Vectors of eight numbers. gcc and clang have them on all machines. A comparison gives -1 or 0. */
#define EIGHT(T) __attribute__((vector_size(COLUMNS * sizeof(T)), aligned(sizeof(T)), may_alias))
typedef int32_t ints EIGHT(int32_t);
typedef uint32_t naturals EIGHT(uint32_t);
typedef int64_t longs EIGHT(int64_t);
typedef float floats EIGHT(float);
typedef double doubles EIGHT(double);
#define EIGHT_AT(T, from) (*(const T *)(const void *)(from))

/* ---- factors ---------------------------------------------------------------------------- */

struct float_format {
    int fraction, exponent; /* how many bits each has */
    bool finite;            /* there is no infinity, and only a number with all bits set is NaN */
};
static const struct float_format float_formats[] = {
    [MATRIX_F16] = {10, 5, false}, [MATRIX_BF16] = {7, 8, false}, [MATRIX_TF32] = {10, 8, false},
    [MATRIX_E4M3] = {3, 4, true},  [MATRIX_E5M2] = {2, 5, false}, [MATRIX_F32] = {23, 8, false}};

/* The parts of numbers: each number is size * 2^(exponent - FACTOR_FRACTION). It is negative if its
 * sign is -1. Subnormal numbers are not normalised. */
struct factors {
    int32_t size[MATRIX_MOST], exponent[MATRIX_MOST], sign[MATRIX_MOST];
    bool special; /* some of them are infinite or NaN */
};

/* All numbers of a matrix are multiples of 2^lowest and smaller than 2^(highest + 1). Zeros don't
 * count. */
struct extent {
    int lowest, highest;
};

/* The extent of the numbers size * 2^(exponent - fraction). `count` is a multiple of 8. */
INLINED struct extent extent_of(const int32_t *size, const int32_t *exponent, unsigned count,
                                int fraction)
{
    ints lowest = (ints){0} - NO_EXPONENT, highest = (ints){0} + NO_EXPONENT;
    struct extent s = {-NO_EXPONENT, NO_EXPONENT};
    for (unsigned i = 0; i < count; i += COLUMNS) {
        const ints v = EIGHT_AT(ints, size + i), e = EIGHT_AT(ints, exponent + i), zero = v == 0;
        const floats bit = __builtin_convertvector(v & -v, floats);
        const ints low = e - fraction + (((ints)bit >> FLOAT_FRACTION) - 127);
        const ints less = ~zero & (low < lowest), more = ~zero & (e > highest);
        lowest = (low & less) | (lowest & ~less);
        highest = (e & more) | (highest & ~more);
    }
    for (unsigned j = 0; j < COLUMNS; j++) {
        s.lowest = lowest[j] < s.lowest ? lowest[j] : s.lowest;
        s.highest = highest[j] > s.highest ? highest[j] : s.highest;
    }
    return s;
}

static inline void take_apart(const uint32_t *from, unsigned count, enum matrix_type type,
                              struct factors *to)
{
    const struct float_format *t = &float_formats[type];
    const int fraction = t->fraction, bits = t->exponent, bias = (1 << (bits - 1)) - 1;
    const int drop = type == MATRIX_TF32 ? FLOAT_FRACTION - fraction : 0, top = (1 << bits) - 1;
    const int nan = t->finite ? top << fraction | ((1 << fraction) - 1) : top << fraction;
    int32_t special = 0;
    for (unsigned i = 0; i < count; i++) {
        const int32_t v = (int32_t)(from[i] >> drop), e = v >> fraction & top;
        const int32_t m = (v & ((1 << fraction) - 1)) | (e ? 1 << fraction : 0);
        to->size[i] = m << (FACTOR_FRACTION - fraction);
        to->sign[i] = -(v >> (fraction + bits) & 1);
        to->exponent[i] = m ? (e ? e : 1) - bias : NO_EXPONENT;
        special |= (v & (top << fraction | ((1 << fraction) - 1))) >= nan;
    }
    to->special = special;
}

/* ---- infinities, NaN and rounding -------------------------------------------------------- */

enum finiteness { IS_FINITE, IS_INFINITE, IS_NAN };
static inline enum finiteness finiteness_of(uint32_t bits, enum matrix_type type)
{
    const struct float_format *t = &float_formats[type];
    const int drop = type == MATRIX_TF32 ? FLOAT_FRACTION - t->fraction : 0;
    const uint32_t top = ((1u << t->exponent) - 1) << t->fraction;
    const uint32_t all = top | ((1u << t->fraction) - 1), v = bits >> drop & all;
    if (t->finite)
        return v == all ? IS_NAN : IS_FINITE;
    return v < top ? IS_FINITE : v == top ? IS_INFINITE : IS_NAN;
}

/* sum * 2^unit, truncated to f32. A result that is too large becomes infinite. Subnormal results
 * are not flushed to 0. */
static inline uint32_t float_toward_zero(int64_t sum, int unit)
{
    const uint64_t v = sum < 0 ? 0 - (uint64_t)sum : (uint64_t)sum;
    const int leading = 63 - __builtin_clzll(v), e = leading + unit;
    const int by = (e < -126 ? -126 : e) - FLOAT_FRACTION - unit; /* bits to drop */
    const uint64_t kept = by >= 64 ? 0 : by >= 0 ? v >> by : v << -by;
    const uint32_t sign = sum < 0 ? 0x80000000u : 0;
    if (e > 127)
        return sign | 0x7f800000u;
    return sign | (e < -126 ? (uint32_t)kept
                            : ((uint32_t)(e + 126) << FLOAT_FRACTION) + (uint32_t)kept);
}

/* 2^e, for e from -1022 to 1023. */
static inline double power_of_two(int e)
{
    const uint64_t bits = (uint64_t)(e + 1023) << 52;
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline float float_of_half(uint32_t bits)
{
    return (float)half_to_double((uint16_t)bits);
}
static inline uint32_t half_of(double v) { return v != v ? 0x7fffu : half_from_double(v); }
static inline uint32_t half_of_sum(double v) /* never -0 */
{
    const uint32_t half = half_from_double(v);
    return half == 0x8000 ? 0 : half;
}

/* ---- sums -------------------------------------------------------------------------------- */

/* The numbers of the sums. Each array has all elements of a matrix, row by row. */
struct sums {
    const struct factors *a, *b;
    const uint32_t *raw_a, *raw_b;
    enum matrix_type type_a, type_b;
    unsigned columns, depth;   /* columns of B; columns of A */
    unsigned from, to;         /* only products from number `from` to number `to` - 1 are added */
    const uint32_t *c;
    bool half;                 /* c and the results are f16; else f32 */
    uint32_t *d;
};

/* Corrects the result of one sum, if an infinity or a NaN is among its terms. */
APART uint32_t sum_special(const struct sums *s, unsigned row, unsigned column, uint32_t c,
                           uint32_t result)
{
    const uint32_t none = s->half ? 0x7fff : 0x7fffffff;
    const enum finiteness kind = finiteness_of(c, s->half ? MATRIX_F16 : MATRIX_F32);
    bool nan = kind == IS_NAN, up = false, down = false;
    if (kind == IS_INFINITE)
        *(c >> (s->half ? 15 : 31) & 1 ? &down : &up) = true;
    for (unsigned k = s->from; k < s->to; k++) {
        const unsigned i = row * s->depth + k, j = k * s->columns + column;
        const enum finiteness x = finiteness_of(s->raw_a[i], s->type_a);
        const enum finiteness y = finiteness_of(s->raw_b[j], s->type_b);
        const bool zero = (x == IS_FINITE && !s->a->size[i]) || (y == IS_FINITE && !s->b->size[j]);
        if (x == IS_FINITE && y == IS_FINITE)
            continue;
        nan |= x == IS_NAN || y == IS_NAN || zero;
        *(s->a->sign[i] != s->b->sign[j] ? &down : &up) = true;
    }
    if (nan || (up && down))
        return none;
    if (up || down)
        return s->half ? 0x7c00u | down << 15 : 0x7f800000u | (uint32_t)down << 31;
    return result;
}

/* The sum if all terms are 0. It is -0 if all terms are -0. */
static uint32_t sum_of_zeros(const struct sums *s, unsigned row, unsigned column, uint32_t c)
{
    bool minus = c != 0;
    for (unsigned k = s->from; k < s->to; k++)
        minus &= s->a->sign[row * s->depth + k] != s->b->sign[k * s->columns + column];
    return minus ? (s->half ? 0x8000 : 0x80000000) : 0;
}

/* Rounds eight sums that are neither infinite nor NaN. `sum` has the sum of the products, and
 * `added` has c. Both are in units of 2^(top - TERM_BITS). Subnormal results and zeros are rare, so
 * a slower loop treats them. */
INLINED void round_eight(const struct sums *s, unsigned row, unsigned column,
                         const uint32_t c[COLUMNS], const ints *sum, const ints *added,
                         const ints *top)
{
    const longs cut = s->half ? (longs){0} - 1
                              : (longs){0} - (INT64_C(1) << (52 - FLOAT_FRACTION));
    const longs scale = (__builtin_convertvector(*top, longs) + (1023 - TERM_BITS)) << 52;
    uint32_t *d = s->d + row * s->columns + column;
    doubles v = __builtin_convertvector(*sum, doubles) + __builtin_convertvector(*added, doubles);
    v = (doubles)((longs)v & cut) * (doubles)scale;
    const int64_t least = INT64_C(897) << 52; /* 2^-126 as a double */
    const longs small = ((longs)v & INT64_MAX) < least;
    if (s->half) {
        for (unsigned j = 0; j < COLUMNS; j++)
            d[j] = half_of_sum(v[j]);
    } else {
        floats result = __builtin_convertvector(v, floats);
        memcpy(d, &result, sizeof result);
    }
    int64_t any = 0;
    for (unsigned j = 0; j < COLUMNS; j++)
        any |= small[j];
    for (unsigned j = 0; any && j < COLUMNS; j++) {
        const int64_t all = (int64_t)(*sum)[j] + (*added)[j];
        if (!all)
            d[j] = (*top)[j] < LOWEST_EXPONENT ? sum_of_zeros(s, row, column + j, c[j]) : 0;
        else if (!s->half && small[j])
            d[j] = float_toward_zero(all, (*top)[j] - TERM_BITS);
    }
}

/* Computes eight sums of neighbouring elements. Terms are truncated without their signs. Then
 * `minus` gives each term its sign. */
INLINED void sum_eight(const struct sums *s, unsigned row, unsigned column, bool any_special)
{
    const int32_t *size = s->a->size + row * s->depth, *exponent = s->a->exponent + row * s->depth;
    const int32_t *sign = s->a->sign + row * s->depth, most = 31;
    const int fraction = s->half ? 10 : 23, all = s->half ? 31 : 255, bias = s->half ? 15 : 127;
    uint32_t before[COLUMNS];
    memcpy(before, s->c + row * s->columns + column, sizeof before);
    const ints c = EIGHT_AT(ints, before), e = c >> fraction & all;
    const ints c_size = (c & ((1 << fraction) - 1)) | ((e > 0) & 1 << fraction);
    const ints none = c_size == 0;
    const ints c_exponent = e - (e == 0) - bias; /* e == 0 is -1 */
    const ints c_sign = -(c >> (s->half ? 15 : 31) & 1), infinite = e == all;
    ints top = (c_exponent & ~none) | (none & NO_EXPONENT), sum = {0};
    for (unsigned k = s->from; k < s->to; k++) {
        const ints its = EIGHT_AT(ints, s->b->exponent + k * s->columns + column) + exponent[k];
        const ints more = its > top;
        top = (its & more) | (top & ~more);
    }
    for (unsigned k = s->from; k < s->to; k++) {
        const unsigned at = k * s->columns + column;
        const ints past = top - exponent[k] - EIGHT_AT(ints, s->b->exponent + at);
        const ints much = past > most, by = (past & ~much) | (much & most);
        const ints product = EIGHT_AT(ints, s->b->size + at) * size[k];
        const ints larger = product << (TERM_BITS - 2 * FACTOR_FRACTION);
        const naturals term = (naturals)larger >> (naturals)by;
        const ints minus = EIGHT_AT(ints, s->b->sign + at) ^ sign[k];
        sum += ((ints)term ^ minus) - minus;
    }
    const ints past = top - c_exponent, much = past > most, by = (past & ~much) | (much & most);
    const ints term = (c_size << (TERM_BITS - fraction)) >> by;
    const ints added = (term ^ c_sign) - c_sign;
    round_eight(s, row, column, before, &sum, &added, &top);
    bool special = any_special;
    for (unsigned j = 0; j < COLUMNS; j++)
        special |= infinite[j] != 0;
    for (unsigned j = 0; special && j < COLUMNS; j++)
        s->d[row * s->columns + column + j] =
            sum_special(s, row, column + j, before[j], s->d[row * s->columns + column + j]);
}

/* ---- sums that lose no bit ------------------------------------------------------------------ */

/* Can no term be truncated, and is each sum of products an f32, in any order? Then ordinary
 * arithmetic gives the same sums. Small whole numbers are the usual case. */
static bool sums_are_exact(const struct sums *s, unsigned rows)
{
    const int far = 100; /* no result comes near to the ends of f32 */
    int32_t size[MATRIX_MOST], exponent[MATRIX_MOST], bits = 0;
    const unsigned all = rows * s->columns;
    const struct extent a = extent_of(s->a->size, s->a->exponent, rows * s->depth, FACTOR_FRACTION);
    const struct extent b = extent_of(s->b->size, s->b->exponent, s->columns * s->depth,
                                      FACTOR_FRACTION);
    const int lowest = a.lowest + b.lowest, top = a.highest + b.highest;
    while (s->to - s->from > 1u << bits)
        bits++;
    if (s->a->special || s->b->special || a.lowest < -far || b.lowest < -far || lowest < -far ||
        top > far || top + 2 + bits > lowest + FLOAT_FRACTION + 1)
        return false;
    for (unsigned i = 0; i < all; i++) {
        const int32_t e = (int32_t)(s->c[i] >> FLOAT_FRACTION & 255);
        const int32_t m = (int32_t)(s->c[i] & ((1u << FLOAT_FRACTION) - 1));
        size[i] = m | (e > 0) << FLOAT_FRACTION;
        exponent[i] = e + (e == 0) - 127;
    }
    const struct extent c = extent_of(size, exponent, all, FLOAT_FRACTION);
    return c.lowest >= -far && c.highest <= far && c.lowest >= top - TERM_BITS &&
           lowest >= c.highest - TERM_BITS;
}

static void floats_of(const struct factors *f, unsigned count, float *to)
{
    for (unsigned i = 0; i < count; i += COLUMNS) {
        const ints e = EIGHT_AT(ints, f->exponent + i), there = EIGHT_AT(ints, f->size + i) != 0;
        const ints power = ((e & there) + (127 - FACTOR_FRACTION)) << FLOAT_FRACTION;
        const floats v = __builtin_convertvector(EIGHT_AT(ints, f->size + i), floats) *
                         (floats)power;
        const ints bits = (ints)v | (EIGHT_AT(ints, f->sign + i) & INT32_MIN);
        memcpy(to + i, &bits, sizeof bits);
    }
}

/* Eight sums of products in f32: x has a row of A, y the first row of eight columns of B. */
INLINED void sum_products(const float *x, const float *y, unsigned columns, unsigned from,
                          unsigned to, floats *result)
{
    floats sum = EIGHT_AT(floats, y + from * columns) * x[from];
    for (unsigned k = from + 1; k < to; k++)
        sum += EIGHT_AT(floats, y + k * columns) * x[k];
    *result = sum;
}

/* The sums of products are exact. With c, a double is exact too. It is truncated to f32. */
static void sum_exactly(const struct sums *s, unsigned rows)
{
    const longs cut = (longs){0} - (INT64_C(1) << (52 - FLOAT_FRACTION));
    float a[MATRIX_MOST], b[MATRIX_MOST];
    floats_of(s->a, rows * s->depth, a);
    floats_of(s->b, s->columns * s->depth, b);
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < s->columns; j += COLUMNS) {
            floats sum;
            sum_products(a + i * s->depth, b + j, s->columns, s->from, s->to, &sum);
            const doubles v = __builtin_convertvector(sum, doubles) +
                __builtin_convertvector(EIGHT_AT(floats, s->c + i * s->columns + j), doubles);
            sum = __builtin_convertvector((doubles)((longs)v & cut), floats);
            memcpy(s->d + i * s->columns + j, &sum, sizeof sum);
        }
}

/* Computes all sums: of the products from `from` to `to`, and of c. c and d may be the same
 * array. */
APART void sum_floats(const struct sums *s, unsigned rows)
{
    if (sums_are_exact(s, rows)) {
        sum_exactly(s, rows);
        return;
    }
    const bool special = s->a->special || s->b->special;
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < s->columns; j += COLUMNS)
            sum_eight(s, i, j, special);
}
APART void sum_halves(const struct sums *s, unsigned rows)
{
    struct sums half = *s;
    half.half = true;
    const bool special = s->a->special || s->b->special;
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < s->columns; j += COLUMNS)
            sum_eight(&half, i, j, special);
}

/* ---- products ---------------------------------------------------------------------------- */

/* The elements of all matrices of an instruction, as raw bits, row by row. `wide` has doubles. */
struct elements {
    uint32_t a[MATRIX_MOST], b[MATRIX_MOST], c[MATRIX_MOST], d[MATRIX_MOST];
    double wide[MATRICES][256];
};

static uint32_t convert(uint32_t bits, bool from_half, bool to_half)
{
    if (from_half == to_half)
        return bits;
    return from_half ? bits_of_float(nan32(float_of_half(bits))) : half_of(float_of_bits(bits));
}

static void sum_all(const struct sums *s, unsigned rows)
{
    if (s->half)
        sum_halves(s, rows);
    else
        sum_floats(s, rows);
}

/* RULE_SUM and RULE_HALVES. If c and d have different types, the sums are f32, and c or d is
 * converted. */
static void multiply_sum(const struct matrix_use *u, struct elements *x)
{
    const bool c_half = u->fragment[MATRIX_C].type == MATRIX_F16;
    const bool d_half = u->fragment[MATRIX_D].type == MATRIX_F16, half = c_half && d_half;
    const unsigned all = u->m * u->n;
    struct factors a, b;
    struct sums s = {.a = &a, .b = &b, .raw_a = x->a, .raw_b = x->b, .columns = u->n,
                     .depth = u->k, .c = x->c, .d = x->d, .half = half,
                     .type_a = u->fragment[MATRIX_A].type, .type_b = u->fragment[MATRIX_B].type};
    s.to = u->rule == RULE_HALVES ? u->k / 2 : u->k;
    take_apart(x->a, u->m * u->k, s.type_a, &a);
    take_apart(x->b, u->n * u->k, s.type_b, &b);
    for (unsigned i = 0; c_half && !d_half && i < all; i++)
        x->c[i] = convert(x->c[i], true, false);
    sum_all(&s, u->m);
    s.c = x->d, s.from = s.to, s.to = u->k;
    if (u->rule == RULE_HALVES)
        sum_all(&s, u->m);
    for (unsigned i = 0; d_half && !c_half && i < all; i++)
        x->d[i] = convert(x->d[i], false, true);
}

/* RULE_CHAIN: adds the first half of the products, then the second half, and c last. */
static void multiply_chain(const struct matrix_use *u, struct elements *x)
{
    const unsigned all = u->m * u->n;
    static const uint32_t none[MATRIX_MOST];
    struct factors a, b;
    struct sums s = {.a = &a, .b = &b, .raw_a = x->a, .raw_b = x->b, .columns = u->n,
                     .depth = u->k, .to = u->k / 2, .c = none, .d = x->d,
                     .half = u->fragment[MATRIX_D].type == MATRIX_F16,
                     .type_a = u->fragment[MATRIX_A].type, .type_b = u->fragment[MATRIX_B].type};
    take_apart(x->a, u->m * u->k, s.type_a, &a);
    take_apart(x->b, u->n * u->k, s.type_b, &b);
    sum_all(&s, u->m);
    s.c = x->d;
    s.from = s.to, s.to = u->k;
    sum_all(&s, u->m);
    for (unsigned i = 0; i < all; i++)
        x->d[i] = s.half ? half_of(half_to_double((uint16_t)x->d[i]) +
                                   half_to_double((uint16_t)x->c[i]))
                         : bits_of_float(nan32(float_of_bits(x->d[i]) + float_of_bits(x->c[i])));
}

/* RULE_QUADS: four matrix products of 8 x 8 x 4; the matrices are placed one below the other. The
 * product of two f16 numbers is exact in f32. */
static void multiply_quads(const struct matrix_use *u, struct elements *x)
{
    const bool c_half = u->fragment[MATRIX_C].type == MATRIX_F16;
    const bool d_half = u->fragment[MATRIX_D].type == MATRIX_F16;
    for (unsigned i = 0; i < 4 * u->m; i++)
        for (unsigned j = 0; j < u->n; j++) {
            const uint32_t bits = x->c[i * u->n + j];
            const float c = c_half ? float_of_half(bits) : float_of_bits(bits);
            float sum = 0;
            for (unsigned k = 0; k < u->k; k++) {
                sum = k == 2 && d_half ? sum + c : sum;
                float product = float_of_half(x->a[i * u->k + k]) *
                                float_of_half(x->b[(i / 8 * u->k + k) * u->n + j]);
                sum += product;
            }
            x->d[i * u->n + j] = d_half ? half_of(sum) : bits_of_float(nan32(sum + c));
        }
}

static void multiply_doubles(const struct matrix_use *u, struct elements *x)
{
    for (unsigned i = 0; i < u->m; i++)
        for (unsigned k = 0; k < u->k; k++)
            for (unsigned j = 0; j < u->n; j++) {
                const double a = x->wide[MATRIX_A][i * u->k + k];
                const double b = x->wide[MATRIX_B][k * u->n + j];
                double *c = &x->wide[k ? MATRIX_D : MATRIX_C][i * u->n + j];
                x->wide[MATRIX_D][i * u->n + j] = nan64(fused64(a, b, *c), b, *c, a);
            }
}

/* Makes floats of whole numbers of 8 or 4 bits. */
static inline void widen(const uint32_t *from, unsigned count, enum matrix_type type, float *to)
{
    const unsigned up = type == MATRIX_S8 ? 24 : type == MATRIX_S4 ? 28 : 0;
    for (unsigned i = 0; i < count; i++)
        to[i] = (float)((int32_t)(from[i] << up) >> up);
}

static inline uint32_t saturated(int64_t v)
{
    return (uint32_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v);
}

/* A sum of at most 64 such products is less than 2^24. So it is exact in f32. */
APART void multiply_whole(const struct matrix_use *u, struct elements *x)
{
    float a[MATRIX_MOST], b[MATRIX_MOST];
    widen(x->a, u->m * u->k, u->fragment[MATRIX_A].type, a);
    widen(x->b, u->n * u->k, u->fragment[MATRIX_B].type, b);
    for (unsigned i = 0; i < u->m; i++)
        for (unsigned j = 0; j < u->n; j += COLUMNS) {
            const uint32_t *c = x->c + i * u->n + j;
            uint32_t *d = x->d + i * u->n + j;
            floats sum;
            sum_products(a + i * u->k, b + j, u->n, 0, u->k, &sum);
            const ints whole = __builtin_convertvector(sum, ints);
            for (unsigned l = 0; l < COLUMNS; l++)
                d[l] = u->saturates ? saturated((int64_t)whole[l] + (int32_t)c[l])
                                    : (uint32_t)whole[l] + c[l];
        }
}

static void multiply_bits(const struct matrix_use *u, struct elements *x)
{
    const unsigned words = u->k / 32;
    for (unsigned i = 0; i < u->m; i++)
        for (unsigned j = 0; j < u->n; j++) {
            uint32_t sum = x->c[i * u->n + j];
            for (unsigned k = 0; k < words; k++) {
                const uint32_t a = x->a[i * words + k], b = x->b[k * u->n + j];
                sum += (uint32_t)__builtin_popcount(u->ands ? a & b : a ^ b);
            }
            x->d[i * u->n + j] = sum;
        }
}

static void multiply(const struct matrix_use *u, struct elements *x)
{
    switch (u->rule) {
    case RULE_SUM:
    case RULE_HALVES: multiply_sum(u, x); break;
    case RULE_CHAIN: multiply_chain(u, x); break;
    case RULE_QUADS: multiply_quads(u, x); break;
    case RULE_DOUBLE: multiply_doubles(u, x); break;
    case RULE_WHOLE: multiply_whole(u, x); break;
    default: multiply_bits(u, x); break;
    }
}

#endif
