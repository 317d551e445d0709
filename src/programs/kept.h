/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole programs are kept in the cache, and taken from there when all that went into them is the
 * same.
 */
#ifndef PROGRAMS_KEPT_H
#define PROGRAMS_KEPT_H

#include "cc/source.h"
#include "programs/programs.h"

#include <time.h>

/* Compilers write here, in the scratch folder, which files they read: files of such names, each a
 * rule of make. */
#define KEPT_RULES ".rules"

struct kept_program {
    const struct build_want *want;
    struct print128 command; /* all but the files that it reads */
    bool is_known;           /* else the files could not be known */
    struct timespec began;
};

void kept_begin(struct kept_program *, const struct build_want *, const struct compilers *,
                enum compiler);
/* False: it has to be compiled. */
bool kept_take(const struct kept_program *, struct built *);
/* After it was compiled: b->linked is what the linker said about its files. */
void kept_keep(const struct kept_program *, const struct built *);

#endif
