/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that cudalab is started with. A source (.cu, .cuh, .ptx) is loaded, and anything else is a
 * script. A script that is evidently a source is refused as a whole.
 */
#ifndef REPL_FILES_NAMED_H
#define REPL_FILES_NAMED_H

#include "base/lines.h"
#include "repl/shell.h"

/* Does the name say that the file is a source? */
bool source_named(const char *path);
/* Runs `load PATH`. A file that can't be read ends the session, as a script does. */
void shell_load(struct shell *, const char *path);
/* Does this beginning of a script look like one? -1: it is CUDA C or PTX, and the error says where
 * that belongs. */
int script_check(struct shell *, struct span beginning, const char *path, struct err *);

#endif
