/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the compilers of whole programs have in common.
 */
#ifndef PROGRAMS_WHOLE_H
#define PROGRAMS_WHOLE_H

#include "programs/line.h"
#include "programs/programs.h"

/* Runs a compiler. What it prints goes to `printed`, if that is not NULL, and what it says to the
 * log. -1: it refused the program (out->refused), or the error says what ended it. */
int whole_run(const struct build_want *, const char *who, const char *const *words,
              struct buf *printed, struct built *out, struct err *);
/* The same without a verdict. -1: it came to no end of its own. Free the result always. */
int whole_start(const struct build_want *, const char *who, const char *const *words,
                size_t most, struct built *, struct child_result *, struct err *);
/* Is the device's code to be unoptimised, with its variables? nvcc warns where it is to have lines of
 * optimised code, too. */
bool whole_is_debug(const struct build_want *);
/* whole-link.c. Links as `words`, which start clang, would have clang do it. */
int whole_link_confined(const struct build_want *, const struct command_line *words,
                        struct built *, struct err *);
int whole_by_clang(const struct build_want *, const struct compilers *, struct built *,
                   struct err *);

#endif
