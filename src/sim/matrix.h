/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matrices in the registers of a warp, for tensor core instructions. Only src/sim/ uses this
 * header. decode/shapes-matrix.c computes in which register of which lane each element is.
 * exec/exec-matrix.h moves elements, and exec/matrix-math.h multiplies.
 */
#ifndef SIM_MATRIX_H
#define SIM_MATRIX_H

#include "sim/code.h"

enum { MATRIX_REGISTERS = 8, MATRIX_PARTS = 8 };

/* The type of an element. With b1, a word of 32 elements counts as one element. */
enum matrix_type {
    MATRIX_NONE, MATRIX_F16, MATRIX_BF16, MATRIX_TF32, MATRIX_F64, MATRIX_E4M3, MATRIX_E5M2,
    MATRIX_S8, MATRIX_U8, MATRIX_S4, MATRIX_U4, MATRIX_B1, MATRIX_F32, MATRIX_S32
};

/*
 * The layout of a matrix. An element is in a lane, in a register of that lane, and in a part of
 * that register. Its place in the matrix is the sum of lane[], reg[] and part[] of these three. A
 * place is row << 8 | column. lane_at[], reg_at[] and part_at[] add up to the index of the element
 * in an array of all elements.
 */
struct fragment {
    enum matrix_type type;
    uint8_t bits, parts;     /* the bits of an element; the elements in a register */
    uint8_t registers, used; /* all registers; those that are not copies of earlier ones */
    uint16_t lane[LANES], reg[MATRIX_REGISTERS], part[MATRIX_PARTS];
    uint16_t lane_at[LANES], reg_at[MATRIX_REGISTERS], part_at[MATRIX_PARTS];
};

/* How a product is computed. matrix-math.h explains the rules. */
enum matrix_rule {
    RULE_SUM, RULE_HALVES, RULE_CHAIN, RULE_QUADS, RULE_DOUBLE, RULE_WHOLE, RULE_BITS
};

/* The operands of a tensor core instruction: the layout and the register rows of each matrix. */
enum { MATRIX_A, MATRIX_B, MATRIX_C, MATRIX_D, MATRICES };
struct matrix_use {
    struct fragment fragment[MATRICES];
    uint32_t row[MATRICES][MATRIX_REGISTERS];
    unsigned m, n, k;
    enum matrix_rule rule;
    bool saturates, ands;
    bool by_column; /* load, store: columns are contiguous in memory; ldmatrix: it transposes */
};

static inline unsigned place_row(uint16_t place) { return place >> 8; }
static inline unsigned place_column(uint16_t place) { return place & 0xff; }

#endif
