/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A kept sequence that is run again and again (process-rerun.c). All functions return the driver's
 * status.
 */
#ifndef DEV_GPU_PROCESS_RERUN_H
#define DEV_GPU_PROCESS_RERUN_H

#include "dev/gpu/process-sequence.h"

struct rerunner { /* what all sequences that are timed share */
    struct process *p;
    const struct timing_want *want;
    void *wait, *differ;     /* functions of kernels/gpu-own.cu */
    double clock_hz, wait_s; /* how long one thread waits before each run */
    uint64_t l2_bytes;
    void **events; /* enough for a run of each */
};
int rerunner_open(struct rerunner *);
int rerunner_start_wait(const struct rerunner *);

struct pointer {
    char *word;
    const struct kept_area *to;
    uint64_t own;
};

/* A sequence that is ready to run. */
struct rerun {
    struct sequence *s;
    size_t steps;             /* without what the host stored behind the last launch */
    struct pointer *pointers; /* the addresses among what its launches are given */
    size_t pointer_count, pointer_capacity;
    uint64_t further, stride; /* the copies of its arrays but the first, which is the arrays */
    uint32_t copies;
    uint32_t in_a_row;    /* so many runs use the same copy, then comes the next one */
    uint32_t run;         /* the number of the next run */
    uint32_t events;      /* that a run records */
    void **graphs;        /* of its parts that are launched as graphs; there are events / 2 parts */
    uint32_t alone;       /* so many runs had all their launches queued one by one */
    bool no_graphs;       /* all runs have */
    bool graphs_used;     /* by the last run */
    uint64_t array_bytes; /* of the arrays that each launch is given, added up */
    double launch_s;      /* the host was at least so long at the launches of a run; 0: not known */
    bool crowded;         /* there was no memory for as many copies as it should have */
};
/* A part of a run as a graph (process-graph.c). Between the two calls, what is queued is only noted.
 * The second call makes the graph ready for the same part of each run: *ready is NULL before the
 * first one. It must be called also where queueing failed. */
int graph_begin(struct process *);
int graph_end(struct process *, void **ready);
void graphs_drop(struct process *, void **graphs, size_t count);

/* In this order. Between the first two, `events` of the rerunner get their room. */
int rerun_prepare(struct rerunner *, struct rerun *, struct sequence *);
int rerun_make_ready(struct rerunner *, struct rerun *);                           /* its memory */
int rerun_queue(struct rerunner *, struct rerun *, void **events);                 /* a run */
int rerun_read(struct rerunner *, const struct rerun *, void **events, float *ms); /* its time */
int rerun_go_forth(struct rerunner *, const struct rerun *); /* all memory as it was before */
void rerun_end(struct rerunner *, struct rerun *);           /* in each case */

#endif
