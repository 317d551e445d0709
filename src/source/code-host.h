/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lab's kernel with a host part around it: a program of its own, to be built by nvcc.
 *
 * The program is, in this order, what all of them share (kernels/host/check.h), the variant's
 * part of kernels/X.cu with what that needs of headers (code-headers.h), and its part of
 * kernels/host/X.cu. Of the latter the opening comment is
 * left out; the word KERNEL stands for the name of the variant's kernel; a line `//: nvcc OPTIONS`
 * says what else nvcc must be told; markers are those of code-lines.h, and what stands before
 * the first one is for every variant.
 */
#ifndef SOURCE_CODE_HOST_H
#define SOURCE_CODE_HOST_H

#include "base/buf.h"
#include "base/lines.h"

struct code_program {
    struct buf text;
    int opening;     /* lines of the comment at its head */
    bool has_kernel; /* of its own; else a library's is called */
    char file[80];   /* "trap_shuffle.cu" */
    char build[200]; /* "nvcc -o trap_shuffle trap_shuffle.cu" */
};

/* lab: as typed; module: that of its files; variant: a part of its kernel file, NULL where that
 * has no parts; kernel: what KERNEL stands for, NULL: the part's first one. Free the text always.
 * -1: out of memory, or the lab has no host part, and e says which. */
int code_program(const char *lab, const char *module, const char *variant, const char *kernel,
                 struct code_program *, struct err *e);
void code_program_free(struct code_program *);

#endif
