/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * waves: blocks queue for places on the multiprocessors. Where each ran and when is drawn: as a
 * GPU's blocks recorded it, or as the simulator models it (work.h). With --warps, how many warps of
 * one SM hide the wait for a load (warps.c).
 */
#include "labs/waves/work.h"
#include "labkit/lab.h"
#include "labkit/ladder/ladder.h"

#include <stdio.h>

enum { WORK_SIM = 16, WORK_GPU = 16384 };

static int read_want(const struct session *s, const struct waves_options *o,
                     struct waves_want *want, struct report *r)
{
    const struct device_props *p = &s->device->props;
    *want = (struct waves_want){.threads = o->threads ? o->threads : 256,
                                .shared = o->smem,
                                .work = o->work ? o->work : session_on_gpu(s) ? WORK_GPU : WORK_SIM,
                                .uneven = o->uneven,
                                .seed = lab_seed(s, &o->lab)};
    const struct occupancy_want each = {(int)want->threads, 0, want->shared};
    const int places = p->multiprocessors * occupancy_of(p, &each).blocks;
    want->blocks = o->blocks ? o->blocks : (unsigned)places + 1;
    if ((uint64_t)want->blocks * want->threads <= WAVES_MOST_THREADS)
        return 0;
    return report_fail(r, "%u blocks of %u threads are too many to show; take at most %d threads "
                          "in all, or %d such blocks", want->blocks, want->threads,
                       WAVES_MOST_THREADS, WAVES_MOST_THREADS / (int)want->threads);
}

/* What the text of the calls may name. */
static const struct fact want_facts[] = {
    {FACT(struct waves_want, blocks)},
    {FACT(struct waves_want, threads)},
    {.name = NULL},
};

static int run_blocks(struct session *s, const struct waves_options *o, struct report *r)
{
    struct waves_want want;
    struct waves w;
    char head[100];
    if (read_want(s, o, &want, r))
        return -1;
    snprintf(head, sizeof head, "waves<<<%u, %u>>>: which blocks each SM runs, and when", want.blocks,
             want.threads);
    say_head(r, s, head);
    if (o->lab.calls) {
        lab_calls(r, "waves", NULL, want_facts, &want);
        lab_explain(r, "waves", "calls", NULL, NULL);
        return 0;
    }
    int failed = waves_run(&w, &want, s, o->lab.trace, false, r);
    if (!failed) {
        tell_waves(&w, r);
        failed = say_waves(r, &w, o->rows);
    }
    if (!failed)
        failed = say_waves_around(r, &want, s);
    if (!failed) {
        lab_extras(s, &o->lab, &w.result, r);
        explain_waves(&w, r);
    }
    const bool right = failed || w.right;
    waves_free(&w);
    return failed ? -1 : right ? 0 : report_fail(r, "some block did not run once, or its result "
                                                    "is wrong");
}

static int run(struct session *s, const void *given, struct report *r)
{
    const struct waves_options *o = given;
    return o->warps ? waves_warps(s, o, r) : run_blocks(s, o, r);
}

static const struct arg_spec options[] = {
    {OPTION(struct waves_options, work), .value = "N", .type = ARG_INT, .lo = 1, .hi = 1 << 20,
     .help = "the rounds of each block; with --warps, the steps between two loads"},
    {OPTION(struct waves_options, uneven), .help = "blocks of different length, chosen by the "
                                                   "seed"},
    {OPTION(struct waves_options, smem), .value = "BYTES", .type = ARG_INT, .lo = 0, .hi = 1 << 20,
     .initial = "0", .help = "shared memory per block; with more, fewer blocks fit at the same "
                             "time"},
    {OPTION(struct waves_options, rows), .type = ARG_INT, .lo = 1, .hi = 64, .initial = "8",
     .help = "the largest number of SMs that are shown"},
    {OPTION(struct waves_options, warps), .help = "show how 1 to 64 warps hide the latency of a "
                                                  "load"},
    {OPTION(struct waves_options, latency), .value = "L", .type = ARG_INT, .lo = 0, .hi = 100000,
     .initial = "400",
     .help = "with --warps: the assumed latency of a load, in instructions"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "B", BIND(struct waves_options, blocks), .type = ARG_INT, .lo = 1,
     .hi = WAVES_MOST_BLOCKS, .help = "blocks; if not given, one more than fit at the same time"},
    {.name = "T", BIND(struct waves_options, threads), .type = ARG_INT, .lo = 1, .hi = 1024,
     .help = "threads per block; 256 if not given"},
    {0},
};
static const struct lab lab = {
    .module = "waves", .takes = TAKES_SEED | TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS};

const struct command lab_waves = {
    LAB_COMMAND(struct waves_options),
    .name = "waves",
    .summary = "which blocks each SM runs, and when",
    .options = options,
    .operands = operands,
};
