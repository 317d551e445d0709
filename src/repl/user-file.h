/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where files of ours are in a person's home: settings, history, how far the course went.
 */
#ifndef REPL_USER_FILE_H
#define REPL_USER_FILE_H

#include "base/buf.h"

/* $VARIABLE/cudalab/NAME, else $HOME/BASE/cudalab/NAME; empty: there is no home. */
void user_file(struct buf *out, const char *variable, const char *base, const char *name);
/* One of the state folder, as the history is. */
void user_state_file(struct buf *out, const char *name);
void user_folders(char *path); /* those that lead to it, ours alone; no complaint */

#endif
