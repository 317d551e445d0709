/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each file of commands includes: the commands that are not labs, and the shell that runs them.
 */
#ifndef REPL_COMMANDS_H
#define REPL_COMMANDS_H

#include "repl/shell.h"

#define COMMAND(name) extern const struct command command_##name;
#include "repl/commands.def"
#undef COMMAND

/* commands.c. All labs, then the own commands of the shell; from malloc. NULL: no memory. */
const struct command *const *commands_of_all(void);

/* The options of a command that takes one file and nothing else. */
struct file_options { const char *file; };

/* next.c: the command ran, so its lab counts as tried. */
void course_note(struct shell *, const char *command);

#endif
