/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This is the tokenizer. It never fails. A string or comment without an end ends with the line or
 * the text. A character that begins no token is a mark.
 */
#include "cc/token.h"

#include "base/lines.h"

#include <string.h>

struct token_reader tokens_of(const char *text, size_t n)
{
    return (struct token_reader){
        .at = text, .end = text + n, .counted = text, .line = 1, .fresh_line = true};
}

bool token_is(const struct token *t, const char *text)
{
    /* The first letter shows that most tokens are another word. */
    return t->length && *t->at == *text && strncmp(t->at, text, t->length) == 0 &&
           text[t->length] == '\0';
}

bool token_is_one_of(const struct token *t, const char *const *words)
{
    while (*words && !token_is(t, *words))
        words++;
    return *words;
}

bool token_is_attribute(const struct token *t)
{
    static const char *const words[] = {
        "__attribute__", "__declspec",        "__align__",        "alignas",     "_Alignas",
        "decltype",      "__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__block_size__",
        NULL};
    return token_is_one_of(t, words);
}

bool token_same(const struct token *a, const struct token *b)
{
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

/* Bytes above 127 belong to words: they are letters of other alphabets in UTF-8. */
static bool begins_name(char c)
{
    return is_letter(c) || c == '$' || (unsigned char)c > 127;
}

static bool stands_at(const char *at, const char *end, const char *what)
{
    size_t n = strlen(what);
    return (size_t)(end - at) >= n && memcmp(at, what, n) == 0;
}

/* Gives the place behind a backslash at a line's end. NULL: there is no such backslash. */
static const char *past_splice(const char *at, const char *end)
{
    if (stands_at(at, end, "\\\n"))
        return at + 2;
    return stands_at(at, end, "\\\r\n") ? at + 3 : NULL;
}

static const char *past_line(const char *at, const char *end)
{
    while (at < end && *at != '\n') {
        const char *next = past_splice(at, end);
        at = next ? next : at + 1;
    }
    return at;
}

static const char *past_comment(const char *at, const char *end)
{
    for (at += 2; at < end; at++)
        if (stands_at(at, end, "*/"))
            return at + 2;
    return end;
}

/* A directive ends with its line, but a comment in it may go on to the next. */
static const char *past_directive(const char *at, const char *end)
{
    while (at < end && *at != '\n') {
        const char *next = past_splice(at, end);
        if (!next && stands_at(at, end, "//"))
            return past_line(at, end);
        if (!next && stands_at(at, end, "/*"))
            next = past_comment(at, end);
        at = next ? next : at + 1;
    }
    return at;
}

static const char *past_quoted(const char *at, const char *end)
{
    char quote = *at++;
    while (at < end && *at != quote && *at != '\n')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end && *at == quote ? at + 1 : at;
}

/* Finds the end of R"mark( ... )mark", from its quote on. */
static const char *past_raw(const char *at, const char *end)
{
    const char *mark = at + 1, *open = memchr(mark, '(', (size_t)(end - mark));
    if (!open)
        return end;
    size_t n = (size_t)(open - mark);
    for (at = open + 1; (size_t)(end - at) >= n + 2; at++)
        if (*at == ')' && memcmp(at + 1, mark, n) == 0 && at[n + 1] == '"')
            return at + n + 2;
    return end;
}

static const char *past_number(const char *at, const char *end)
{
    while (at < end) {
        bool is_exponent = strchr("eEpP", *at) && at + 1 < end && strchr("+-", at[1]);
        bool is_separator = *at == '\'' && at + 1 < end && (begins_name(at[1]) || is_digit(at[1]));
        if (is_exponent || is_separator)
            at += 2;
        else if (begins_name(*at) || is_digit(*at) || *at == '.')
            at++;
        else
            break;
    }
    return at;
}

static void skip_blanks(struct token_reader *s)
{
    while (s->at < s->end) {
        const char *splice = past_splice(s->at, s->end);
        if (splice) {
            s->at = splice;
        } else if (strchr(" \t\r\n\v\f", *s->at) && *s->at) {
            s->fresh_line = s->fresh_line || *s->at == '\n';
            s->at++;
        } else if (stands_at(s->at, s->end, "//")) {
            s->at = past_line(s->at, s->end);
        } else if (stands_at(s->at, s->end, "/*")) {
            s->at = past_comment(s->at, s->end);
        } else {
            return;
        }
    }
}

static const char *past_word(const char *at, const char *end)
{
    while (at < end && (begins_name(*at) || is_digit(*at)))
        at++;
    return at;
}

/* Tells whether a word is R, LR, u8R or the like, which stand before the quote of a raw string. */
static bool is_raw_prefix(const char *at, const char *stop)
{
    return stop - at <= 3 && stop[-1] == 'R' && strchr("uULR", *at);
}

static const char *past_mark(const char *at, const char *end)
{
    static const char *const longer[] = {"::", "<<", "->", "..."};
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        if (stands_at(at, end, longer[i]))
            return at + strlen(longer[i]);
    return at + 1;
}

/* Sets the kind of the token that begins at t->at, and gives its end. */
static const char *past_token(const struct token_reader *s, struct token *t)
{
    const char *at = t->at, *end = s->end;
    if (s->fresh_line && *at == '#') {
        t->kind = TOKEN_DIRECTIVE;
        return past_directive(at, end);
    }
    if (*at == '"' || *at == '\'') {
        t->kind = TOKEN_LITERAL;
        return past_quoted(at, end);
    }
    if (is_digit(*at) || (*at == '.' && at + 1 < end && is_digit(at[1]))) {
        t->kind = TOKEN_NUMBER;
        return past_number(at, end);
    }
    if (begins_name(*at)) {
        const char *stop = past_word(at, end);
        bool is_raw = stop < end && *stop == '"' && is_raw_prefix(at, stop);
        t->kind = is_raw ? TOKEN_LITERAL : TOKEN_WORD;
        return is_raw ? past_raw(stop, end) : stop;
    }
    t->kind = TOKEN_MARK;
    return past_mark(at, end);
}

bool token_next(struct token_reader *s, struct token *t)
{
    skip_blanks(s);
    for (; s->counted < s->at; s->counted++)
        s->line += *s->counted == '\n';
    if (s->at >= s->end)
        return false;
    t->at = s->at;
    t->line = s->line;
    s->at = past_token(s, t);
    t->length = (size_t)(s->at - t->at);
    s->fresh_line = false;
    return true;
}

struct token token_directive(const struct token *directive, struct token_reader *rest)
{
    struct token name = {TOKEN_WORD, directive->at, 0, directive->line};
    *rest = tokens_of(directive->at + 1, directive->length - 1);
    rest->line = directive->line;
    rest->fresh_line = false;
    token_next(rest, &name);
    return name;
}
