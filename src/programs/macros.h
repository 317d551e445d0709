/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The student's macros (-D). A compiler reads headers that nobody asked for before it reads the
 * source: those of the toolkit, and cudalab's own. With -D T=float none of them would compile any
 * more, because they call a type T. So most macros are defined in a header of their own, which the
 * compiler reads last. Names that headers ask for by design are still defined first.
 */
#ifndef PROGRAMS_MACROS_H
#define PROGRAMS_MACROS_H

#include "base/buf.h"
#include "base/lines.h"

#include <stdbool.h>

#define MACROS_HEADER "cudalab_macros.h"

/* Must a macro, NAME or NAME=VALUE, be there before the first header? */
bool macro_comes_first(struct span text);
/* Adds a definition to the text of the header, or takes one back. */
void macro_define(struct buf *header, struct span text);
void macro_undefine(struct buf *header, struct span name);
/* The header for these options. Its text stays empty if there is no such macro. */
void macros_of(const char *options, struct buf *header);
/* Writes the header to a folder, once. -1: it can't be written. */
int macros_write(const struct buf *header, const char *folder);
/* Has nvcc or clang read it there. Both do nothing if there is no such macro. */
struct command_line;
void macros_line(struct command_line *, const struct buf *header, const char *folder);

#endif
