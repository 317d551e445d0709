/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * waves: blocks queue for places on the multiprocessors. Where each ran and when is drawn: as a
 * GPU's blocks tell it, or as modelled on the simulator (labs/waves/work.h). With --warps, how many
 * warps of one SM hide a load's wait (labs/waves/warps.c).
 */
#include "labs/waves/work.h"
#include "labkit/lab.h"
#include "labkit/ladder.h"

#include <stdio.h>

enum { WORK_SIM = 16, WORK_GPU = 16384 };

static int read_want(const struct session *s, const struct args *a, struct waves_want *want,
                     struct report *r)
{
    const struct device_props *p = &s->device->props;
    want->threads = arg_has(a, "T") ? (unsigned)arg_int(a, "T") : 256;
    want->shared = (uint64_t)arg_int(a, "smem");
    want->uneven = arg_flag(a, "uneven");
    want->seed = lab_seed(s, a->options);
    want->work = arg_given(a, "work") ? (unsigned)arg_int(a, "work")
                 : session_on_gpu(s)  ? WORK_GPU
                                      : WORK_SIM;
    const struct occupancy_want each = {(int)want->threads, 0, want->shared};
    const int places = p->multiprocessors * occupancy_of(p, &each).blocks;
    want->blocks = arg_has(a, "B") ? (unsigned)arg_int(a, "B") : (unsigned)places + 1;
    if ((uint64_t)want->blocks * want->threads <= WAVES_MOST_THREADS)
        return 0;
    return report_fail(r, "%u blocks of %u threads are too many to look at each: at most %d "
                          "threads in all, so %d such blocks", want->blocks, want->threads,
                       WAVES_MOST_THREADS, WAVES_MOST_THREADS / (int)want->threads);
}

static const struct host_call calls[] = {
    {"cudaMemcpy(rounds, ..., cudaMemcpyHostToDevice)", "4 bytes a block to the device",
     "the host waits for the copy"},
    {"waves_blocks<<<%s>>>(rounds, record, out)", NULL,
     "the host does not wait; blocks queue on the device"},
    {"cudaMemcpy(..., record, ..., cudaMemcpyDeviceToHost)", "24 bytes a block to the host",
     "waits for all blocks first"},
    {NULL, NULL, NULL},
};

static int run_blocks(struct session *s, const struct args *args, struct report *r)
{
    struct waves_want want;
    struct waves w;
    char head[100], shape[40];
    if (read_want(s, args, &want, r))
        return -1;
    snprintf(shape, sizeof shape, "%u, %u", want.blocks, want.threads);
    snprintf(head, sizeof head, "waves<<<%s>>>: which SM runs which block when", shape);
    say_head(r, s, head);
    if (arg_flag(args, "calls")) {
        struct slots none;
        slots_init(&none);
        say_calls(r, calls, shape);
        lab_explain_slots(r, "waves", "calls", &none);
        return 0;
    }
    int failed = waves_run(&w, &want, s, arg_flag(args, "trace"), false, r);
    if (!failed) {
        say_waves_counts(r, &w);
        json_waves(r, &w);
        failed = say_waves(r, &w, (unsigned)arg_int(args, "rows"));
    }
    if (!failed)
        failed = say_waves_around(r, &want, s);
    if (!failed) {
        lab_extras(s, args->options, &w.result, r);
        explain_waves(&w, r);
    }
    const bool right = failed || w.right;
    waves_free(&w);
    return failed ? -1 : right ? 0 : report_fail(r, "not every block ran once and came out right");
}

static int run(struct session *s, const struct args *args, struct report *r)
{
    if (arg_flag(args, "warps"))
        return waves_warps(s, args, r);
    return run_blocks(s, args, r);
}

static const struct arg_spec options[] = {
    {.name = "work", .value = "N", .type = ARG_INT, .lo = 1, .hi = 1 << 20,
     .help = "rounds of a block; with --warps, steps between two loads"},
    {.name = "uneven", .type = ARG_FLAG, .help = "blocks of unlike length, drawn from the seed"},
    {.name = "smem", .value = "BYTES", .type = ARG_INT, .lo = 0, .hi = 1 << 20, .initial = "0",
     .help = "shared memory a block: fewer fit at once"},
    {.name = "rows", .value = "N", .type = ARG_INT, .lo = 1, .hi = 64, .initial = "8",
     .help = "rows of SMs, at most"},
    {.name = "warps", .type = ARG_FLAG, .help = "1 to 64 warps hiding one load's wait"},
    {.name = "latency", .value = "L", .type = ARG_INT, .lo = 0, .hi = 100000, .initial = "400",
     .help = "with --warps: a load's wait, in instructions that fit into it; an assumption"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "B", .type = ARG_INT, .lo = 1, .hi = WAVES_MOST_BLOCKS,
     .help = "blocks; one more than fit at once, if not given"},
    {.name = "T", .type = ARG_INT, .lo = 1, .hi = 1024,
     .help = "threads in each; 256 if not given"},
    {0},
};
static const struct lab lab = {
    .module = "waves", .takes = TAKES_SEED | TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS};

const struct command lab_waves = {
    .name = "waves",
    .kind = CLASS_LAB,
    .summary = "which SM runs which block when",
    .options = options,
    .operands = operands,
    .lab = &lab,
    .run = run,
};
