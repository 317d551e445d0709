/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declarations in the text of a CUDA C source, read without a compiler. PTX says only how many
 * bytes a parameter or variable takes, and an extern "C" name says nothing, so types are read
 * where the student wrote them. What isn't understood stays as it was written: macros other than
 * #define NAME VALUE are not expanded, headers are not read, and scopes are not told apart.
 */
#ifndef CC_DECLARE_H
#define CC_DECLARE_H

#include "cc/tokens.h"

#include <stdbool.h>
#include <stdint.h>

enum { DECLARED_DIMS = 8 };

struct declared {
    const char *name; /* "x", or "" */
    const char *type; /* "const float*", "unsigned int"; of an array variable, its element's */
    bool is_pointer;
    const char *pointee;          /* "float": without const; NULL where it is no pointer */
    bool restricted;              /* __restrict__ */
    unsigned dim_count;           /* of variables and fields; a parameter float a[] is a pointer */
    uint64_t dims[DECLARED_DIMS]; /* 0: not said, or not known */
};

/* Reads a text once, so that it can be asked often; -1: out of memory. What the functions below
 * give lives in the arena. */
int declare_read(const char *text, size_t n, struct arena *, struct tokens *out);

/* The parameters of __global__ `kernel`, its name with or without scopes; the definition counts,
 * else the first declaration. Gives how many there are; -1: no such kernel, more than `most`, or
 * out of memory. *line: where the kernel is defined, 0 where it isn't. */
int declared_kernel(const struct tokens *, const char *kernel, struct declared *out,
                    unsigned most, int *line);

/* A __device__, __constant__ or __managed__ variable; -1: none of that name. */
int declared_variable(const struct tokens *, const char *name, struct declared *out);
/* The nth __shared__ variable of that name, 0 for the first: each kernel may have one. */
int declared_shared(const struct tokens *, const char *name, unsigned nth, struct declared *out);
/* The same of those in the body of a kernel. */
int declared_shared_in(const struct tokens *, const char *kernel, const char *name, unsigned nth,
                       struct declared *out);

struct declared_field {
    struct declared is;
    uint64_t offset, size; /* size of all its elements */
};

struct declared_layout {
    struct declared_field *fields;
    unsigned count;
    uint64_t size, align;
};

/* How a plain struct lies in memory; -1: none of that name, or it holds what isn't plain data. */
int declared_struct(const struct tokens *, const char *name, struct declared_layout *out);

#endif
