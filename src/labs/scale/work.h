/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A task shared by ranks. With mpirun, each rank is a process. Without it, all ranks are in this
 * process, each with a device of its own. A rank works on a GPU or on a core of the host.
 *
 * Of a simulator, times are a model: instructions of the block that has the most. Blocks on SMs of
 * their own don't slow each other down. Kernels of two ranks on one GPU take turns. A core does one
 * term at a time, with as many instructions as a thread of the kernel.
 */
#ifndef LABS_SCALE_WORK_H
#define LABS_SCALE_WORK_H

#include "base/rounding.h"
#include "labkit/lab.h"

enum scale_task { TASK_TRAP, TASK_SUM };
enum { SCALE_GPUS = 32, SCALE_RANKS = 64 }; /* at most, in one process */

struct scale_rank {
    unsigned rank, gpu; /* the GPU counts over all nodes */
    bool by_host;       /* it works on a core instead */
    char place[24];     /* "GPU 1", "a core" */
    int first, count;   /* its share of the terms */
    double sum, expected, magnitude, chain;
    double work, add;   /* times: of its terms, of the block that adds */
    double time;        /* together */
    uint64_t instructions;
    double ms;          /* what is shown of it: one of these two */
    uint64_t instructions_of_sm;
    bool timed, modelled;
};

/* What a rank tells after a run: the values of its word. */
enum scale_value { SAYS_SUM, SAYS_WORK, SAYS_ADD, SAYS_INSTRUCTIONS, SAYS_EXPECTED, SAYS_MAGNITUDE,
                   SAYS_CHAIN };
void scale_note(struct team_word *, const struct report *); /* what went wrong, if anything did */

struct scale_worker; /* a rank of this process: worker.c */

struct scale_plan {
    enum scale_task task;
    float a, b;
    unsigned strategy, gpus, blocks, threads; /* gpus: of a node */
    double host_part; /* of all terms, for the ranks without a GPU; below 0: equal shares */
};

struct scale_team {
    struct session *session;
    struct report *report;
    struct scale_plan plan;
    struct scale_rank *rank;
    unsigned ranks, all_gpus, nodes, mine, workers; /* mine: the first rank of this process */
    struct scale_worker *worker;
    struct team_word *word; /* of each rank */
    bool modelled;
    unsigned sms;
    uint64_t fixed_instructions; /* of the first rank's kernel with almost no terms */
    bool has_counters;
    struct counters counters; /* of the first rank's kernel, in its last run */
};

/* A plain copy between two cards; bytes 0: there was none. In GB/s; direct 0: not possible. */
struct scale_peer {
    uint64_t bytes;
    unsigned from, to;
    double by_host, direct;
};

/* One run with the first `gpus` GPUs. */
struct scale_run {
    double sum, expected, bound;
    double work, add, time; /* of the rank, or of the GPU, that takes longest */
    enum sum_verdict verdict;
};

/* Who works where. -1: ranks and devices don't match, or a device can't be opened, and the report
 * says why. Close it also then. */
int scale_open(struct scale_team *, unsigned ranks);
void scale_close(struct scale_team *);
int scale_share(struct scale_team *, int n, unsigned gpus, struct scale_run *);

/* worker.c: the ranks of this process */
int scale_workers_open(struct scale_team *);
void scale_workers_close(struct scale_team *);
/* Runs the shares of this process's ranks, and fills in their words. */
void scale_workers_run(struct scale_team *, int n, unsigned gpus);
/* From the first GPU to the second, by the first rank, where there are two cards. */
int scale_copy(struct scale_team *, struct scale_peer *);
bool scale_works(const struct scale_rank *, unsigned gpus); /* does it take part? */

#endif
