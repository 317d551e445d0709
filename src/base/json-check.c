/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each function takes one part of the grammar from the front of the text. Nesting is kept as a row
 * of brackets, so a deep text needs no deep stack.
 */
#include "base/json-check.h"

#include "base/utf8.h"

#include <string.h>

static void skip_blanks(struct span *s)
{
    while (s->n && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r'))
        s->at++, s->n--;
}

static bool take_char(struct span *s, char c)
{
    if (!s->n || *s->at != c)
        return false;
    s->at++, s->n--;
    return true;
}

static bool take_digits(struct span *s)
{
    if (!s->n || !is_digit(*s->at))
        return false;
    while (s->n && is_digit(*s->at))
        s->at++, s->n--;
    return true;
}

static bool take_number(struct span *s)
{
    take_char(s, '-');
    if (!take_char(s, '0') && !take_digits(s))
        return false;
    if (take_char(s, '.') && !take_digits(s))
        return false;
    if (!take_char(s, 'e') && !take_char(s, 'E'))
        return true;
    if (!take_char(s, '+'))
        take_char(s, '-');
    return take_digits(s);
}

static bool take_escape(struct span *s)
{
    if (!s->n)
        return false;
    const char c = *s->at;
    s->at++, s->n--;
    for (int i = 0; c == 'u' && i < 4; i++, s->at++, s->n--)
        if (!s->n || hex_value(*s->at) < 0)
            return false;
    return c == 'u' || (c && strchr("\"\\/bfnrt", c));
}

static bool take_text(struct span *s)
{
    if (!take_char(s, '"'))
        return false;
    while (!take_char(s, '"')) {
        uint32_t code;
        const size_t n = s->n ? utf8_next(s->at, s->n, &code) : 0;
        if (!n || code < 0x20)
            return false;
        s->at += n, s->n -= n;
        if (code == '\\' && !take_escape(s))
            return false;
    }
    return true;
}

static bool take_word(struct span *s)
{
    static const char *const words[] = {"true", "false", "null", NULL};
    for (const char *const *w = words; *w; w++)
        if (begins(*s, *w)) {
            s->at += strlen(*w), s->n -= strlen(*w);
            return true;
        }
    return false;
}

/* A value that holds no others. */
static bool take_plain(struct span *s)
{
    return s->n && (*s->at == '"'                       ? take_text(s)
                    : *s->at == '-' || is_digit(*s->at) ? take_number(s)
                                                        : take_word(s));
}

static bool take_name(struct span *s)
{
    skip_blanks(s);
    if (!take_text(s))
        return false;
    skip_blanks(s);
    return take_char(s, ':');
}

/* Takes the brackets that close after a value, up to the comma before the next one. */
static bool close_brackets(struct span *s, const char *open, unsigned *depth)
{
    while (*depth) {
        const char kind = open[*depth - 1];
        skip_blanks(s);
        if (take_char(s, ','))
            return kind == '[' || take_name(s);
        if (!take_char(s, kind == '[' ? ']' : '}'))
            return false;
        --*depth;
    }
    return true;
}

bool json_is_valid(struct span s)
{
    char open[JSON_DEPTH_MOST];
    unsigned depth = 0;
    do {
        skip_blanks(&s);
        const char c = s.n ? *s.at : '\0';
        if (c != '[' && c != '{') {
            if (!take_plain(&s) || !close_brackets(&s, open, &depth))
                return false;
            continue;
        }
        if (depth == JSON_DEPTH_MOST)
            return false;
        open[depth++] = c;
        s.at++, s.n--;
        skip_blanks(&s);
        if (s.n && *s.at == (c == '[' ? ']' : '}')) {
            if (!close_brackets(&s, open, &depth))
                return false;
        } else if (c == '{' && !take_name(&s)) {
            return false;
        }
    } while (depth);
    skip_blanks(&s);
    return !s.n;
}

bool json_is_object(struct span s)
{
    skip_blanks(&s);
    return begins(s, "{") && json_is_valid(s);
}
