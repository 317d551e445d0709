/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who edits the lines that are typed: readline, a plain reader, or a page (src/web). One of them is
 * built.
 */
#ifndef REPL_LINE_H
#define REPL_LINE_H

#include "repl/reader.h"
#include "repl/shell.h"

void line_open(struct shell *);
void line_close(void);
/* What was pasted may be several lines. READ_STOPPED: Ctrl-C, READ_END: Ctrl-D. */
enum read_status line_next(struct shell *, const char *prompt, struct buf *line);
void line_remember(const char *line);          /* in the history */
void line_history(struct report *, int most);  /* the last lines typed */
/* The next line begins with this key, as if it was typed there. False: it can't. */
bool line_begin_with(int key);

#endif
