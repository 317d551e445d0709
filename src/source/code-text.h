/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which lines of a CUDA C file belong to a kernel: its own, from the comment above to the
 * closing brace, and those of the __device__ functions and variables that it uses. They are
 * found by name, so another function of the same name comes along.
 */
#ifndef SOURCE_CODE_TEXT_H
#define SOURCE_CODE_TEXT_H

#include "base/lines.h"
#include "base/mem.h"

struct code_part {
    int first, last; /* lines, 1 is the first of the file */
};

/* The parts to show, the kernel's first, the others as they lie in the file. *count 0: the file
 * doesn't define such a kernel. NULL: out of memory. */
const struct code_part *code_parts(struct span text, const char *kernel, struct arena *,
                                   unsigned *count);

#endif
