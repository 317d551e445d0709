/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sin, cos, tan, exp, log and powers, each spelled out in additions, multiplications and a
 * few moves of bits, with no branch and no table. The plan is always the same: bring the
 * argument into a small interval where a Taylor polynomial is as good as a double, and
 * undo that with what is exact (a sign, a power of two). Results are good to some 1e-15 of
 * their size (powers near the ends of double's range: 1e-13), far beyond the float that
 * they become.
 */
#include "expr/expr-ir.h"
#include <math.h> /* INFINITY and NAN, no functions */

/* ---- short names for the operations ---- */

typedef struct expr_builder builder;

static int add(builder *b, int x, int y) { return expr_emit(b, OP_ADD, x, y, -1); }
static int sub(builder *b, int x, int y) { return expr_emit(b, OP_SUB, x, y, -1); }
static int mul(builder *b, int x, int y) { return expr_emit(b, OP_MUL, x, y, -1); }
static int quotient(builder *b, int x, int y) { return expr_emit(b, OP_DIV, x, y, -1); }
static int fused(builder *b, int x, int y, int z) { return expr_emit(b, OP_FMA, x, y, z); }
static int negative(builder *b, int x) { return expr_emit(b, OP_NEG, x, -1, -1); }
static int less(builder *b, int x, int y) { return expr_emit(b, OP_LESS, x, y, -1); }
static int equal(builder *b, int x, int y) { return expr_emit(b, OP_EQUAL, x, y, -1); }
static int bits(builder *b, int x) { return expr_emit(b, OP_BITS, x, -1, -1); }
static int from_bits(builder *b, int r) { return expr_emit(b, OP_FROM_BITS, r, -1, -1); }
static int real(builder *b, double v) { return expr_real(b, v); }

/* Gives `yes` where the predicate holds, and `no` elsewhere. */
static int pick(builder *b, int predicate, int yes, int no)
{
    return expr_emit(b, OP_PICK, yes, no, predicate);
}

/* Appends an integer operation whose second operand is a constant. */
static int whole(builder *b, enum expr_op op, int r, uint64_t v)
{
    return expr_emit(b, op, r, expr_whole(b, v), -1);
}

/* Computes c[0] + c[1] x + c[2] x^2 + ... by Horner's rule. */
static int polynomial(builder *b, int x, const double *c, int count)
{
    int sum = real(b, c[count - 1]);
    for (int i = count - 2; i >= 0; i--)
        sum = fused(b, x, sum, real(b, c[i]));
    return sum;
}

/* ---- rounding to an integer ---- */

/*
 * Adding 1.5 * 2^52 leaves no room for a fraction: the sum is rounded to an integer, which
 * then stands in the low bits of the double, negative ones in two's complement. Good for
 * what is below 2^51 in size.
 */
static const double rounder = 0x1.8p52;
static const uint64_t rounder_bits = UINT64_C(0x4338000000000000);

struct rounded {
    int as_real, as_bits;
};

static struct rounded round_product(builder *b, int x, double factor)
{
    int z = fused(b, x, real(b, factor), real(b, rounder));
    struct rounded k = {sub(b, z, real(b, rounder)), bits(b, z)};
    return k;
}

/* x - k * (high + low): high alone leaves an exact difference, low adds 53 more bits. */
static int remove_multiple(builder *b, int x, int k, double high, double low)
{
    return fused(b, k, real(b, -low), fused(b, k, real(b, -high), x));
}

/* ---- sin, cos, tan ---- */

static const double two_over_pi = 0x1.45f306dc9c883p-1;
static const double half_pi_high = 0x1.921fb54442d18p+0;
static const double half_pi_low = 0x1.1a62633145c07p-54;

/* sin r = r + r^3 * series(r^2), cos r = 1 + r^2 * series(r^2): (-1)^n / n! */
static const double sin_series[] = {
    -1.0 / 6,           1.0 / 120,
    -1.0 / 5040,        1.0 / 362880,
    -1.0 / 39916800,    1.0 / 6227020800,
    -1.0 / 1307674368e3, 1.0 / 355687428096e3,
};
static const double cos_series[] = {
    -1.0 / 2,             1.0 / 24,
    -1.0 / 720,           1.0 / 40320,
    -1.0 / 3628800,       1.0 / 479001600,
    -1.0 / 87178291200,   1.0 / 20922789888e3,
    -1.0 / 6402373705728e3,
};

/* x = quadrant * pi/2 + r, and both functions of r; CSE makes sin and cos share all this. */
struct angle {
    int quadrant, sine, cosine;
};

/*
 * Above 2^50 neighbouring doubles are a good part of a turn apart: any answer would do, and
 * that of 0 is given. Multiplying by 0 rather than writing 0 keeps NaN, and makes inf NaN.
 */
static struct angle reduce_angle(builder *b, int x)
{
    int in_reach = less(b, expr_abs(b, x), real(b, 0x1p50));
    x = pick(b, in_reach, x, mul(b, x, real(b, 0)));
    struct rounded k = round_product(b, x, two_over_pi);
    int r = remove_multiple(b, x, k.as_real, half_pi_high, half_pi_low);
    int square = mul(b, r, r);
    int sine = polynomial(b, square, sin_series, sizeof sin_series / sizeof sin_series[0]);
    int cosine = polynomial(b, square, cos_series, sizeof cos_series / sizeof cos_series[0]);
    struct angle a = {
        .quadrant = k.as_bits,
        .sine = fused(b, mul(b, r, square), sine, r),
        .cosine = fused(b, square, cosine, real(b, 1)),
    };
    return a;
}

/* The sine goes sin r, cos r, -sin r, -cos r through the quadrants; the cosine is one ahead. */
static int wave(builder *b, int x, uint64_t ahead)
{
    struct angle a = reduce_angle(b, x);
    int quadrant = ahead ? whole(b, OP_IADD, a.quadrant, ahead) : a.quadrant;
    int even = whole(b, OP_IEQUAL, whole(b, OP_IAND, quadrant, 1), 0);
    int sign = whole(b, OP_SHL, whole(b, OP_IAND, quadrant, 2), 62);
    int size = pick(b, even, a.sine, a.cosine);
    return from_bits(b, expr_emit(b, OP_IXOR, bits(b, size), sign, -1));
}

int expr_sin(builder *b, int x)
{
    return wave(b, x, 0);
}

int expr_cos(builder *b, int x)
{
    return wave(b, x, 1);
}

int expr_tan(builder *b, int x)
{
    struct angle a = reduce_angle(b, x);
    int even = whole(b, OP_IEQUAL, whole(b, OP_IAND, a.quadrant, 1), 0);
    int above = pick(b, even, a.sine, negative(b, a.cosine));
    int below = pick(b, even, a.cosine, a.sine);
    return quotient(b, above, below);
}

/* ---- exp and log ---- */

static const double log2_of_e = 0x1.71547652b82fep+0;
static const double ln2_high = 0x1.62e42fefa39efp-1;
static const double ln2_low = 0x1.abc9e3b39803fp-56;

static const double exp_series[] = {
    1.0,
    1.0,
    1.0 / 2,
    1.0 / 6,
    1.0 / 24,
    1.0 / 120,
    1.0 / 720,
    1.0 / 5040,
    1.0 / 40320,
    1.0 / 362880,
    1.0 / 3628800,
    1.0 / 39916800,
    1.0 / 479001600,
    1.0 / 6227020800,
};

/* 2^k for k within [-1022, 1023]: k is the exponent field, once its bias is added. */
static int power_of_two(builder *b, int k)
{
    return from_bits(b, whole(b, OP_SHL, whole(b, OP_IADD, k, 1023), 52));
}

/*
 * exp x = 2^k exp r with |r| <= ln 2 / 2. Beyond 1000 the answer is inf or 0 anyway, so x is
 * cut there (the comparisons are such that NaN stays); 2^k goes on in two halves, each of
 * which a double can hold, so that results fade out through the subnormal ones.
 */
int expr_exp(builder *b, int x)
{
    x = pick(b, less(b, real(b, 1000), x), real(b, 1000), x);
    x = pick(b, less(b, x, real(b, -1000)), real(b, -1000), x);
    struct rounded k = round_product(b, x, log2_of_e);
    int r = remove_multiple(b, x, k.as_real, ln2_high, ln2_low);
    int y = polynomial(b, r, exp_series, sizeof exp_series / sizeof exp_series[0]);
    int exponent = whole(b, OP_ISUB, k.as_bits, rounder_bits);
    int half = whole(b, OP_SHR, exponent, 1);
    int rest = expr_emit(b, OP_ISUB, exponent, half, -1);
    return mul(b, mul(b, y, power_of_two(b, half)), power_of_two(b, rest));
}

/* atanh(s) = s + s^3 * series(s^2); |s| stays below 0.172 */
static const double atanh_series[] = {
    1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13,
    1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23,
};

static const uint64_t one_bits = UINT64_C(0x3FF0000000000000);
static const uint64_t root_half_bits = UINT64_C(0x3FE6A09E667F3BCD); /* sqrt(1/2) */
static const uint64_t fraction_bits = UINT64_C(0x000FFFFFFFFFFFFF);

/*
 * A normal x > 0 is 2^e * m with m from sqrt(1/2) to sqrt(2). Moving the bits up by what is
 * missing from sqrt(1/2) to 1 makes the exponent field step at sqrt(2) instead of at 2.
 * With m near 1, e is 0 and m - 1 exact, so that log is good near its zero too.
 */
static int log_of_normal(builder *b, int x, int extra_exponent)
{
    int moved = whole(b, OP_IADD, bits(b, x), one_bits - root_half_bits);
    int field = whole(b, OP_ISUB, whole(b, OP_SHR, moved, 52), 1023);
    int e = add(b, expr_emit(b, OP_TO_REAL, field, -1, -1), extra_exponent);
    int fraction = whole(b, OP_IAND, moved, fraction_bits);
    int m = from_bits(b, whole(b, OP_IADD, fraction, root_half_bits));
    int s = quotient(b, sub(b, m, real(b, 1)), add(b, m, real(b, 1)));
    int square = mul(b, s, s);
    int series = polynomial(b, square, atanh_series, sizeof atanh_series / sizeof atanh_series[0]);
    int twice = add(b, s, s);
    int log_m = fused(b, mul(b, twice, square), series, twice);
    return fused(b, e, real(b, ln2_high), fused(b, e, real(b, ln2_low), log_m));
}

/* Subnormal numbers are made normal first. The answers for 0, negative numbers, inf and NaN are
 * chosen last. */
int expr_log(builder *b, int x)
{
    int tiny = less(b, x, real(b, 0x1p-1022));
    int scaled = pick(b, tiny, mul(b, x, real(b, 0x1p54)), x);
    int y = log_of_normal(b, scaled, pick(b, tiny, real(b, -54), real(b, 0)));
    int outside = pick(b, equal(b, x, real(b, 0)), real(b, -INFINITY), real(b, NAN));
    y = pick(b, equal(b, x, real(b, INFINITY)), x, y);
    return pick(b, less(b, real(b, 0), x), y, outside);
}

int expr_sqrt(builder *b, int x)
{
    return expr_emit(b, OP_SQRT, x, -1, -1);
}

int expr_abs(builder *b, int x)
{
    return expr_emit(b, OP_ABS, x, -1, -1);
}

/* ---- powers ---- */

enum { MULTIPLIED_UP_TO = 64 };

/* Squares and multiplies along the bits of n. Up to x^64 that takes at most 12 roundings. */
static int power_by_products(builder *b, int x, int n)
{
    int product = -1;
    if (n == 0)
        return real(b, 1);
    for (int left = n < 0 ? -n : n; left; left >>= 1) {
        if (left & 1)
            product = product < 0 ? x : mul(b, product, x);
        if (left > 1)
            x = mul(b, x, x);
    }
    return n < 0 ? quotient(b, real(b, 1), product) : product;
}

/*
 * x^y for x of either sign from |x|^y: an odd y keeps the sign of x (also that of -0), any
 * other integer drops it, and below zero nothing else has an answer.
 */
static int power_sign(builder *b, int x, int y, int size)
{
    int half = mul(b, y, real(b, 0.5));
    int is_whole = equal(b, expr_emit(b, OP_ROUND, y, -1, -1), y);
    int is_even = equal(b, expr_emit(b, OP_ROUND, half, -1, -1), half);
    int minus = whole(b, OP_INEGATIVE, bits(b, x), 0);
    int below = pick(b, less(b, x, real(b, 0)), real(b, NAN), size);
    int odd = pick(b, is_whole, negative(b, size), below);
    return pick(b, minus, pick(b, is_even, size, odd), size);
}

/*
 * exp(y log |x|). The product's rounding is magnified by its own size, 104 at most where
 * the float is neither 0 nor inf: 1e-14 of the result. log 0 = -inf and exp's ends give
 * 0^y; only 1^inf (0 * inf) and NaN^0 need a choice.
 */
static int power_by_log(builder *b, int x, int y)
{
    int base = expr_abs(b, x);
    int one = real(b, 1);
    int size = expr_exp(b, mul(b, y, expr_log(b, base)));
    size = pick(b, equal(b, base, one), one, size);
    int power = power_sign(b, x, y, size);
    return pick(b, equal(b, y, real(b, 0)), one, power);
}

int expr_pow(builder *b, int x, int y)
{
    double n = 0;
    if (expr_is_real(b, y, &n)) {
        if (n >= -MULTIPLIED_UP_TO && n <= MULTIPLIED_UP_TO && n == (int)n)
            return power_by_products(b, x, (int)n);
        if (n == 0.5)
            return expr_sqrt(b, x);
    }
    return power_by_log(b, x, y);
}
