/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * streams: one sum of two vectors by programs that differ in their streams and in their waits. A
 * variant is a list of calls (programs.c); labkit/streams runs it, and gives the times of others
 * beside it.
 */
#ifndef LABS_STREAMS_WORK_H
#define LABS_STREAMS_WORK_H

#include "labkit/lab.h"
#include "labkit/ladder/ladder.h"
#include "labkit/streams/streams.h"

enum streams_tag {
    IN_DEPTH,    /* frame by frame: all of its work, in a stream */
    IN_BREADTH,  /* by rounds: the copies of all streams, their kernels, their copies back */
    ONE_BY_ONE,  /* frame by frame, by copies that the host waits for */
    AT_ONCE,     /* no frames */
    BY_KIND,     /* a stream for copies in, one for kernels, one for copies out */
    KERNELS,     /* copied at once; only the kernels are in frames */
    STREAMS_PROGRAM = 7,
    WAITS_BETWEEN = 8,  /* for all streams of a round, before the copies back */
    FROM_PAGEABLE = 16, /* memory of malloc */
    ONE_STREAM = 32,    /* for all kernels */
    WAITS_NOT = 64,
    WAITS_FOR_ONE = 128, /* of the streams, the first one */
    NO_EVENTS = 256
};

struct streams_options {
    struct lab_options lab;
    int n, streams, frames, rounds;
    bool n_given, rounds_given;
    struct stream_assumed assumed;
};

enum { X, Y, Z, COMPARED = 3 };
struct streams_lab {
    struct lab_run run;
    const struct streams_options *options;
    uint32_t *x, *y, *z;
    struct streams_machine machine;
    struct streams streams; /* of the last run */
    struct compared { const char *variant; double us; } compared[COMPARED];
    bool has_compared, compared_measured, all_compared;
    /* What the facts say: */
    int n, streams_used, frames, rounds;
    unsigned frame, threads; /* elements of a frame */
    unsigned frame_blocks, sms;
    uint64_t bytes;          /* of one array */
    uint32_t launches, copies, waits; /* of the list */
    bool has_time, modelled, raced, small, few, one_engine; /* few: blocks of a kernel */
    double us;
    struct streams_use use;
    char race[256], shown[32], beside[100];
};

/* programs.c: the list of a variant's calls. */
void streams_build(const struct streams_lab *, int tag, struct streams *);

extern const struct ladder streams_ladder;
/* Fills in how long other variants take. -1: the report says why. */
int streams_compare(struct streams_lab *);

#endif
