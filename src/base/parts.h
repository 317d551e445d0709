/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Long work on the host, cut into parts of a fixed size. Several threads make the parts. The
 * caller's thread takes them over in their order. So sums and errors are the same for any number
 * of threads: what needs the order happens where the parts are taken over.
 *
 * The caller's thread asks before each part whether the work goes on, and tells how far it is. A
 * part should take a millisecond or less.
 */
#ifndef BASE_PARTS_H
#define BASE_PARTS_H

#include "base/err.h"
#include "base/go-on.h"
#include "base/progress.h"
#include <stddef.h>
#include <stdint.h>

struct parts {
    uint64_t count;
    size_t bytes;     /* of memory for what is made of one part, zeroed at first; 0: none */
    unsigned threads; /* that may work; 0: one for each core */
    void *self;       /* what the functions get first */
    /* Makes a part, in any thread. -1: it can't be made, and why. */
    int (*make)(void *self, uint64_t part, void *made, struct err *);
    /* Takes it over, in the caller's thread. NULL: nothing is to be done. -1: it fails, and why. */
    int (*take)(void *self, uint64_t part, const void *made, struct err *);
    const struct go_on *go_on;       /* may be NULL */
    const struct progress *progress; /* may be NULL */
};

/* -1: the first part that failed says why, or whoever stops the work. All parts before it are
 * taken. */
int parts_do(const struct parts *, struct err *);

#endif
