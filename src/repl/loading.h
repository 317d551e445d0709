/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files become units, and units go along to another device.
 */
#ifndef REPL_LOADING_H
#define REPL_LOADING_H

#include "cc/compile.h"
#include "own/unit.h"
#include "repl/shell.h"

/* Files that are loaded together. Several files are linked. */
struct load_list {
    const char *const *paths;
    unsigned count;
    const char *options;
    struct arena memory; /* of the texts, where nobody else has them */
};
/* Makes a unit of each file, which replaces an earlier unit of this path. *first is the first
 * file's. The compiler's words are in the log, also if it refuses. */
int units_bring(struct shell *, const struct load_list *, struct unit **first, struct buf *log,
                struct report *);
/* The PTX of one file, which becomes no unit. -1: the report says why there is none. Each file has
 * the compiler's whole time, if there is no other limit. */
int file_to_ptx(struct shell *, const char *path, const char *options, struct buf *ptx,
                struct report *);
/* The unit's file and the files that were linked with it, copied: they outlive the units. -1: out
 * of memory. Free the list's memory in any case. */
int list_linked(const struct session *, const struct unit *, struct load_list *);
enum compiler compiler_of(const struct settings *); /* as `set compiler` says */
bool is_example_name(const char *path); /* help:NAME */
/* What the compiler printed about a file that it took: warnings, the first lines on the screen. */
void log_say(struct report *, const struct buf *log);
void log_json(struct report *, const struct buf *log);

/* Takes units and arrays along to another device, all of them or none. Units that were compiled
 * for the old device are compiled for the new one. */
int session_move(struct shell *, struct device *to, struct err *);

#endif
