/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The prompt: a line at a time from a person, with history and completion where readline is.
 */
#ifndef REPL_PROMPT_H
#define REPL_PROMPT_H

#include "repl/shell.h"

const char *prompt_text(const struct shell *); /* what stands before a line that is typed */
/* One line from whoever is at the prompt, from malloc; NULL: Ctrl-D, or nobody is there. What was
 * pasted may be several lines. */
char *prompt_read(struct shell *, const char *prompt);
/* Asks a question, once. NULL: Ctrl-C, Ctrl-D, or no memory. After Ctrl-C the session's `stop` is
 * set, as in a command that runs: the rest of the line is not for now. The answer is no line of
 * the history. */
char *prompt_answer(struct shell *, const char *question);
/* Asks a question. Only the answers y and yes mean yes. Ctrl-C and Ctrl-D mean no. */
bool prompt_agrees(struct shell *, const char *question);
/* What these lines wait for: a quote or a parenthesis that is open at their end, a blank after a
 * backslash, `.` for the `end` of a block; 0: they are whole. */
char prompt_open_end(const char *text, size_t n);
/* Run what was typed: one line, or several that were pasted. */
void prompt_run(struct shell *, const char *text);
/* Where the prompt's own lines go: never between the results that another program reads. */
struct sink prompt_talk(const struct shell *);
/* The next line begins with this key, as if it was typed there. False: it can't. */
bool prompt_begin_with(int key);
void prompt_history(struct report *, int most); /* the last lines typed */

#endif
