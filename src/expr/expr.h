/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions students type after `trap -f`: text such as "x^2 + sin(x)" becomes a
 * straight line of double precision operations, which is then written as a PTX function
 * for the device or worked through on the host. Both give the same bits: sin, exp and the
 * rest are spelled out in those operations too, so no math library has a say in it.
 */
#ifndef EXPR_EXPR_H
#define EXPR_EXPR_H

#include "base/buf.h"
#include "base/mem.h"
#include <stdbool.h>
#include <stdint.h>

enum {
    EXPR_MAX_TEXT = 4096, /* bytes of an expression */
    EXPR_MAX_DEPTH = 200, /* parentheses and powers inside one another */
    EXPR_MAX_CODE = 32768 /* operations it may turn into */
};

struct expr;

struct expr_error {
    int column; /* 1 is the first byte */
    char text[200];
};

/* 0 and *out, or -1, *out NULL and a sentence that says what would be right. */
int expr_parse(const char *text, struct expr **out, struct expr_error *);
int expr_parse_with(const struct allocator *, const char *text, struct expr **out,
                    struct expr_error *);
void expr_free(struct expr *);

const char *expr_text(const struct expr *);

/* What the PTX function computes before it rounds to float. */
double expr_eval(const struct expr *, double x);

/* Append `.func (.param .b32 func_retval0) name(.param .b32 name_param_0)`, float to float. */
int expr_ptx(const struct expr *, const char *name, struct buf *out);

/*
 * The other kind of expression: which element a thread has, in whole numbers over threadIdx.x and
 * the like, `thread` and `block` for short. All is unsigned 32 bits, as in C where threadIdx.x is.
 */
enum { EXPR_INPUTS = 12 }; /* threadIdx, blockIdx, blockDim, gridDim, each x y z */
int expr_parse_index(const char *text, struct expr **out, struct expr_error *);
/* -1: it divides by zero there. */
int expr_eval_index(const struct expr *, const uint32_t input[EXPR_INPUTS], uint32_t *out);
/* Append `.func (.param .b32 func_retval0) name()`, the same for the thread that calls it. */
int expr_ptx_index(const struct expr *, const char *name, struct buf *out);

/*
 * The third kind computes an element of an array. Its names are i (the index), n (how many elements
 * there are), row, col and plane. In an array of integers all numbers are whole, with 64 bits: `/`
 * drops the fraction, and an overflow is an error. In other arrays it is like the formula of trap,
 * and % is the remainder.
 */
enum expr_of { EXPR_I, EXPR_N, EXPR_ROW, EXPR_COL, EXPR_PLANE, EXPR_ELEMENT_INPUTS };
enum expr_fault { EXPR_RIGHT, EXPR_BY_ZERO, EXPR_OVERFLOW, EXPR_NEGATIVE_POWER };
int expr_parse_element(const char *text, bool whole, struct expr **out, struct expr_error *);
/* The same with the names of arrays, NULL-ended: x, or x[i], is the element with the same index. Their
 * values follow in the input: whole numbers, or the bits of doubles. */
int expr_parse_named(const char *text, bool whole, const char *const *names, struct expr **out,
                     struct expr_error *);
bool expr_has_name(const char *name); /* it means something without any array */
bool expr_reads(const struct expr *, enum expr_of);
enum expr_fault expr_eval_whole(const struct expr *, const uint64_t input[], int64_t *out);
double expr_eval_real(const struct expr *, const uint64_t input[]);

/*
 * The integral from a to b in double, each piece by Gauss's five points; *error (may be
 * NULL) gets how far off it may be. Where the function is not finite, so is the answer.
 */
double expr_integral(const struct expr *, double a, double b, long pieces, double *error);

#endif
