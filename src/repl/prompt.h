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


/* What is typed at the prompt becomes commands. A command may take several lines. */
struct conversation {
    struct shell *sh;
    struct buf command; /* the lines of it so far */
    int lines;
    char more[12];      /* what stands before the next one */
};
void conversation_begin(struct conversation *, struct shell *);
void conversation_free(struct conversation *);
const char *conversation_prompt(const struct conversation *); /* before the next line */
/* A line was typed, or several were pasted. Commands that are whole run. */
void conversation_take(struct conversation *, const char *typed);
void conversation_drop(struct conversation *); /* Ctrl-C: the command is not wanted */
/* Ctrl-D: a command that is open runs as it is. True: there was none. */
bool conversation_end(struct conversation *);

#endif
