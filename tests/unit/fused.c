/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * base/fused.h on 20 million cases of floats and 5 million of doubles: the same as the processor's
 * instruction where there is one, and on every machine the hashes that are stored here. The hashes
 * are those of a processor's answers.
 */
#include "base/fused.h"
#include "base/hash.h"
#include "base/random.h"

#include <inttypes.h>
#include <stdio.h>

#if defined(__x86_64__)
#define HARDWARE __attribute__((target("fma")))
#define HAS_HARDWARE __builtin_cpu_supports("fma")
#elif defined(__aarch64__)
#define HARDWARE
#define HAS_HARDWARE 1
#else
#define HARDWARE
#define HAS_HARDWARE 0
#endif

HARDWARE static float hardware32(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}

HARDWARE static double hardware64(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

static float own32(float a, float b, float c)
{
    return fused_by_double(a, b, c);
}

static double own64(double a, double b, double c)
{
    return fused_by_library(a, b, c);
}

static int tests, bad;

static void ok(int good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests, what);
    bad += !good;
}

/* The formats of numbers, as bits. Cases are drawn for both alike. */
struct format {
    int fraction, exponents; /* how many bits */
};
static const struct format single = {23, 8}, twice = {52, 11};

/* sign, exponent as if 0 were the bias, fraction */
static uint64_t number(const struct format *f, uint64_t sign, int64_t exponent, uint64_t fraction)
{
    const int64_t bias = (INT64_C(1) << (f->exponents - 1)) - 1;
    int64_t e = exponent + bias;
    e = e < 0 ? 0 : e > 2 * bias ? 2 * bias : e;
    return (sign & 1) << (f->fraction + f->exponents) | (uint64_t)e << f->fraction |
           (fraction & ((UINT64_C(1) << f->fraction) - 1));
}

enum kind { ANY, NEAR, TIES, TINY, CANCEL, KINDS };
static const char *const names[KINDS] = {"any bits", "near exponents", "ties and almost ties",
                                         "subnormal results", "cancellation"};

static void draw_case(const struct format *f, enum kind kind, uint64_t *state, uint64_t bits[3])
{
    const uint64_t u = random_next(state), v = random_next(state), w = random_next(state),
                   x = random_next(state);
    const int64_t near = (int64_t)(x % 64) - 32, p = f->fraction;
    const int64_t low = -(INT64_C(1) << (f->exponents - 1));
    switch (kind) {
    case NEAR:
        bits[0] = number(f, u >> 63, (int64_t)(u >> 56 & 15) - 8, u);
        bits[1] = number(f, v >> 63, (int64_t)(v >> 56 & 15) - 8, v);
        bits[2] = number(f, w >> 63, near, w);
        break;
    case TIES: { /* the product is about half a last bit of c: 1.few bits, and some with a far bit */
        const uint64_t few = u >> 40 & 3 ? 0 : u % 4, other = v >> 40 & 1 ? 0 : v % 4;
        const int64_t e = (int64_t)(x >> 8 & 31) - 16;
        bits[0] = number(f, u >> 63, e, x >> 16 & 1 ? few << (p - 2) : few);
        bits[1] = number(f, v >> 63, near - p - 1 - e + (int64_t)(x >> 17 & 1),
                         x >> 18 & 1 ? other << (p - 2) : other);
        bits[2] = number(f, w >> 63, near, x >> 19 & 1 ? w : w & 3);
        break;
    }
    case TINY: {
        const int64_t e = (int64_t)(x >> 8 & 63) - 32;
        bits[0] = number(f, u >> 63, e + low / 2, u);
        bits[1] = number(f, v >> 63, -e + low / 2 - (int64_t)(x >> 16 & 31), v);
        bits[2] = number(f, w >> 63, x >> 24 & 3 ? low : low + near, x >> 26 & 3 ? w : 0);
        break;
    }
    default:
        bits[0] = u, bits[1] = v, bits[2] = w;
        break;
    }
}

static float float_of(uint64_t bits)
{
    const uint32_t own = (uint32_t)bits;
    float v;
    memcpy(&v, &own, sizeof v);
    return v;
}

static uint64_t bits32(float v)
{
    uint32_t own;
    memcpy(&own, &v, sizeof own);
    return v != v ? 0x7fffffff : own; /* which NaN it is does not matter */
}

static double double_of(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static uint64_t bits64(double v)
{
    uint64_t own;
    memcpy(&own, &v, sizeof own);
    return v != v ? UINT64_MAX >> 1 : own;
}

/* c becomes a number next to -(a * b), a few last bits away. */
static void cancel(const struct format *f, uint64_t bits[3])
{
    const uint64_t away = bits[2] % 9;
    bits[0] = number(f, bits[0] >> 63, (int64_t)(bits[0] >> 56 & 63) - 32, bits[0]);
    bits[1] = number(f, bits[1] >> 63, (int64_t)(bits[1] >> 56 & 63) - 32, bits[1]);
    if (f == &single) {
        const float product = float_of(bits[0]) * float_of(bits[1]);
        bits[2] = bits32(-product);
    } else {
        const double product = double_of(bits[0]) * double_of(bits[1]);
        bits[2] = bits64(-product);
    }
    bits[2] += away - 4;
}

struct answer {
    uint64_t hash;
    unsigned wrong; /* unlike the processor's */
};

static void ask(const struct format *f, const uint64_t bits[3], int hardware, struct answer *to)
{
    uint64_t own, theirs;
    if (f == &single) {
        const float a = float_of(bits[0]), b = float_of(bits[1]), c = float_of(bits[2]);
        own = bits32(own32(a, b, c));
        theirs = hardware ? bits32(hardware32(a, b, c)) : own;
    } else {
        const double a = double_of(bits[0]), b = double_of(bits[1]), c = double_of(bits[2]);
        own = bits64(own64(a, b, c));
        theirs = hardware ? bits64(hardware64(a, b, c)) : own;
    }
    to->hash = hash_words(to->hash, &own, sizeof own);
    if (own != theirs && to->wrong++ < 3)
        printf("# %" PRIx64 " * %" PRIx64 " + %" PRIx64 ": %" PRIx64 ", and the processor says %" PRIx64
               "\n", bits[0], bits[1], bits[2], own, theirs);
}

static void check(const struct format *f, const char *type, enum kind kind, unsigned cases,
                  uint64_t expected)
{
    struct answer got = {HASH_START, 0};
    uint64_t state = (uint64_t)kind + 1, bits[3];
    const int hardware = HAS_HARDWARE;
    for (unsigned n = 0; n < cases; n++) {
        draw_case(f, kind, &state, bits);
        if (kind == CANCEL)
            cancel(f, bits);
        ask(f, bits, hardware, &got);
    }
    char what[96];
    snprintf(what, sizeof what, "%s: %s", type, names[kind]);
    ok(!got.wrong && got.hash == expected, what);
    if (got.hash != expected)
        printf("# the hash is 0x%016" PRIx64 "\n", got.hash);
}

/* Every triple of special numbers. */
static void check_special(const struct format *f, const char *type, uint64_t expected)
{
    const uint64_t one = number(f, 0, 0, 0), top = UINT64_C(1) << (f->fraction + f->exponents);
    const uint64_t infinite = top - (UINT64_C(1) << f->fraction), normal = UINT64_C(1) << f->fraction;
    const uint64_t list[] = {0, 1, 2, 3, normal - 1, normal, normal + 1, one - 1, one, one + 1,
                             2 * normal, infinite - 1, infinite - 2, infinite - normal, infinite,
                             infinite + 1, infinite + normal / 2, top - 1, number(f, 0, -1, 0),
                             number(f, 0, f->fraction, 1), number(f, 0, -f->fraction, 0),
                             number(f, 0, -f->fraction - 1, 0)};
    const unsigned count = sizeof list / sizeof *list;
    const int hardware = HAS_HARDWARE;
    struct answer got = {HASH_START, 0};
    for (unsigned n = 0; n < count * count * count * 8; n++) {
        const unsigned k = n / 8;
        const uint64_t bits[3] = {list[k % count] | (n & 1 ? top : 0),
                                  list[k / count % count] | (n & 2 ? top : 0),
                                  list[k / count / count] | (n & 4 ? top : 0)};
        ask(f, bits, hardware, &got);
    }
    char what[96];
    snprintf(what, sizeof what, "%s: every triple of special numbers", type);
    ok(!got.wrong && got.hash == expected, what);
    if (got.hash != expected)
        printf("# the hash is 0x%016" PRIx64 "\n", got.hash);
}

static const uint64_t hashes32[KINDS] = {
    UINT64_C(0x7f011bd210c97505), UINT64_C(0x0a16033e94303388),
    UINT64_C(0x2ad4066a8cbc68b3), UINT64_C(0x5076541a9e6aaf8e),
    UINT64_C(0xc51845559dfc61e2)};
static const uint64_t hashes64[KINDS] = {
    UINT64_C(0x13985e671bf20386), UINT64_C(0xc1ece9b2c972b678),
    UINT64_C(0x30559fe8acbed8d1), UINT64_C(0xf92e2169209a09ae),
    UINT64_C(0x515971cdaa50f06e)};

int main(void)
{
    for (enum kind kind = ANY; kind < KINDS; kind++)
        check(&single, "float", kind, 4000000, hashes32[kind]);
    check_special(&single, "float", UINT64_C(0x7f525d13dfa46c2a));
    for (enum kind kind = ANY; kind < KINDS; kind++)
        check(&twice, "double", kind, 1000000, hashes64[kind]);
    check_special(&twice, "double", UINT64_C(0xad969b8c57437a42));
    printf("1..%d\n", tests);
    return bad != 0;
}
