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

enum { INDEXING_MOST = 1 << 20 }; /* threads, elements */

struct indexing {
    struct grid grid;
    struct expr *formula;
    uint64_t threads;   /* in all */
    int n;
    int32_t *index;     /* of each thread, as the kernel says */
    uint32_t *hits;     /* of each element, as the kernel says */
    bool same;          /* the host says so too */
    uint64_t hit, never, shared; /* elements that have threads, that have none, several */
    uint64_t idle, below; /* threads past n - 1; before 0 */
    uint32_t most;      /* threads on one element, */
    int most_at;        /* this one */
};

/* text NULL: by the book, for as many dimensions as there are. Close it also when that failed. */
int indexing_open(struct indexing *, const char *text, struct report *);
void indexing_close(struct indexing *);
/* Launch it; quietly counts what came out. -1: the report says why. */
int indexing_run(struct indexing *, struct session *, bool trace, struct launch_result *,
                 struct report *);
bool indexing_exact(const struct indexing *); /* each element has one thread */
void say_indexing(const struct indexing *, struct report *);
void put_indexing(const struct indexing *, struct json *);

#endif
