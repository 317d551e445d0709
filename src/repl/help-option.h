/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `help` says of an option: of commands, by their tables, and of nvcc, by its help text.
 */
#ifndef REPL_HELP_OPTION_H
#define REPL_HELP_OPTION_H

#include "repl/shell.h"
#include "text/topics.h"

#define NVCC_TEXT "nvcc-options" /* the text that has the options of nvcc */

/* The name alone: -arch=sm_80 and --arch are arch. */
void option_bare(const char *word, char out[TOPIC_NAME]);
/* Says what an option means, in one command or with NULL in all of them and in nvcc. False: none
 * has it, and nothing is said. */
bool help_option(struct shell *, const struct command *, const char *option, struct report *);
/* What `help WORD` says (commands/help.c). */
int help_on(struct shell *, const char *topic, struct report *);
/* Fails with what is most like it. */
int help_no_option(struct shell *, const struct command *, const char *option, struct report *);

#endif
