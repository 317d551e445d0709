/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole numbers for expressions that say which element is a thread's: the names that a kernel
 * has, and 32-bit arithmetic made of the 64-bit operations.
 */
#include "expr/expr-ir.h"
#include <string.h>

/* In the order of the inputs; the short names of two of them behind. */
static const char *const names[] = {
    "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y", "blockIdx.z",
    "blockDim.x", "blockDim.y", "blockDim.z", "gridDim.x", "gridDim.y", "gridDim.z",
    "thread", "block", NULL};

const char *expr_input_name(int which)
{
    return names[which];
}

int expr_input_named(const char *name, int length)
{
    for (int i = 0; names[i]; i++)
        if (strlen(names[i]) == (size_t)length && memcmp(names[i], name, (size_t)length) == 0)
            return i < EXPR_INPUTS ? i : 3 * (i - EXPR_INPUTS);
    return -1;
}

int expr_index_emit(struct expr_builder *b, char op, int left, int right)
{
    enum expr_op code = op == '+'   ? OP_IADD
                        : op == '-' ? OP_ISUB
                        : op == '*' ? OP_IMUL
                        : op == '/' ? OP_IDIV
                                    : OP_IREM;
    int wide = expr_emit(b, code, left, right, -1);
    return expr_emit(b, OP_IAND, wide, expr_whole(b, UINT32_MAX), -1);
}
