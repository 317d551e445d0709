/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tokenizer. It never fails: what ends too early (a string, a comment) ends with the text
 * or the line, and a character that begins nothing is a mark.
 */
#include "cc/token.h"

#include <string.h>

struct tokens tokens_of(const char *text, size_t n)
{
    return (struct tokens){.at = text, .end = text + n, .fresh_line = true};
}

bool token_is(const struct token *t, const char *text)
{
    return t->n == strlen(text) && memcmp(t->at, text, t->n) == 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Bytes above 127 belong to words: they are letters of other alphabets in UTF-8. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c > 127;
}

static bool begins(const char *at, const char *end, const char *what)
{
    size_t n = strlen(what);
    return (size_t)(end - at) >= n && memcmp(at, what, n) == 0;
}

/* Past a backslash at a line's end, or NULL. */
static const char *past_splice(const char *at, const char *end)
{
    if (begins(at, end, "\\\n"))
        return at + 2;
    return begins(at, end, "\\\r\n") ? at + 3 : NULL;
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
        if (begins(at, end, "*/"))
            return at + 2;
    return end;
}

/* A directive ends with its line, but a comment in it may go on to the next. */
static const char *past_directive(const char *at, const char *end)
{
    while (at < end && *at != '\n') {
        const char *next = past_splice(at, end);
        if (!next && begins(at, end, "//"))
            return past_line(at, end);
        if (!next && begins(at, end, "/*"))
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

/* R"mark( ... )mark", from its quote. */
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
        bool is_separator = *at == '\'' && at + 1 < end && (is_letter(at[1]) || is_digit(at[1]));
        if (is_exponent || is_separator)
            at += 2;
        else if (is_letter(*at) || is_digit(*at) || *at == '.')
            at++;
        else
            break;
    }
    return at;
}

static void skip_blanks(struct tokens *s)
{
    while (s->at < s->end) {
        const char *splice = past_splice(s->at, s->end);
        if (splice) {
            s->at = splice;
        } else if (strchr(" \t\r\n\v\f", *s->at) && *s->at) {
            s->fresh_line = s->fresh_line || *s->at == '\n';
            s->at++;
        } else if (begins(s->at, s->end, "//")) {
            s->at = past_line(s->at, s->end);
        } else if (begins(s->at, s->end, "/*")) {
            s->at = past_comment(s->at, s->end);
        } else {
            return;
        }
    }
}

static const char *past_word(const char *at, const char *end)
{
    while (at < end && (is_letter(*at) || is_digit(*at)))
        at++;
    return at;
}

/* R, LR, u8R, ...: what stands right before the quote of a raw string. */
static bool is_raw_prefix(const char *at, const char *stop)
{
    return stop - at <= 3 && stop[-1] == 'R' && strchr("uULR", *at);
}

bool token_next(struct tokens *s, struct token *t)
{
    skip_blanks(s);
    if (s->at >= s->end)
        return false;
    const char *at = s->at, *stop = at + 1;
    t->kind = TOKEN_MARK;
    if (s->fresh_line && *at == '#') {
        t->kind = TOKEN_DIRECTIVE;
        stop = past_directive(at, s->end);
    } else if (*at == '"' || *at == '\'') {
        t->kind = TOKEN_TEXT;
        stop = past_quoted(at, s->end);
    } else if (is_digit(*at) || (*at == '.' && at + 1 < s->end && is_digit(at[1]))) {
        t->kind = TOKEN_NUMBER;
        stop = past_number(at, s->end);
    } else if (is_letter(*at)) {
        t->kind = TOKEN_WORD;
        stop = past_word(at, s->end);
        if (stop < s->end && *stop == '"' && is_raw_prefix(at, stop)) {
            t->kind = TOKEN_TEXT;
            stop = past_raw(stop, s->end);
        }
    }
    t->at = at;
    t->n = (size_t)(stop - at);
    s->at = stop;
    s->fresh_line = false;
    return true;
}
