/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `bench` finds of the commands that it runs, and how it tells of it. The command itself is in
 * repl/commands/bench.c.
 */
#ifndef REPL_BENCH_BENCH_H
#define REPL_BENCH_BENCH_H

#include "labkit/times.h"
#include "repl/shell.h"

enum { COMMANDS_MOST = TIMING_SEQUENCES };

struct bench_options {
    int runs;
    bool runs_given, seconds_given, warm, compare_given;
    double seconds;
    struct arg_pair compare;
    struct arg_call command;
};

/* One of the commands. */
struct benched {
    const char *command, *name; /* name: A or B */
    char *text;                 /* the command, where it had quotes */
    struct caught caught;
    struct report sum; /* of all that it launched */
    struct buf kernels;
    const char *kernels_text;
    unsigned launches;
    bool several; /* launches */
    bool graph;   /* those that follow each other are queued as one */
    bool counted;
    uint64_t warp_instructions, sector_bytes;
    double modelled_s, modelled_ms; /* on the simulator: of all launches; 0: not known */
    /* Of a GPU: */
    bool timed, rotated, drifts, has_bytes, has_peak, has_copy, has_rate;
    struct sample sample;
    double median_ms, fastest_ms, mean_ms, lower_ms, upper_ms, lo_ms, hi_ms, percent;
    uint64_t copies, rotated_bytes, array_bytes;
    double gb_s, of_peak, of_copy, drift;
    double instructions_s, billions_s, of_issue; /* of warps; of_issue: 0: not known */
};

struct bench {
    struct shell *sh;
    struct report *report;
    const struct bench_options *options;
    struct benched at[COMMANDS_MOST];
    unsigned count;
    struct timing timing;
    bool measures, hidden;
    double peak_gb_s, copy_gb_s;
    bool has_copy, has_clock, too_little_memory, warm;
    uint64_t l2_bytes;
    int sm_mhz, sm_mhz_most, others;
    const char *slowed;
    double modelled_ratio; /* 0: not known */
    double ratio, ratio_lo, ratio_hi, ratio_confidence, ratio_percent;
    unsigned groups;
};


/* find.c: what was launched, of one command; and all that is measured on a GPU. -1: the report says why
 * not. */
void bench_find_launched(struct benched *);
int bench_measure(struct bench *);

/* say.c: the screen and the result. -1: the report says why not. */
int bench_tell(struct bench *);

#endif
