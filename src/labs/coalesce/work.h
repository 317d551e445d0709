/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which bytes each warp of a kernel of kernels/coalesce.cu asks for, request by request, as a rule
 * in plain C; the sectors that follow; and a run whose results and counters are held against both.
 */
#ifndef LABS_COALESCE_WORK_H
#define LABS_COALESCE_WORK_H

#include "labkit/ladder/ladder.h"

enum { WARP_LANES = 32, SECTOR_BYTES = 32, CACHE_LINE_BYTES = 128, FIELDS_MOST = 64 };

/* How the elements of a warp lie. */
enum access_kind {
    BY_STRIDE,      /* element stride * i + offset */
    BY_INDEX,       /* elements in random order */
    BY_STRUCTURE,   /* a field after the other, of structures */
    BY_FIELD,       /* the same fields, an array each */
    BY_GROUP,       /* the same, an array each for every 32 structures */
    BY_FOURS,       /* four fields a load */
    THROUGH_SHARED  /* whole structures, in order */
};

/* One variant's launch. `n` is the number of elements that all variants read. */
struct access_plan {
    enum access_kind kind;
    unsigned n, threads, blocks;
    unsigned work;           /* threads that have something to read: a result each */
    unsigned width;          /* bytes of an element */
    unsigned stride, offset; /* in elements */
    unsigned fields, used;   /* of a structure, in floats */
    unsigned pitch;          /* from one field's array to the next, in floats */
    uint64_t bytes;          /* of x */
    uint64_t seed;
};

/* One load instruction of one warp. */
struct access_request {
    uint64_t at[WARP_LANES]; /* bytes from the start of x */
    uint32_t mask;           /* the lanes that take part */
    unsigned bytes;          /* a lane */
};
struct access_request plan_request(const struct access_plan *, const int *index, unsigned warp,
                                   unsigned k);
unsigned plan_requests(const struct access_plan *, unsigned warp); /* how many a warp makes */
unsigned plan_warps(const struct access_plan *);
/* The different pieces of `size` bytes that it touches, in rising order. Returns how many. */
enum { TOUCHED_MOST = 2 * WARP_LANES };
unsigned request_touches(const struct access_request *, unsigned size, uint64_t out[TOUCHED_MOST]);

/* All requests together. Those for the index of a gather are told apart. */
struct access_sums {
    uint64_t requests, sectors, lines;
    uint64_t index_requests, index_sectors;
    uint64_t needed; /* bytes that the results need, a lane each */
};
/* -1: it has to end before that is added up, and the report says why. */
int plan_add_up(const struct access_plan *, const int *index, struct access_sums *,
                const struct session *, struct report *);

/* An order of the numbers below n that the seed draws. */
void plan_shuffle(const struct access_plan *, int *index);
/* Words that the kernel leaves out in shared memory after every 32: 1, or 0 if that is no use. */
int plan_pad(const struct access_plan *);
uint64_t plan_shared(const struct access_plan *); /* bytes of shared memory a block */

/* Into attempt.value go the results that are right, of attempt.expected. */
int access_run(const struct trial *, const struct access_plan *, const char *kernel,
               const int *index, const struct access_sums *, struct attempt *);

#endif
