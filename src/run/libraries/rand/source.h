/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of a generator in cuRAND's order. cuRAND has many threads. Each of them has a sequence
 * of its own, and they take turns: a result after the other is the next thread's. A quasi-random
 * generator gives the points of one dimension after those of the other. That this is the order of
 * NVIDIA's library is tested with numbers of an H100.
 */
#ifndef RUN_LIBRARIES_SOURCE_H
#define RUN_LIBRARIES_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum source_kind { SOURCE_XORWOW, SOURCE_MRG, SOURCE_MT19937, SOURCE_PHILOX, SOURCE_SOBOL32,
                   SOURCE_SOBOL64 };
enum source_order { /* curandOrdering_t of those that are not quasi-random */
    ORDER_BEST = 100, ORDER_DEFAULT, ORDER_SEEDED, ORDER_LEGACY, ORDER_DYNAMIC
};

struct source {
    enum source_kind kind;
    uint64_t seed, offset;
    int order;       /* enum source_order */
    bool begun;      /* else the first use begins at the offset */
    bool lost;       /* where NVIDIA's library goes on is not known, until an offset is set */
    uint64_t at;     /* the place: results of Philox, points of Sobol, turns of the others */
    unsigned dimensions;   /* of Sobol */
    bool scrambled;        /* Sobol */
    bool of_host;          /* the generator of the host, not of the device */
    unsigned turn;   /* the others: the thread whose turn it is */
    unsigned threads;
    uint32_t (*states)[6]; /* of the threads */
    struct twister *twister; /* of MT19937 */
};

/* Are the numbers quasi-random? Each result is a point then. */
bool source_is_quasi(const struct source *);
/* Do normal numbers come in pairs? Else each comes from one result, by the inverse of the
 * distribution's function. */
bool source_has_pairs(const struct source *);
/* What a result, or a pair of them, takes of its thread. */
enum source_use { USE_WORD, USE_DOUBLE, USE_PAIR, USE_PAIR_OF_DOUBLES };

/* How many words a result or a pair has. */
unsigned source_words(const struct source *, enum source_use);
/* Is the next result the second one of a pair? */
bool source_is_second(const struct source *);
/*
 * The words for n results, one after the other. For pairs these are the words of all pairs of which
 * a result is used: source_pairs() of them. Dimensions have equal parts of n. False: no memory is
 * left.
 */
bool source_take(struct source *, enum source_use, size_t n, uint32_t *words);
size_t source_pairs(const struct source *, size_t n);
/* A seed or an order is set, which may be another one than before. The place in the sequence stays.
 * Only MT19937 begins anew. */
void source_restart(struct source *, bool is_other);
void source_free(struct source *);

#endif
