/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text and tables as HTML. A page has its styles within it and needs no other file.
 */
#ifndef SCREEN_HTML_H
#define SCREEN_HTML_H

#include "screen/facts.h"

void html_begin(struct buf *, const char *title);
void html_end(struct buf *);
void html_text(struct buf *, const char *text, size_t n); /* with <, > and & made harmless */
void html_heading(struct buf *, const char *text);
void html_paragraph(struct buf *, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Lines as they are, in a typewriter's letters. `text` has no colours. */
void html_lines(struct buf *, const char *text, size_t n);
/* The rows of a table of facts, as facts_say_rows() shows them. */
void html_rows(struct buf *, const struct fact *, const void *rows, size_t count, size_t row_size);

#endif
