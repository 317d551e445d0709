/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The student's source files. Compilers write names of files into a program, and findings have the
 * names that the student typed, or as they are seen from the current folder. A program that was
 * built before names its files too, and they are read where they are still there.
 */
#ifndef RUN_SOURCES_H
#define RUN_SOURCES_H

#include "base/buf.h"
#include "base/lines.h"
#include "base/mem.h"

struct run;
struct run_place;

struct run_sources {
    struct run_source *all;
    size_t count, capacity;
    struct arena names;
};

/* A file that was typed, and its text, which must stay. */
int run_source_give(struct run *, const char *path, struct span text, struct err *);
/* What to call the file that a compiler names so; NULL: it is not the student's, but of the
 * toolkit, of the system or of a compiler. */
const char *run_source_shown(struct run *, const char *name);
/* The first file that PTX names and that is the student's; NULL: there is none. */
const char *run_source_of_ptx(struct run *, struct span ptx);
/* Its text; empty: it can't be read. */
struct span run_source_text(const struct run *, const char *shown);
struct span run_source_line(const struct run *, const struct run_place *);
void run_sources_free(struct run *);

#endif
