/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the floating-point instructions that have no line in ops.def: any operation, format and
 * rounding, through the arithmetic of soft.c, one lane after the other. One function for all
 * of them, since each is rare.
 */
#include "sim/exec/exact.h"
#include "sim/exec/op.h"
#include "sim/warp.h"
#include "sim/exec/lane-approx.h"

#include <string.h>

/* ---- formats ------------------------------------------------------------------------- */

static const struct soft_format formats[] = {
    [SIM_U8] = {8, 0, 0, false, 0},           [SIM_S8] = {8, 0, 0, true, 0},
    [SIM_U16] = {16, 0, 0, false, 0},         [SIM_S16] = {16, 0, 0, true, 0},
    [SIM_U32] = {32, 0, 0, false, 0},         [SIM_S32] = {32, 0, 0, true, 0},
    [SIM_U64] = {64, 0, 0, false, 0},         [SIM_S64] = {64, 0, 0, true, 0},
    [SIM_F16] = {16, 5, 10, true, 0x7fff},    [SIM_BF16] = {16, 8, 7, true, 0x7fff},
    [SIM_F32] = {32, 8, 23, true, 0x7fffffff}, [SIM_F64] = {64, 11, 52, true, 0},
    [EXACT_TF32] = {19, 8, 10, true, 0x3ffff}, [EXACT_E5M2] = {8, 5, 2, true, 0x7f},
    [EXACT_E4M3] = {8, 4, 3, true, 0x7f, .finite = true},
};

static uint64_t sign_bit(const struct soft_format *f, uint64_t bits)
{
    return bits & UINT64_C(1) << (f->bits - 1);
}

/* ---- one value ----------------------------------------------------------------------- */

/* PTX has -0 below +0 for these two; a NaN gives way to a number, unless .NaN is said. */
static struct soft lesser(const struct exact *x, struct soft a, struct soft b, bool greater)
{
    bool negative = a.negative != b.negative;
    if (x->flags & EXACT_XORSIGN)
        a.negative = b.negative = false;
    if (a.kind == SOFT_NAN || b.kind == SOFT_NAN) {
        bool first = (a.kind == SOFT_NAN) == ((x->flags & EXACT_NAN) != 0);
        a = a.kind == b.kind || first ? a : b;
    } else {
        int order = soft_compare(a, b);
        bool first = order ? order < 0 : a.negative;
        a = first != greater ? a : b;
    }
    a.negative = x->flags & EXACT_XORSIGN ? negative : a.negative;
    return a;
}

/* An approximation of f32, for a narrower operand. */
static struct soft through_f32(const struct exact *x, struct soft v)
{
    const struct soft_format *f = &formats[SIM_F32];
    uint32_t bits = (uint32_t)soft_pack(f, v, SOFT_NEAREST);
    float value;
    memcpy(&value, &bits, 4);
    value = x->op == EXACT_EX2 ? approx_ex2(value) : approx_tanh(value);
    memcpy(&bits, &value, 4);
    return soft_unpack(f, bits);
}

static struct soft operate(const struct exact *x, const struct soft v[3])
{
    enum soft_rounding mode = (enum soft_rounding)x->rounding;
    struct soft a = v[0], b = v[1];
    switch ((enum exact_op)x->op) {
    case EXACT_SUB: b.negative ^= b.kind != SOFT_NAN; /* fall through */
    case EXACT_ADD: return soft_add(a, b, mode);
    case EXACT_MUL: return soft_multiply(a, b);
    case EXACT_FMA: return soft_add(soft_multiply(a, b), v[2], mode);
    case EXACT_DIV: return soft_divide(a, b);
    case EXACT_RCP: return soft_divide(soft_unpack(&formats[SIM_U8], 1), a);
    case EXACT_SQRT: return soft_root(a);
    case EXACT_MIN: return lesser(x, a, b, false);
    case EXACT_MAX: return lesser(x, a, b, true);
    case EXACT_NEG: a.negative = !a.negative; return a;
    case EXACT_ABS: a.negative = false; return a;
    case EXACT_EX2:
    case EXACT_TANH: return through_f32(x, a);
    case EXACT_CVT: break;
    }
    return x->flags & EXACT_INTEGRAL ? soft_integral(a, mode) : a;
}

/* Applies .satfinite, .sat and .relu to a rounded result. */
static uint64_t finish(const struct exact *x, uint64_t bits)
{
    const struct soft_format *f = &formats[x->to];
    if (x->flags & EXACT_FINITE && (bits & ~sign_bit(f, bits)) == soft_limit(f, false) + 1)
        bits = f->finite ? bits : bits - 1;
    if (!f->exponent_bits || !(x->flags & (EXACT_SAT | EXACT_RELU)))
        return bits;
    uint64_t one = ((UINT64_C(1) << (f->exponent_bits - 1)) - 1) << f->fraction_bits;
    bool is_nan = (bits & ~sign_bit(f, bits)) > soft_limit(f, false) + !f->finite;
    if (x->flags & EXACT_RELU)
        return sign_bit(f, bits) && !is_nan ? 0 : bits;
    return is_nan || sign_bit(f, bits) ? 0 : bits > one ? one : bits;
}

static uint64_t compute(const struct exact *x, const uint64_t operand[3])
{
    const struct soft_format *f = &formats[x->from];
    struct soft v[3] = {{.kind = SOFT_ZERO}};
    for (unsigned k = 0; k < x->operands; k++) {
        bool flush = x->flags & EXACT_FLUSH_IN && soft_is_subnormal(f, operand[k]);
        v[k] = soft_unpack(f, flush ? sign_bit(f, operand[k]) : operand[k]);
    }
    enum soft_rounding mode = (enum soft_rounding)x->rounding;
    const struct soft_format *to = &formats[x->to];
    struct soft result = operate(x, v);
    if (x->flags & EXACT_FLUSH_OUT)
        result = soft_flush(to, result, mode);
    if (result.kind == SOFT_NAN && x->from == SIM_F64 && !to->exponent_bits)
        return UINT64_C(1) << (to->bits - 1); /* only of a float it would be 0 */
    return finish(x, soft_pack(to, result, mode)) << (x->to == EXACT_TF32 ? 13 : 0);
}

/* ---- a warp -------------------------------------------------------------------------- */

static unsigned char *lane_at(struct warp *w, uint32_t row, unsigned bytes, unsigned lane)
{
    return w->base[row & 1u] + (row & ~1u) + (size_t)bytes * lane;
}

static unsigned bytes_of(unsigned type, bool pair)
{
    unsigned bytes = (formats[type].bits + 15u) / 16 * 2;
    return pair ? 4 : bytes; /* an 8-bit number takes 16 bits of its row */
}

/* Rows are little endian, as the host is. */
static uint64_t run_lane(const struct exact *x, const uint64_t operand[3])
{
    if (!(x->flags & EXACT_PAIR))
        return compute(x, operand);
    uint64_t result = 0;
    for (unsigned at = 0; at < 32; at += 16) {
        uint64_t half[3] = {operand[0] >> at & 0xffff, operand[1] >> at & 0xffff,
                            operand[2] >> at & 0xffff};
        result |= compute(x, half) << at;
    }
    return result;
}

enum after exact_run(struct warp *w, const struct insn *in, uint32_t m)
{
    struct exact x;
    memcpy(&x, &in->offset, sizeof x);
    const uint32_t rows[3] = {in->a, in->b, in->c};
    unsigned from = bytes_of(x.from, x.flags & EXACT_PAIR);
    unsigned to = bytes_of(x.to, x.flags & EXACT_PAIR);
    EACH_LANE(lane, m) {
        uint64_t operand[3] = {0, 0, 0};
        for (unsigned k = 0; k < x.operands; k++)
            memcpy(&operand[k], lane_at(w, rows[k], from, lane), from);
        uint64_t result = run_lane(&x, operand);
        if (x.to == SIM_S8)
            result = (uint64_t)(int64_t)(int8_t)result;
        memcpy(lane_at(w, in->d, to, lane), &result, to);
    }
    return GO;
}
