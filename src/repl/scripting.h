/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shell as the host of the language of scripts (script/script.h). Lines of a block are kept
 * until its `end`; then it runs, and its commands run as any other.
 */
#ifndef REPL_SCRIPTING_H
#define REPL_SCRIPTING_H

#include "repl/shell.h"

void scripting_open(struct shell *);
void scripting_close(struct shell *);
/* Does this command belong to a block? */
bool scripting_takes(const struct shell *, const char *text, size_t n);
void scripting_add(struct shell *, const char *text, size_t n, int column);
/* A source of lines has ended: a block that is open in it has no end. */
void scripting_ends(struct shell *);
/* The command with its variables put in, from malloc. `expanded` is its text so far, or NULL: the
 * command itself. It is freed, or returned if there is nothing to put in. */
char *scripting_expand(struct shell *, const char *command, char *expanded, struct err *);
/* After the scripts of the command line: how many testcases passed. */
void scripting_sums_up(struct shell *);

/* The operands of the commands that are parts of the language. */
struct scripting_options {
    const char *text;
};

/* Is there such a kind of fault? Each has a help text. For hosts of scripts: self is not used. */
int scripting_check_fault(void *self, const char *kind, struct err *);

#endif
