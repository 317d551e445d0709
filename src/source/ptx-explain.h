/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function's PTX with words for each instruction, in two columns where the screen is wide
 * enough, under a heading that tells what its registers are.
 */
#ifndef SOURCE_PTX_EXPLAIN_H
#define SOURCE_PTX_EXPLAIN_H

#include "source/ptx-text.h"
#include "source/ptx-words.h"
#include "screen/report.h"

/* What the names in a module mean to its author. params: those of kernel f as the source has
 * them, NULL where one isn't known; all of it may be NULL. -1: out of memory. */
int ptx_names_of(const struct ptx_text *, const struct ptx_function *f, const char *const *params,
                 struct arena *, struct ptx_names *out);

/* Three lines on what the registers are. */
void ptx_explain_head(const struct ptx_text *, const struct ptx_function *, struct report *);
/* Its instructions: to the screen, and as objects of an array that is open in the result. -1: out
 * of memory. */
int ptx_explain(const struct ptx_text *, const struct ptx_function *, const struct ptx_names *,
                struct report *);

#endif
