/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that are made once and then wait for work: to make them takes as long as a short piece
 * of work. Between two calls of threads_do() nothing runs in them. Signals go to other threads.
 * Where a build has no threads, threads_ready() is false and all work is the caller's.
 */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include "base/mem.h"
#include <stdbool.h>

struct threads;
typedef void thread_work(void *arg, unsigned number);

unsigned threads_most(void); /* cores that this process may use; 1: there are no threads here */
/* Makes threads until there are so many besides the caller's. The pointer is NULL at first. False:
 * that can't be done. */
bool threads_ready(struct threads **, const struct allocator *, unsigned count);
/* Threads 0 to count - 1 do this work side by side, and have done it. 0 is the caller's. */
void threads_do(struct threads *, unsigned count, thread_work *, void *arg);
void threads_close(struct threads **, const struct allocator *);

#endif
