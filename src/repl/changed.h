/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that have changed on the disk since they were loaded. A launch takes the file as it is now.
 */
#ifndef REPL_CHANGED_H
#define REPL_CHANGED_H

#include "own/unit.h"
#include "repl/shell.h"

enum { PTX_MOST = 64 << 20 }; /* how many bytes a PTX file can have */

/* The fingerprint of a source and of the headers that it includes. */
struct print128 headers_print(const char *path, const struct buf *text, const char *options);
/* Has the file changed since it was loaded? A file that is gone or can't be read counts as
 * unchanged. */
bool unit_has_changed(struct shell *, const struct unit *);
/* Call it before a launch of this kernel. It loads the kernel's file again if that has changed, and
 * says so. If no file has the kernel, it loads all files that have changed. With --safe it does
 * nothing. */
int take_changes(struct shell *, const char *kernel, struct report *);

/* In commands/kernels.c. Loads the unit's file again. If that fails, the report names the file. */
int load_again(struct shell *, const struct unit *, struct report *);

#endif
