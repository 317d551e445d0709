/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folders and macros for the compiler: -I and -D of a command, and the settings `include` and
 * `define`, which add to every load. All are checked here before a compiler sees them.
 */
#ifndef REPL_COMPILE_OPTIONS_H
#define REPL_COMPILE_OPTIONS_H

#include "command/command.h"
#include "repl/shell.h"

enum { COMPILE_OPTION = 700 }; /* bytes of one, at most */

/* What a command was given: -I and -D. */
struct compile_given {
    struct arg_many folders, macros;
};
/* The options themselves, of a struct with such a member `given`. */
#define FOLDERS_AND_MACROS(S)                                                                  \
    {.name = "I", BIND(S, given.folders), .value = "DIR", .type = ARG_MANY,                    \
     .help = "a folder in which headers are searched; may be repeated"},                       \
    {.name = "D", BIND(S, given.macros), .value = "NAME[=VALUE]",                              \
     .type = ARG_MANY, .help = "define a macro; may be repeated"}
/* These, then what the settings add, as option_next() reads them. */
int compile_options(struct shell *, const struct compile_given *, struct buf *out, struct err *);
/* The value of a setting, kind 'I' or 'D': is each of its items one? */
int compile_options_check(const struct shell *, char kind, const char *list, struct err *);

#endif
