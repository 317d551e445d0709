/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CUDA C++ as tokens, for readers that need a file's outline and not its meaning. Comments and
 * line splices between tokens are passed over; a preprocessor line is one token, whole. Marks
 * are single characters, but for :: << -> and ... ; >> stays two, since it may close two
 * templates.
 */
#ifndef CC_TOKEN_H
#define CC_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
    TOKEN_END, /* of a list: tokens.h */
    TOKEN_WORD,
    TOKEN_NUMBER,
    TOKEN_LITERAL, /* a string or a character */
    TOKEN_MARK,
    TOKEN_DIRECTIVE
};

struct token {
    enum token_kind kind;
    const char *at; /* in the text that is read */
    size_t length;
    int line;
};

struct token_reader {
    const char *at, *end;
    const char *counted; /* up to here the newlines are in `line` */
    int line;
    bool fresh_line; /* nothing but blanks since the last newline: a # here is a directive */
};

struct token_reader tokens_of(const char *text, size_t n);
bool token_next(struct token_reader *, struct token *); /* false: no more */

/* The word after the # of a directive, "define"; `rest` reads what follows it. */
struct token token_directive(const struct token *, struct token_reader *rest);

bool token_is(const struct token *, const char *text);
bool token_is_one_of(const struct token *, const char *const *words); /* which end with NULL */
/* A word with brackets of its own, so that `__launch_bounds__(256)` names no function. */
bool token_is_attribute(const struct token *);
bool token_same(const struct token *, const struct token *);

#endif
