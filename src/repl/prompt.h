/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The prompt: a line at a time from a person, with history and completion where readline is.
 */
#ifndef REPL_PROMPT_H
#define REPL_PROMPT_H

#include "repl/reader.h"
#include "repl/shell.h"

/* One line from the terminal, READ_LINE, READ_STOPPED at Ctrl-C, READ_END at
 * Ctrl-D. What was pasted may be several lines, with \n between them. */
enum read_status prompt_read(struct shell *, const char *prompt, struct buf *line);
void prompt_history(struct report *, int most); /* the last lines typed */

#endif
