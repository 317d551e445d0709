/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * These rules list the files that a compiler needs, for a process that is confined to them.
 */
#ifndef PROGRAMS_RULES_H
#define PROGRAMS_RULES_H

#include "programs/confine.h"
#include "programs/find.h"

enum { RULES_MOST = 80 };

struct rules {
    struct confinement to;
    struct confine_rule all[RULES_MOST];
    char path[RULES_MOST][COMPILER_PATH];
    bool full; /* there were more than there is room for: the process would lack some */
};

/* With what every program needs: the loader and the system's libraries. */
void rules_begin(struct rules *, enum confine_kind);
void rules_add(struct rules *, const char *path, unsigned may);
/* A program, and the libraries that are installed with it. */
void rules_run(struct rules *, const char *program);
/* The toolkit's headers, libraries and tools, to be read. */
void rules_toolkit(struct rules *, const struct compilers *);
/* The headers of this system, which whole programs have. */
void rules_headers(struct rules *);
/* The folders of a student's options -I. */
void rules_options(struct rules *, const char *options);
/* All that compilers here will need when they are started later. */
void rules_compilers(struct rules *);

#endif
