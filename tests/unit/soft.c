/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulator's floating point by integers (src/sim/exec/soft.c) against the host's, in all four
 * rounding modes, and the quick halves of lane-half.h against it: corner cases and what a
 * small generator draws.
 */
#include "base/fused.h"
#include "base/random.h"
#include "sim/exec/lane-half.h"
#include "sim/exec/soft.h"

#include <fenv.h>
#include <stdio.h>
#include <string.h>

static const struct soft_format f16 = {16, 5, 10, true, 0x7fff, false};
static const struct soft_format f32 = {32, 8, 23, true, 0x7fffffff, false};
static const struct soft_format f64 = {64, 11, 52, true, UINT64_C(0x7fffffffffffffff),
                                       false};
static const struct soft_format s64 = {64, 0, 0, true, 0, false};

static const int host_mode[] = {[SOFT_NEAREST] = FE_TONEAREST, [SOFT_ZEROWARD] = FE_TOWARDZERO,
                                [SOFT_DOWN] = FE_DOWNWARD, [SOFT_UP] = FE_UPWARD};
enum { ROUNDS = 20000, OPERATIONS = 6 };
static const char *const names[OPERATIONS] = {"add",    "subtract", "multiply",
                                              "divide", "root",     "fma"};

static int tests, bad;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests, what);
    bad += !good;
}

/* Bits of a number: often of middling size, or with few ones, at times zero, huge or tiny. */
static uint64_t draw_number(uint64_t *state, const struct soft_format *f)
{
    uint64_t v = random_next(state), kind = random_next(state) % 8, one = UINT64_C(1);
    uint64_t fraction = v & ((one << f->fraction_bits) - 1);
    uint64_t most = (one << f->exponent_bits) - 1, exponent = v >> 52 & most;
    if (kind < 4)
        exponent = most / 2 - 12 + v % 25;
    if (kind == 5)
        exponent = v & 1 ? 0 : most;
    if (kind & 1)
        fraction &= ~(fraction >> 7 | fraction >> 3 | fraction >> 1);
    if (kind == 6)
        fraction = 0;
    return (v >> 63) << (f->bits - 1) | exponent << f->fraction_bits | fraction;
}

static uint64_t by_soft(unsigned op, const struct soft_format *f, const uint64_t in[3],
                        enum soft_rounding mode)
{
    struct soft a = soft_unpack(f, in[0]), b = soft_unpack(f, in[1]), c = soft_unpack(f, in[2]);
    struct soft minus = b;
    minus.negative = !b.negative;
    struct soft r = op == 0   ? soft_add(a, b, mode)
                    : op == 1 ? soft_add(a, minus, mode)
                    : op == 2 ? soft_multiply(a, b)
                    : op == 3 ? soft_divide(a, b)
                    : op == 4 ? soft_root(a)
                              : soft_add(soft_multiply(a, b), c, mode);
    return soft_pack(f, r, mode);
}

/* `volatile` keeps the compiler from computing under another rounding mode. */
#define BY_HOST(name, T, U, ROOT, FMA, NANS)                                                 \
    static uint64_t name(unsigned op, const uint64_t in[3], enum soft_rounding mode)         \
    {                                                                                        \
        volatile T v[3], r;                                                                  \
        for (int k = 0; k < 3; k++) {                                                        \
            U bits = (U)in[k];                                                               \
            memcpy((void *)&v[k], &bits, sizeof bits);                                       \
        }                                                                                    \
        fesetround(host_mode[mode]);                                                         \
        r = op == 0   ? v[0] + v[1]                                                          \
            : op == 1 ? v[0] - v[1]                                                          \
            : op == 2 ? v[0] * v[1]                                                          \
            : op == 3 ? v[0] / v[1]                                                          \
            : op == 4 ? ROOT(v[0])                                                           \
                      : FMA(v[0], v[1], v[2]);                                               \
        fesetround(FE_TONEAREST);                                                            \
        U bits;                                                                              \
        memcpy(&bits, (void *)&r, sizeof bits);                                              \
        return r != r ? (NANS) : bits;                                                       \
    }
#ifdef __EMSCRIPTEN__ /* its library rounds some ties wrongly; only to nearest is asked there */
#define HOST_FMAF fused_by_double
#else
#define HOST_FMAF __builtin_fmaf
#endif
BY_HOST(by_host32, float, uint32_t, __builtin_sqrtf, HOST_FMAF, f32.nan)
BY_HOST(by_host64, double, uint64_t, __builtin_sqrt, __builtin_fma, f64.nan)

/* Under valgrind the host rounds to nearest whatever it is told: then it is no witness. */
static bool host_rounds(enum soft_rounding mode)
{
    const uint64_t in[3] = {0x3f800000, 1, 0}, minus[3] = {0x3f800000, 0x80000001, 0};
    return mode == SOFT_NEAREST || (mode == SOFT_UP ? by_host32(0, in, mode) == 0x3f800001
                                                    : by_host32(0, minus, mode) == 0x3f7fffff);
}

static void test_operation(unsigned op, const struct soft_format *f, enum soft_rounding mode)
{
    static const char *const modes[] = {"to nearest", "toward zero", "down", "up"};
    uint64_t state = op * 16 + mode, in[3], wrong = 0;
    char what[80];
    bool witness = host_rounds(mode);
    for (int i = 0; i < ROUNDS && witness; i++) {
        for (int k = 0; k < 3; k++)
            in[k] = draw_number(&state, f);
        uint64_t soft = by_soft(op, f, in, mode);
        uint64_t host = f == &f32 ? by_host32(op, in, mode) : by_host64(op, in, mode);
        if (soft != host && wrong++ == 0)
            printf("# %llx, %llx, %llx: %llx, the host has %llx\n", (unsigned long long)in[0],
                   (unsigned long long)in[1], (unsigned long long)in[2],
                   (unsigned long long)soft, (unsigned long long)host);
    }
    snprintf(what, sizeof what, "%s of f%d, %s%s", names[op], f->bits, modes[mode],
             witness ? "" : " # SKIP the host has no other rounding here");
    ok(wrong == 0, what);
}

static void test_half(void)
{
    uint64_t state = 7, wrong = 0, in[3];
    for (uint32_t h = 0; h < 65536; h++) {
        double v = of_half((uint16_t)h);
        uint64_t bits;
        memcpy(&bits, &v, 8);
        struct soft exact = soft_unpack(&f16, h);
        wrong += exact.kind == SOFT_NAN ? v == v : bits != soft_pack(&f64, exact, SOFT_NEAREST);
        wrong += to_half(v) != (exact.kind == SOFT_NAN ? 0x7fff : h);
    }
    ok(wrong == 0, "every half to double and back");
    wrong = 0;
    for (int i = 0; i < 10 * ROUNDS; i++) {
        for (int k = 0; k < 3; k++)
            in[k] = draw_number(&state, &f16);
        uint16_t a = (uint16_t)in[0], b = (uint16_t)in[1], c = (uint16_t)in[2];
        wrong += half_add(a, b) != by_soft(0, &f16, in, SOFT_NEAREST);
        wrong += half_sub(a, b) != by_soft(1, &f16, in, SOFT_NEAREST);
        wrong += half_mul(a, b) != by_soft(2, &f16, in, SOFT_NEAREST);
        wrong += half_fma(a, b, c) != by_soft(5, &f16, in, SOFT_NEAREST);
    }
    ok(wrong == 0, "quick halves round as the exact ones");
    wrong = 0;
    for (int i = 0; i < 10 * ROUNDS; i++) {
        uint32_t bits = (uint32_t)draw_number(&state, &f32);
        float v;
        memcpy(&v, &bits, 4);
        wrong += to_half((double)v) != soft_pack(&f16, soft_unpack(&f32, bits), SOFT_NEAREST);
    }
    ok(wrong == 0, "floats to halves");
}

static void test_integers(void)
{
    uint64_t state = 11, wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t v = (int64_t)(random_next(&state) >> random_next(&state) % 64) * (i & 1 ? -1 : 1);
        float f = (float)v;
        double back = (double)f;
        uint32_t bits;
        uint64_t long_bits;
        memcpy(&bits, &f, 4);
        memcpy(&long_bits, &back, 8);
        struct soft s = soft_unpack(&s64, (uint64_t)v);
        wrong += soft_pack(&f32, s, SOFT_NEAREST) != bits;
        if (f < 0x1p63f)
            wrong += soft_pack(&s64, soft_unpack(&f64, long_bits), SOFT_DOWN) != (uint64_t)(int64_t)f;
    }
    ok(wrong == 0, "integers to floats and back");
}

int main(void)
{
    for (unsigned op = 0; op < OPERATIONS; op++)
        for (unsigned mode = SOFT_NEAREST; mode <= SOFT_UP; mode++) {
            test_operation(op, &f32, (enum soft_rounding)mode);
            test_operation(op, &f64, (enum soft_rounding)mode);
        }
    test_half();
    test_integers();
    printf("1..%d\n", tests);
    return bad != 0;
}
