/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that have changed on the disk since they were loaded. A launch takes the file as it is now.
 */
#ifndef REPL_CHANGED_H
#define REPL_CHANGED_H

#include "own/unit.h"
#include "repl/shell.h"

enum { PTX_MOST = 64 << 20 }; /* bytes of a file that is loaded as PTX */

/* The fingerprint of a source and of the headers that it includes. */
struct print128 headers_print(const char *path, const struct buf *text, const char *options);
/* Is the file another one than was loaded? A file that is gone, or can't be read, is not. */
bool unit_has_changed(struct shell *, const struct unit *);
/* Before a launch of this kernel: loads its file again if that has changed, and says so. If no file
 * has the kernel, all that have changed are loaded. Under --safe nothing is looked at. */
int take_changes(struct shell *, const char *kernel, struct report *);

/* In commands/kernels.c: loads the unit's file again; the report names a file that is refused. */
int load_again(struct shell *, const struct unit *, struct report *);

#endif
