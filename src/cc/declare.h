/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declarations in the text of a CUDA C source, read without a compiler. PTX says only how many
 * bytes a parameter or variable takes, and an extern "C" name says nothing, so types are read
 * where the student wrote them. What can't be made out is left as it stands there: macros other
 * than #define NAME VALUE are not expanded, headers are not read, and scopes are not told apart.
 */
#ifndef CC_DECLARE_H
#define CC_DECLARE_H

#include "base/mem.h"

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
    uint64_t dims[DECLARED_DIMS]; /* 0: not said, or can't be made out */
};

/*
 * The parameters of __global__ `kernel`, its name with or without scopes; the definition counts,
 * else the first declaration. Gives how many there are; -1: no such kernel, more than `most`, or
 * out of memory.
 */
int declared_params(const char *text, size_t n, const char *kernel, struct arena *,
                    struct declared *out, unsigned most);

/* A __device__, __constant__ or __managed__ variable; -1: none of that name. */
int declared_variable(const char *text, size_t n, const char *name, struct arena *,
                      struct declared *out);

/* The same for a text that is read once and asked often; what comes lives in the tokens' arena.
 * *line: where the kernel is defined, 0 where it isn't. */
struct tokens;
int declared_kernel(struct tokens *, const char *kernel, struct declared *out, unsigned most,
                    int *line);
int declared_variable_in(const struct tokens *, const char *name, struct declared *out);
/* The nth __shared__ variable of that name, 0 for the first: each kernel may have one. */
int declared_shared_in(const struct tokens *, const char *name, unsigned nth,
                       struct declared *out);

/* What typedef or using makes of `name`: "float", "unsigned char*"; -1: it is no such name. */
int declared_typedef(const char *text, size_t n, const char *name, struct arena *,
                     const char **type);

/* The line where `kernel` is defined, 1 for the first; 0: it isn't. */
int source_line(const char *text, size_t n, const char *kernel);

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
int declared_struct(const char *text, size_t n, const char *name, struct arena *,
                    struct declared_layout *out);

#endif
