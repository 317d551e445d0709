/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CUDA C++ as tokens, for readers that need a file's outline and not its meaning. Comments and
 * line splices between tokens are passed over; a preprocessor line is one token, whole. Marks
 * are single characters: `::` and `<<<` are two and three of them.
 */
#ifndef CC_TOKEN_H
#define CC_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_MARK, TOKEN_DIRECTIVE };

struct token {
    enum token_kind kind;
    const char *at; /* in the text that is read */
    size_t n;
};

struct tokens {
    const char *at, *end;
    bool fresh_line; /* nothing but blanks since the last newline: a # here is a directive */
};

struct tokens tokens_of(const char *text, size_t n);
bool token_next(struct tokens *, struct token *); /* false: no more */
bool token_is(const struct token *, const char *text);

#endif
