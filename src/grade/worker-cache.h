/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder in which a worker keeps what its compilers make. The grader fills it with what was made
 * for a hand-in of the same bytes before, and takes over what the worker leaves there. No other
 * worker reads it.
 */
#ifndef GRADE_WORKER_CACHE_H
#define GRADE_WORKER_CACHE_H

#include "base/buf.h"

#include <stdbool.h>

struct worker_want;

enum { WORKER_CACHE_PATH = 320 };

struct worker_cache {
    char folder[WORKER_CACHE_PATH]; /* "": the worker has none */
    struct buf of;                  /* all bytes that decide what is made */
    struct buf made;                /* what it had at first */
};

/* Where no folder can be made, the worker has no cache. That is no error. */
void worker_cache_begin(struct worker_cache *, const struct worker_want *);
/* The worker has ended. keeps: what is left in the folder is kept. */
void worker_cache_end(struct worker_cache *, const struct worker_want *, bool keeps);

#endif
