/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a screen's text back: character by character, with the columns each one takes and
 * the look (SGR codes) it has. Code that cuts, compares or draws screens counts columns with this.
 */
#ifndef REPL_LECTURE_STYLED_H
#define REPL_LECTURE_STYLED_H

#include "base/buf.h"
#include "base/lines.h"

#include <stdbool.h>
#include <stdint.h>

enum { LOOK_DEFAULT = -1, LOOK_DIRECT = 1 << 24 }; /* colours; DIRECT: plus 0xRRGGBB */

struct text_look {
    int fore, back; /* LOOK_DEFAULT, 0 to 255 as in xterm, or LOOK_DIRECT + RGB */
    bool bold, faint, italic, underline, reverse;
};

/* One character, or a tab as so many blanks. */
struct glyph {
    const char *at;
    size_t n;
    int columns; /* 0: it is set over the one before */
};

struct styled {
    struct span rest; /* one line; put the next here, and the look goes on */
    struct text_look look; /* the look of the last glyph */
    int column;            /* where the next one stands, 0 is the left edge */
};

void styled_begin(struct styled *);
void styled_line(struct styled *, struct span line);
bool styled_next(struct styled *, struct glyph *);
bool look_same(const struct text_look *, const struct text_look *);
bool look_is_plain(const struct text_look *);
void look_put(struct buf *, const struct text_look *); /* writes the codes that set it */
int styled_columns(struct span line);
void plain_text(struct buf *out, const char *text, size_t n); /* a text of lines without codes */

/* A screen as an SVG picture: `command` is shown after the prompt, `text` has its codes. svg.c */
void svg_screen(struct buf *out, const char *command, const char *text, size_t n, bool dark);

#endif
