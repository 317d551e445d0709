/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks on multiprocessors: who ran where and when. On a GPU each block tells it itself. The
 * simulator runs one block after the other, so there the order is modelled, and said to be: each
 * SM has as many places as fit at once (labkit/occupancy.h), a block that waits gets the place
 * that is free first, and a block takes as long as it has rounds, whoever shares its SM.
 */
#ifndef LABS_WAVES_WORK_H
#define LABS_WAVES_WORK_H

#include "labkit/occupancy.h"
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
    unsigned sm, place, wave; /* wave: how many were at its place before it */
    double begin, end;        /* in times of an average block, modelled; in us on a GPU */
};

struct waves_want {
    unsigned blocks, threads;
    uint64_t shared;
    unsigned work;  /* rounds of a block; of an average one where they are uneven */
    bool uneven;
    uint64_t seed;
};

struct waves {
    struct waves_want want;
    unsigned sms, places; /* places: of one SM */
    struct waves_block *block;
    unsigned *rounds;
    /* What follows from them: */
    unsigned waves;       /* by arithmetic: blocks / (sms x places), rounded up */
    unsigned idle_sms;    /* that no block was on */
    unsigned last_wave;   /* blocks in the last one */
    double span, busy;    /* when the last ends; the part of all places' time that was used */
    bool measured, right; /* right: each block ran once, and every thread's number is right */
    struct launch_result result;
    /* What the screens say of it: */
    unsigned at_once, one_more, twice; /* blocks that fit at once; one more; twice as many */
    unsigned waits, free, open, threads; /* free: places beside the last wave; open: beside all */
    bool modelled, shows_times, shows_measured, one_waits;
    char marked[16]; /* "> 132" for the launch that was asked for */
};

/* -1: the report says why. To be freed in either case. `quiet`: no part of the report. */
int waves_run(struct waves *, const struct waves_want *, struct session *, bool trace, bool quiet,
              struct report *);
/* The model alone: nothing runs. Likewise. */
int waves_model(struct waves *, const struct waves_want *, const struct device_props *,
                struct report *);
void waves_free(struct waves *);
/* x after n steps of the kernels' x = a x + c. */
uint32_t waves_after_steps(uint32_t x, uint32_t n);
/* Its steps: lengths, who goes where, what follows. */
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
