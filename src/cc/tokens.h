/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file's tokens in a list, for readers of declarations: directives and code under #if 0 are
 * gone; #define NAME VALUE is remembered, since array sizes are often said so.
 */
#ifndef CC_TOKENS_H
#define CC_TOKENS_H

#include "base/mem.h"
#include "cc/token.h"

#include <stdbool.h>
#include <stdint.h>

struct macro {
    const char *name, *value; /* the value: to the end of its line, comments and all */
    size_t name_length, value_length;
};

struct kernel_place {
    size_t name, open; /* tokens: its name, the ( of its parameters */
    bool defined;      /* a body follows */
};

struct tokens {
    struct token *list; /* ends with a TOKEN_END */
    size_t count, room;
    struct macro *macros;
    size_t macro_count, macro_room;
    bool packed;  /* there is a #pragma pack */
    bool renames; /* there is a typedef or a using */
    struct kernel_place *kernels; /* once declare.c has looked for them */
    size_t kernel_count, kernel_room;
    bool knows_kernels;
    struct arena *arena;
};

/* -1: out of memory. A text that ends in the middle of a comment or string is no error. */
int tokens_read(const char *text, size_t n, struct arena *, struct tokens *out);

/* Room for one more of `count` items, which may move to other memory; NULL: there is none. */
void *tokens_grow(struct arena *, void *items, size_t count, size_t *room, size_t size);

/* Past the bracket that closes the one at `i`, or at the end. Of < >, those of a template. */
size_t tokens_skip_bracket(const struct tokens *, size_t i);

/* The value of an integer expression in tokens `from` to `to`; false: it can't be made out. */
bool tokens_value(const struct tokens *, size_t from, size_t to, int64_t *out);

#endif
