/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text by its lines: pieces that lie in it, taken one after the other. Nothing is copied.
 */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* Whatever the locale says. */
static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_letter(char c) /* of a name in C: _ is one too */
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool in_word(char c)
{
    return is_letter(c) || is_digit(c);
}

static inline bool is_blank(char c) /* or what some editors leave at a line's end */
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline int hex_value(char c) /* -1: no digit */
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

struct span {
    const char *at;
    size_t n;
};

/* A text in quotes as a span. */
#define SPAN(literal) ((struct span){"" literal, sizeof(literal) - 1})

/* Take the next line off the text, without its newline; false at the end. */
bool next_line(struct span *text, struct span *line);
struct span trim(struct span); /* without the blanks at both ends */
struct span next_blank_word(struct span *line); /* up to a blank, taken off the line; n 0: no more */
bool begins(struct span, const char *text);
bool begins_with(const char *text, const char *start);
bool same_text(struct span, const char *text);
/* The path as it is or, if there is no room for it, its end behind "...". */
void path_put(char *to, size_t room, const char *path);
bool ends_in(const char *name, const char *ending); /* of a file: "k.cu" ends in ".cu" */
struct span line_at(struct span text, int number); /* 1 is the first; n 0 where there is none */

/* All lines of a text, to be asked for by their numbers; line[0] is the first. */
struct text_lines {
    struct span *line;
    unsigned count;
};
int text_lines(struct text_lines *, const char *text, size_t n, struct err *);
void text_lines_free(struct text_lines *);

/* A file that is in memory. name NULL: there is none. */
struct text_file {
    const char *name;
    struct span text;
};
const char *base_name(const char *path); /* what follows the last slash */

#endif
