/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text of others on a screen: kernels' lines, names, sources, compilers' logs. What would steer
 * the terminal, or make a text read otherwise than it is, is shown as an escape of C: \x1b, \r,
 * \u202e. All that goes to the screen, a pipe or stderr passes here.
 */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include "base/buf.h"
#include <stddef.h>
#include <stdint.h>

enum visible_keeps {
    VISIBLE_LINES = 1,  /* newlines and tabs stay as they are */
    VISIBLE_COLOURS = 2 /* so do the codes of colours: ESC [ digits m */
};

/* Control characters, those that change the direction of text, separators of lines and
 * paragraphs, and marks that take no room. */
bool visible_hides(uint32_t code);
/* The bytes of a colour's code at the head of a text, ESC [ digits m; 0: none is there. */
size_t visible_colour(const char *text, size_t n);
/* The bytes at the head of a text that can be shown as they are. */
size_t visible_plain(const char *text, size_t n, unsigned keeps);
void visible_add(struct buf *out, const char *text, size_t n, unsigned keeps);

#endif
