/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This header is for expr*.c alone. It has the operations of an expression, and the builder with
 * which the parser (expr-parse.c) and the functions (expr-math.c) append them. An operation is
 * known by its place in the list. It uses only operations before it. Each operation is written
 * once.
 */
#ifndef EXPR_EXPR_IR_H
#define EXPR_EXPR_IR_H

#include "base/fused.h"
#include "expr/expr.h"
#include <stdint.h>

/* f: a double, r: a 64-bit integer, p: a predicate (0 or 1 in r). */
union expr_value {
    double f;
    uint64_t r;
};

/*
 * One line an operation: name, kind of its result, kinds of its operands, the PTX, and its
 * meaning in C (v is the result). Integers wrap, hence uint64_t. FMA rounds once; PICK is
 * "a if c, else b", the one way to choose, so that there are no branches. Operations without PTX
 * are for elements of arrays. Only the host computes these.
 */
#define EXPR_OPS(OP)                                                              \
    OP(X, 'f', "", "", v.f = 0)                                                   \
    OP(REAL, 'f', "", "mov.f64", v.f = 0)                                         \
    OP(WHOLE, 'r', "", "mov.u64", v.r = 0)                                        \
    OP(INPUT, 'r', "", "", v.r = 0)                                               \
    OP(ADD, 'f', "ff", "add.rn.f64", v.f = a.f + b.f)                             \
    OP(SUB, 'f', "ff", "sub.rn.f64", v.f = a.f - b.f)                             \
    OP(MUL, 'f', "ff", "mul.rn.f64", v.f = a.f * b.f)                             \
    OP(DIV, 'f', "ff", "div.rn.f64", v.f = a.f / b.f)                             \
    OP(FMA, 'f', "fff", "fma.rn.f64", v.f = fused64(a.f, b.f, c.f))         \
    OP(SQRT, 'f', "f", "sqrt.rn.f64", v.f = __builtin_sqrt(a.f))                  \
    OP(ABS, 'f', "f", "abs.f64", v.f = __builtin_fabs(a.f))                       \
    OP(NEG, 'f', "f", "neg.f64", v.f = -a.f)                                      \
    OP(ROUND, 'f', "f", "cvt.rni.f64.f64", v.f = round_to_even(a.f))              \
    OP(LESS, 'p', "ff", "setp.lt.f64", v.r = a.f < b.f)                           \
    OP(EQUAL, 'p', "ff", "setp.eq.f64", v.r = a.f == b.f)                         \
    OP(PICK, 'f', "ffp", "selp.f64", v = c.r ? a : b)                             \
    OP(BITS, 'r', "f", "mov.b64", v.r = a.r)                                      \
    OP(FROM_BITS, 'f', "r", "mov.b64", v.r = a.r)                                 \
    OP(TO_REAL, 'f', "r", "cvt.rn.f64.s64", v.f = (double)(int64_t)a.r)           \
    OP(IADD, 'r', "rr", "add.s64", v.r = a.r + b.r)                               \
    OP(ISUB, 'r', "rr", "sub.s64", v.r = a.r - b.r)                               \
    OP(IMUL, 'r', "rr", "mul.lo.s64", v.r = a.r * b.r)                            \
    OP(IDIV, 'r', "rr", "div.u64", v.r = b.r ? a.r / b.r : 0)                     \
    OP(IREM, 'r', "rr", "rem.u64", v.r = b.r ? a.r % b.r : 0)                     \
    OP(IAND, 'r', "rr", "and.b64", v.r = a.r & b.r)                               \
    OP(IXOR, 'r', "rr", "xor.b64", v.r = a.r ^ b.r)                               \
    OP(SHL, 'r', "rr", "shl.b64", v.r = a.r << b.r)                               \
    OP(SHR, 'r', "rr", "shr.s64", v.r = shift_right(a.r, b.r))                    \
    OP(SDIV, 'r', "rr", "", v.r = signed_ratio(a.r, b.r, false))                  \
    OP(SREM, 'r', "rr", "", v.r = signed_ratio(a.r, b.r, true))                   \
    OP(SPOW, 'r', "rr", "", whole_power(a.r, b.r, &v.r))                          \
    OP(FREM, 'f', "ff", "", v.f = remainder_of(a.f, b.f))                         \
    OP(IEQUAL, 'p', "rr", "setp.eq.s64", v.r = a.r == b.r)                        \
    OP(INEGATIVE, 'p', "rr", "setp.lt.s64", v.r = (int64_t)a.r < (int64_t)b.r)

enum expr_op {
#define EXPR_OP_NAME(name, kind, operands, ptx, meaning) OP_##name,
    EXPR_OPS(EXPR_OP_NAME)
#undef EXPR_OP_NAME
    OP_COUNT
};

struct expr_code {
    enum expr_op op;
    int use[3];             /* places of the operands, -1 where there is none */
    union expr_value value; /* of REAL and WHOLE; r of INPUT is which one */
    int last_use;           /* where it is needed last, -1 where it never is */
    int reg;                /* its PTX register, among those of its kind */
    int next_free;          /* while registers are given out */
};

enum { KIND_F, KIND_R, KIND_P, KINDS };

struct expr {
    const struct allocator *from;
    char *text;
    size_t text_size;
    struct expr_code *code; /* the last one is not always the result: see `result` */
    size_t capacity;
    int count;
    int result;
    bool checked;           /* signed integers, and an overflow is an error */
    int registers[KINDS];   /* how many of each kind the PTX takes */
};

/*
 * Appending. Everything gives the place of a value, or -1 for good once something went
 * wrong; -1 may be passed on as an operand, so that only the end needs a look at `trouble`.
 */
enum { EXPR_TABLE = 2 * EXPR_MAX_CODE };

struct expr_builder {
    struct expr *expr;
    int *table; /* hashed: the place of an operation like this one, or 0 (place 0 is x) */
    enum { EXPR_FINE, EXPR_NO_MEMORY, EXPR_TOO_BIG } trouble;
};

int expr_emit(struct expr_builder *, enum expr_op, int a, int b, int c);
int expr_real(struct expr_builder *, double);
int expr_whole(struct expr_builder *, uint64_t);
int expr_input(struct expr_builder *, int which);
bool expr_is_real(const struct expr_builder *, int place, double *value);
bool expr_is_zero(const struct expr_builder *, int place); /* the whole number */

/* Once all is appended: what is needed how long, and which register holds it. */
void expr_assign_registers(struct expr *);

/* The functions, in those operations. */
int expr_sin(struct expr_builder *, int x);
int expr_cos(struct expr_builder *, int x);
int expr_tan(struct expr_builder *, int x);
int expr_exp(struct expr_builder *, int x);
int expr_log(struct expr_builder *, int x);
int expr_sqrt(struct expr_builder *, int x);
int expr_abs(struct expr_builder *, int x);
int expr_pow(struct expr_builder *, int x, int y);

#endif
