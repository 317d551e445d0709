/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text by its lines: pieces that lie in it, taken one after the other. Nothing is copied.
 */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct span {
    const char *at;
    size_t n;
};

/* Take the next line off the text, without its newline; false at the end. */
bool next_line(struct span *text, struct span *line);
struct span trim(struct span); /* without the blanks at both ends */
bool is_blank(char);           /* a space or a tab, or what some editors leave at a line's end */
struct span next_blank_word(struct span *line); /* up to a blank, taken off the line; n 0: no more */
bool in_word(char); /* of a name in C: letter, digit or _ */
bool begins(struct span, const char *text);
bool same_text(struct span, const char *text);
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
