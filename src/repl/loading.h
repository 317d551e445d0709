/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files become units, and units go along to another device.
 */
#ifndef REPL_LOADING_H
#define REPL_LOADING_H

#include "cc/compile.h"
#include "own/unit.h"
#include "repl/shell.h"

/* Makes a unit of the file, which replaces an earlier unit of this path. The compiler's words are
 * in `compiled`, also if it refuses. */
int unit_bring(struct shell *, const char *path, const char *options, struct unit **,
               struct compiled *, struct report *);
bool is_example_name(const char *path); /* help:NAME */
void log_json(struct report *, const struct compiled *);

/* Takes units and arrays along to another device, all of them or none. Units that were compiled
 * for the old device are compiled for the new one. */
int session_move(struct shell *, struct device *to, struct err *);

#endif
