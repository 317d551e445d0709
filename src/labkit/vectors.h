/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two vectors of floats and their sum, on the host: typed or random input, the sum in plain C
 * that a kernel's is held against, and the same sum by several threads of the host.
 */
#ifndef LABKIT_VECTORS_H
#define LABKIT_VECTORS_H

#include "screen/report.h"
#include "labkit/run.h"
#include "own/fill.h"
#include "labkit/shape.h"

enum { VECTORS_MOST = 1 << 26, HOST_THREADS_MOST = 256 };

struct vector_fill { struct fill fill; uint64_t seed, first; bool made; };

struct vectors {
    int n;
    float *x, *y;
    struct vector_fill fill[2]; /* of x and y */
    float *want;         /* x + y, by one loop */
    float *z;            /* what somebody else made of it */
    unsigned threads;    /* of the host, 0: not asked for */
    bool same;           /* their sum has the bits of `want` */
    bool several;        /* threads */
    unsigned most;       /* elements of a thread */
    bool timed;          /* the times may be shown */
    double one_s, all_s; /* measured: one loop, and all threads with starting them */
    double one_ms, all_ms;
};

/* The options that say what is in them. */
struct vectors_typed {
    int n;
    bool n_given;
    const char *x, *y; /* lists; NULL: random numbers */
};
/* Close it also when opening failed; -1: the report says why. */
int vectors_open(struct vectors *, struct session *, const struct vectors_typed *, uint64_t seed,
                 struct report *);
void vectors_close(struct vectors *);
/* Makes x and y arrays of the device. */
int vectors_send(const struct vectors *, struct session *, uint64_t *x, uint64_t *y,
                 struct report *);
/* The same sum by so many threads of the host. */
int vectors_host(struct vectors *, unsigned threads, struct report *);
void say_vectors_host(const struct vectors *, struct report *); /* also in "result" */

/* The first elements and the last: x, y, and z under this head. */
void say_vectors(const struct vectors *, const char *head, struct report *);
void put_vectors(const struct vectors *, struct json *); /* all of them, where they are few */

#endif
