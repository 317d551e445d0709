/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A screen as an SVG picture.
 */
#ifndef REPL_LECTURE_SVG_H
#define REPL_LECTURE_SVG_H

#include "base/buf.h"

#include <stdbool.h>

/* command: what was typed, shown after the prompt; text: with its codes. */
void svg_screen(struct buf *out, const char *command, const char *text, size_t n, bool dark);

#endif
