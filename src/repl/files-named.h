/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are named on the command line. A source (.cu, .cuh, .ptx) is loaded. Any other file
 * runs as a script. If such a file has CUDA C or PTX in it, that is one error, and no line runs.
 */
#ifndef REPL_FILES_NAMED_H
#define REPL_FILES_NAMED_H

#include "base/lines.h"
#include "repl/shell.h"

/* Does the name say that the file is a source? */
bool source_named(const char *path);
/* Runs `load PATH`. A file that can't be read ends the session, as a script does. */
void shell_load(struct shell *, const char *path);
/* Looks at the beginning of a script. -1: it is CUDA C or PTX, and the error says what to do with
 * the file. */
int script_check(struct shell *, struct span beginning, const char *path, struct err *);

#endif
