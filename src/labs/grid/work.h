/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which element each thread of a grid has, by a formula: worked out on the host, by a kernel
 * with that formula in it, and told as a table.
 */
#ifndef LABS_GRID_WORK_H
#define LABS_GRID_WORK_H

#include "expr/expr.h"
#include "labkit/grid.h"
#include "labkit/run.h"
#include "screen/facts.h"

enum { INDEXING_MOST = 1 << 20 }; /* threads, elements */

struct indexing {
    struct grid grid;
    struct expr *formula;
    uint64_t threads;   /* in all */
    int n;
    int32_t *index;     /* of each thread, as the kernel says */
    uint32_t *hits;     /* of each element, as the kernel says */
    bool same;          /* the host says so too */
    bool exact;         /* each element has one thread */
    uint64_t hit, never, shared; /* elements that have threads, that have none, several */
    uint64_t idle, below; /* threads past n - 1; before 0 */
    uint32_t most;      /* threads on one element, */
    int most_at;        /* this one */
    /* What the screens say of it: */
    const char *text;   /* the formula */
    int last, enough;   /* n - 1; blocks that n elements need */
    struct verdict each, missing;
    char shape[GRID_TEXT];
    uint64_t index_bytes, hits_bytes; /* of the arrays that --calls names */
};

/* text NULL: the usual formula for so many dimensions. Close it also when that failed. */
int indexing_open(struct indexing *, const char *text, struct report *);
void indexing_close(struct indexing *);
/* Launch it and count what came out; nothing is shown. -1: the report says why. */
int indexing_run(struct indexing *, struct session *, bool trace, struct launch_result *,
                 struct report *);
void tell_indexing(const struct indexing *, struct report *);
void explain_indexing(const struct indexing *, struct report *);
/* The host's calls for it. */
void tell_indexing_calls(struct indexing *, struct report *);

#endif
