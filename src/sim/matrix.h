/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matrices that lie in the registers of a warp, as the instructions of tensor cores have them. The
 * header is for src/sim/ alone. decode/shapes-matrix.c finds out where the elements lie,
 * exec/exec-matrix.h moves them, and exec/matrix-math.h multiplies.
 */
#ifndef SIM_MATRIX_H
#define SIM_MATRIX_H

#include "sim/code.h"

enum { MATRIX_REGISTERS = 8, MATRIX_PARTS = 8 };

/* What an element is. b1 is kept as words of 32 elements. */
enum matrix_type {
    MATRIX_NONE, MATRIX_F16, MATRIX_BF16, MATRIX_TF32, MATRIX_F64, MATRIX_E4M3, MATRIX_E5M2,
    MATRIX_S8, MATRIX_U8, MATRIX_S4, MATRIX_U4, MATRIX_B1, MATRIX_F32, MATRIX_S32
};

/*
 * Where the elements of a matrix lie. Each of the bits in the number of a lane, of a register and
 * of a part of a register moves an element by a fixed way, so that three numbers add up to its
 * place. A place is row << 8 | column; `at` is the place's number in an array of all elements.
 */
struct fragment {
    enum matrix_type type;
    uint8_t bits, parts;     /* of an element; elements in a register */
    uint8_t registers, used; /* all; and those that are not copies of earlier ones */
    uint16_t lane[LANES], reg[MATRIX_REGISTERS], part[MATRIX_PARTS];
    uint16_t lane_at[LANES], reg_at[MATRIX_REGISTERS], part_at[MATRIX_PARTS];
};

/* How a product is computed: see matrix-math.h. */
enum matrix_rule {
    RULE_SUM, RULE_HALVES, RULE_CHAIN, RULE_QUADS, RULE_DOUBLE, RULE_WHOLE, RULE_BITS
};

/* Operands of an instruction: rows of registers, by matrix. */
enum { MATRIX_A, MATRIX_B, MATRIX_C, MATRIX_D, MATRICES };
struct matrix_use {
    struct fragment is[MATRICES];
    uint32_t row[MATRICES][MATRIX_REGISTERS];
    unsigned m, n, k;
    enum matrix_rule rule;
    bool saturates, ands;
    bool by_column; /* of a load or a store: a column lies in one piece; ldmatrix: transposed */
};

static inline unsigned place_row(uint16_t place) { return place >> 8; }
static inline unsigned place_column(uint16_t place) { return place & 0xff; }

#endif
