/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file's tokens in a list, for readers of declarations; directives and code under #if 0 are left
 * out. Beside the list stands an index of the names that the file declares, sorted, since a file
 * may have thousands and each is asked for by its name. tokens_read() enters the macros, declare.c
 * the rest.
 */
#ifndef CC_TOKENS_H
#define CC_TOKENS_H

#include "base/mem.h"
#include "cc/token.h"

#include <stdbool.h>
#include <stdint.h>

enum named_kind {
    NAMED_MACRO,    /* #define NAME VALUE, with the value's text */
    NAMED_TYPE,     /* typedef or using; at: where the type begins */
    NAMED_CONSTANT, /* const int N = ...; at: behind the = */
    NAMED_STRUCT,   /* at: its { */
    NAMED_KERNEL,   /* at: the name; open: the ( of its parameters */
    NAMED_VARIABLE, /* __device__, __constant__ or __managed__ */
    NAMED_SHARED,   /* __shared__; at: its statement */
    NAMED_DEFINITION /* at: the caller's own number */
};

struct named {
    enum named_kind kind;
    struct token name;
    size_t at, open; /* tokens */
    bool defined;    /* of a kernel: a body follows */
    const char *value; /* of a macro: to the end of its line, comments and all */
    size_t value_length;
    const struct declared *variable;
    size_t order; /* names of one kind that are spelled alike come in the file's order */
};

struct tokens {
    struct token *list; /* ends with a TOKEN_END */
    size_t count, room;
    struct named *names;
    size_t name_count, name_room;
    size_t sorted; /* so many of the names can be found */
    bool packed;   /* there is a #pragma pack */
    struct arena *arena;
};

/* -1: out of memory. A text that ends in the middle of a comment or string is no error. */
int tokens_read(const char *text, size_t n, struct arena *, struct tokens *out);

/* Enters a name; -1: out of memory. It is found once tokens_sort_names() was called. */
int tokens_add_name(struct tokens *, struct named);
void tokens_sort_names(struct tokens *);
/* The first of *count names of this kind with this spelling. */
const struct named *tokens_named(const struct tokens *, enum named_kind, const char *name,
                                 size_t length, size_t *count);

/* The token behind the bracket that closes the one at `i`, or the end. < > are a template's. */
size_t tokens_skip_bracket(const struct tokens *, size_t i);

/* The value of an integer expression in tokens `from` to `to`; false: it can't be computed. */
bool tokens_value(const struct tokens *, size_t from, size_t to, int64_t *out);

#endif
