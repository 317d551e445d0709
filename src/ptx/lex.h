/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PTX as tokens. Every different word of the text exists once, as a struct word, and carries
 * what the parser knows about it at the moment: so a name is found by following a pointer,
 * and two equal names have equal addresses.
 */
#ifndef PTX_LEX_H
#define PTX_LEX_H

#include "base/err.h"
#include "base/go-on.h"
#include "base/mem.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptx_function;
struct ptx_variable;

struct word {
    struct word *next_in_bucket;
    const char *text; /* in the module's arena, so it may go into the tree */
    uint32_t hash, length;
    int directive; /* of ".reg" and its like: enum directive in parse.h; else 0 */

    struct ptx_variable *variable; /* declared under this name, innermost scope */
    unsigned variable_scope;       /* the scope it was declared in */
    struct ptx_variable *range;    /* of "%r" after .reg %r<9> */
    unsigned range_scope;
    struct word *stem; /* of "%r7": "%r", with 7 as number; filled in when first asked */
    uint32_t number;

    struct ptx_function *function;       /* of this name, in the module */
    const struct ptx_function *label_in; /* the last function that has a label of this name */
    unsigned label_scope;                /* and the scope, and what the label is called there */
    const char *label_name;
    const struct ptx_function *targets_in; /* the last function with targets of this name, */
    size_t targets;                        /* and their place on the pile */
};

/* A token is one of these or a single character such as ','. */
enum ptx_token_kind {
    TOKEN_END = 0,
    TOKEN_WORD = 256, /* add.f32, %r1, %tid.x, $L__BB0_1, shared::cluster: with their dots */
    TOKEN_DIRECTIVE,  /* .reg: one piece, with its dot */
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_SHIFT_LEFT, TOKEN_SHIFT_RIGHT, TOKEN_LESS_EQUAL, TOKEN_GREATER_EQUAL,
    TOKEN_EQUAL, TOKEN_NOT_EQUAL, TOKEN_AND, TOKEN_OR
};

enum number_kind { NUMBER_SIGNED, NUMBER_UNSIGNED, NUMBER_F32, NUMBER_F64 };

struct number {
    enum number_kind kind;
    uint64_t bits;
};

struct ptx_token {
    int kind;
    int line;
    const char *at; /* its first byte in the text */
    size_t length;  /* in bytes; of a string without its quotes */
    struct word *word;
    struct number number;
};

struct lex {
    struct ptx_token token; /* the current one */
    const char *at;         /* the first byte after it; the text ends with a NUL */
    const char *start;      /* the first byte of the whole text */
    int line;               /* the line of `at` */
    bool failed;            /* the error is set; only TOKEN_END comes from here on */
    bool given_up;          /* there is no error in the text: memory ran out, or it was stopped */
    struct err *err;
    const struct go_on *go_on;
    unsigned tokens;      /* so far; asked at some of them */
    uint32_t seed;        /* of the hash, another one each time */
    struct arena *names;  /* word texts, kept */
    struct arena *memory; /* all else, dropped after parsing */
    struct word **buckets;
    size_t bucket_count, word_count;
};

/* The text must stay, end with a NUL and hold no other. Reads no token yet. */
int lex_begin(struct lex *, const char *text, struct arena *names, struct arena *memory,
              const struct go_on *, struct err *);
void lex_next(struct lex *);

/* Stop with an error at a token; the first error stays. Always -1. */
int lex_fail(struct lex *, const struct ptx_token *, const char *fmt, ...) PRINTF_LIKE(3, 4);
int lex_fail_memory(struct lex *);

struct word *lex_word(struct lex *, const char *text, size_t n); /* NULL: memory is out */
struct word *lex_find(const struct lex *, const char *text, size_t n); /* NULL: never met */
bool lex_word_follows(const struct lex *); /* a word starts right after the current token */

/* A place to come back to, also from an error, which then is forgotten. */
struct lex_place {
    struct ptx_token token;
    const char *at;
    int line;
};
struct lex_place lex_here(const struct lex *);
void lex_return(struct lex *, const struct lex_place *);

/* Skip raw text: a { } block whose '{' is the current token, up to its '}'; the rest of a line. */
int lex_skip_block(struct lex *);
void lex_skip_line(struct lex *);

#endif
