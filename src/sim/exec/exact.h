/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What arith.c, which decodes, tells exact.c, which runs, about a floating-point instruction
 * that has no line of its own in ops.def: the operation, the formats, the rounding. It travels
 * in the instruction's `offset`.
 */
#ifndef SIM_EXACT_H
#define SIM_EXACT_H

#include "sim/exec/soft.h"
#include "sim/instruction.h"

enum exact_op {
    EXACT_ADD, EXACT_SUB, EXACT_MUL, EXACT_FMA, EXACT_DIV, EXACT_SQRT, EXACT_RCP, EXACT_MIN,
    EXACT_MAX, EXACT_NEG, EXACT_ABS, EXACT_EX2, EXACT_TANH, EXACT_CVT
};

enum {
    EXACT_FLUSH_IN = 1,   /* subnormal operands are zeros */
    EXACT_FLUSH_OUT = 2,  /* subnormal results are zeros */
    EXACT_SAT = 4,        /* the result within 0 and 1, NaN is 0 */
    EXACT_RELU = 8,       /* what is negative is 0 */
    EXACT_NAN = 16,       /* min, max: one NaN is enough */
    EXACT_XORSIGN = 32,   /* min, max: of sizes, with the product's sign */
    EXACT_INTEGRAL = 64,  /* round to an integer first */
    EXACT_PAIR = 128,     /* a word with two numbers of 16 bits */
    EXACT_FINITE = 256    /* the largest number instead of infinity */
};

/* Formats that only instructions name. Their numbers follow those of enum sim_type. A tf32 uses the
 * upper bits of a word. */
enum { EXACT_TF32 = SIM_F64 + 1, EXACT_E4M3, EXACT_E5M2 };

struct exact {
    uint8_t op;       /* enum exact_op */
    uint8_t operands; /* 1 to 3 */
    uint8_t from, to; /* enum sim_type or a format above; of a pair, the format of one half */
    uint8_t rounding; /* enum soft_rounding */
    uint16_t flags;
};

#endif
