/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks on multiprocessors: where and when each ran. On a GPU each block records it. The
 * simulator runs one block after the other, so the order there is a model, and the screen says so:
 * each SM has as many places as fit at once (dev/occupancy.h), a waiting block gets the place
 * that is free first, and a block takes as long as it has rounds, whatever else runs on its SM.
 */
#ifndef LABS_WAVES_WORK_H
#define LABS_WAVES_WORK_H

#include "dev/occupancy.h"
#include "labkit/run.h"
#include "screen/facts.h"

enum { WAVES_MOST_THREADS = 1 << 22, WAVES_MOST_BLOCKS = 1 << 16 };

struct waves_options {
    struct lab_options lab;
    unsigned work, smem, rows, latency; /* work 0: the usual */
    unsigned blocks, threads;           /* 0: not given */
    bool uneven, warps;
};

struct waves_block {
    unsigned sm, place, wave; /* wave: how many blocks had its place before it */
    double begin, end;        /* modelled: in lengths of an average block; on a GPU: in us */
};

struct waves_want {
    unsigned blocks, threads;
    uint64_t shared;
    unsigned work;  /* rounds of a block, on average */
    bool uneven;
    uint64_t seed;
};

struct waves {
    struct waves_want want;
    unsigned sms, places; /* places: blocks that fit on one SM */
    struct waves_block *block;
    unsigned *rounds;
    /* What follows from them: */
    unsigned waves;       /* by arithmetic: blocks / (sms x places), rounded up */
    unsigned idle_sms;    /* SMs that had no block */
    unsigned last_wave;   /* blocks in the last one */
    double span, busy;    /* when the last block ends; the used part of all places' time */
    bool measured, right; /* right: each block ran once, and every thread's number is right */
    struct launch_result result;
    /* What the screens say of it: */
    unsigned at_once, one_more, twice; /* blocks that fit at once; one more; twice as many */
    unsigned waits, free, open, threads; /* free: places beside the last wave; open: beside all */
    bool modelled, shows_times, shows_measured, one_waits;
    char marked[16]; /* "> 132" for the launch that was asked for */
};

/* -1: the report says why. The caller frees it in either case. `quiet`: the report gets nothing. */
int waves_run(struct waves *, const struct waves_want *, struct session *, bool trace, bool quiet,
              struct report *);
/* The model alone, without a launch. The caller frees it in either case. */
int waves_model(struct waves *, const struct waves_want *, const struct device_props *,
                struct report *);
void waves_free(struct waves *);
/* x after n steps of the kernels' x = a x + c. */
uint32_t waves_after_steps(uint32_t x, uint32_t n);
/* Its steps: lengths of blocks, their places, and what follows. */
int waves_prepare(struct waves *, const struct waves_want *, const struct device_props *,
                  struct report *);
int waves_place(struct waves *, struct report *);
int waves_sum_up(struct waves *, struct report *);

/* Its numbers, on the screen and in "result". */
void tell_waves(const struct waves *, struct report *);
/* A row an SM, those that are alike together, `rows` of them at most. -1: no memory. */
int say_waves(struct report *, const struct waves *, unsigned rows);
/* The same launch of as many blocks as there are SMs, one less, one more; and as many as fit at
 * once, and one more. */
int say_waves_around(struct report *, const struct waves_want *, struct session *);
void explain_waves(const struct waves *, struct report *);
/* warps.c: `waves --warps`, 1 to 64 warps of one SM that wait for their loads. */
int waves_warps(struct session *, const struct waves_options *, struct report *);

#endif
