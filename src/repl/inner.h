/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that another command runs: `side` once each, others many times. What they show is caught
 * (lecture/record.h), and they have no time but that of the command which runs them. Here they are
 * taken from what was typed, looked at before anything runs, run, and asked for what they found.
 */
#ifndef REPL_INNER_H
#define REPL_INNER_H

#include "repl/shell.h"

/* The commands in the value of an ARG_LINE, from malloc. They are the text itself, or what is
 * between the quotes if it is one quoted word. NULL: out of memory. */
char *inner_line(const char *typed);
/* Could each command of the line run inside the command `outer`? Nothing runs. Only their names are
 * read, or all of their words. -1: the error says which could not. */
int inner_names(struct shell *, const char *outer, const char *line, struct err *);
int inner_check(struct shell *, const char *outer, const char *line, struct err *);
/* The command that the first word of a line names, also through an alias. NULL: the error says why
 * there is none. */
const struct command *inner_command(struct shell *, const char *line, struct err *);

/* Runs the line. caught_begin() comes before it, caught_free() after it. */
void inner_run(struct shell *, const char *line, struct caught *);
/* The JSON of all commands that ran, as one array. */
void inner_objects(const struct caught *, struct buf *out);
/* The value at this path in the last of these objects that has one. false: none has. */
bool inner_find(struct span objects, const char *path, struct span *value);
/* The first of them that did not end well. false: all did. */
bool inner_failure(struct span objects, struct span *object);

#endif
