/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the compilers of whole programs have in common.
 */
#ifndef PROGRAMS_WHOLE_H
#define PROGRAMS_WHOLE_H

#include "programs/programs.h"

/* Runs a compiler. What it prints goes to `printed`, if that is not NULL, and what it says to the
 * log. -1: it refused the program (out->refused), or the error says what ended it. */
int whole_run(const struct build_want *, const char *who, const char *const *words,
              struct buf *printed, struct built *out, struct err *);
int whole_by_clang(const struct build_want *, const struct compilers *, struct built *,
                   struct err *);

#endif
