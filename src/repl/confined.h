/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --safe for cudalab itself: once it is started it can open only what its command line names.
 */
#ifndef REPL_CONFINED_H
#define REPL_CONFINED_H

#include "repl/shell.h"

/* The scripts and the files of --allow stay readable. -1: it is not confined, though it could
 * be. Without Landlock nothing happens; on a GPU neither, since its driver opens what it likes. */
int shell_confine(struct shell *, const char *const *scripts, unsigned count, struct err *);

#endif
