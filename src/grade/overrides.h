/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Points that an instructor sets by hand. They are lines in a file of their own, so they survive
 * when all is graded again:
 *
 *     override "Ann Lee" runs 1.5 "typing mistake, agreed in the lab"
 *
 * A student is named by name or by id. The words are those of a command line.
 */
#ifndef GRADE_OVERRIDES_H
#define GRADE_OVERRIDES_H

#include "grade/marks.h"

enum { OVERRIDES_MOST = 16 << 20 }; /* bytes of such a file */

/* Which hand-ins were graded. Where it is only a part, a student who is not there is passed over.
 */
enum overrides_scope { OVERRIDES_OF_ALL, OVERRIDES_OF_PART };

/* Applies all lines of a text. -1: the error has the line. */
int overrides_apply(struct marks *, struct span text, enum overrides_scope, struct err *);
/* The same of a file. One that does not exist has no lines. */
int overrides_apply_file(struct marks *, const char *path, enum overrides_scope, struct err *);
/* Applies one override, and puts its line into the file: in place of the line about the same test
 * of the same student, if there is one. All other lines stay as they are. */
int overrides_write(struct marks *, const char *path, const char *student, const char *test,
                    const char *points, const char *why, struct err *);

#endif
