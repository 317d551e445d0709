/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trap: the integral of f from a to b by n trapezoids, one kernel a way of adding up. The
 * kernels are in kernels/trap.cu; how one is run and judged is in labs/trap/work.c, and the
 * screens are in labs/trap/say.c. Here is what there is to choose from.
 */
#include "labs/trap/say.h"
#include "labs/trap/trapezoid.h"
#include "labs/trap/work.h"
#include "labkit/lab.h"

static const struct lab_variant variants[] = {
    {"atomic", "trap_atomic", "one atomic a thread", .tag = ADDS_THREADS},
    {"serial", NULL, "one loop on the host, in float", .tag = ADDS_THREADS},
    {"shuffle", "trap_shuffle", "warps add in registers, one atomic a warp",
     .tag = ADDS_WARPS | FULL_WARPS},
    {"shared", "trap_shared", "warps add in shared memory", .tag = ADDS_WARPS | FULL_WARPS},
    {"samebank", "trap_samebank", "warp sums 32 words apart, all in one bank",
     .tag = ADDS_BLOCKS},
    {"two-barriers", "trap_two_barriers", "one array for values and sums, two barriers",
     .tag = ADDS_BLOCKS},
    {"block-shared", "trap_block_shared", "a second array for the sums, one barrier",
     .tag = ADDS_BLOCKS},
    {"block-shuffle", "trap_block_shuffle", "registers again, one atomic a block",
     .tag = ADDS_BLOCKS},
    {"block-1024", "trap_block_1024", "blocks of 1024, all warps full",
     .tag = ADDS_BLOCKS | FULL_WARPS | BIG_BLOCKS},
    {"gridstride", "trap_gridstride", "many terms a thread, few blocks", .tag = ADDS_STRIDE},
    {"race", "trap_race", "+= without atomic", "atomic", "race-global", ADDS_THREADS},
    {"private", "trap_private", "h and trap are each thread's own", "atomic", NULL,
     ADDS_THREADS | NO_H | NO_SCALE},
    {"init-race", "trap_init_race", "thread 0 sets the start while others add", "atomic",
     "race-global", ADDS_THREADS | NO_START},
    {"norange", "trap_norange", "no test of my_i: too many terms", "atomic", NULL, ADDS_THREADS},
    {"noscale", "trap_noscale", "nobody multiplies by h at the end", "shuffle", NULL,
     ADDS_WARPS | FULL_WARPS | NO_SCALE},
    {"partial", "trap_partial", "a last warp that isn't full", "block-shuffle",
     "invalid-shuffle", ADDS_WARPS | ODD_WARP},
    {"lockstep", "trap_lockstep", "shared without its warp barriers", "shared",
     "race-shared uninitialized", ADDS_WARPS | FULL_WARPS},
    {"zerofill", "trap_zerofill", "zeros for missing warps, no warp barrier", "block-shared",
     "race-shared uninitialized", ADDS_BLOCKS},
    {"nobarrier", "trap_nobarrier", "warp 0 adds the sums without waiting", "block-shuffle",
     "race-shared uninitialized", ADDS_BLOCKS},
    {"reuse", "trap_reuse", "sums go where warp 0 still works", "two-barriers", "race-shared",
     ADDS_BLOCKS},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct trap_options, a), .value = "A", .type = ARG_REAL, .initial = "-3",
     .help = "where the interval begins"},
    {OPTION(struct trap_options, b), .value = "B", .type = ARG_REAL, .initial = "3",
     .help = "where it ends"},
    {OPTION(struct trap_options, n), GIVEN(struct trap_options, n), .value = "N", .type = ARG_INT,
     .lo = 1, .hi = INT32_MAX, .initial = "2^20",
     .help = "trapezoids; a variant that is wrong on purpose takes 1000 if not told"},
    {OPTION(struct trap_options, f), .value = "EXPR", .type = ARG_TEXT,
     .help = "the function, as in x^2+1 or 'sin(x)/x'; + - * / ^ ( ) sin cos tan exp log sqrt "
             "abs pi e"},
    {OPTION(struct trap_options, table), .type = ARG_FLAG,
     .help = "the textbook's own launches beside its times"},
    {0},
};

static const struct lab lab = {
    .module = "trap",
    .takes = TAKES_VARIANT | TAKES_BLOCKS | TAKES_THREADS | TAKES_REPEAT | TAKES_TRACE |
             TAKES_CALLS | TAKES_COUNTERS,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct trap_options *o = given;
    struct trap t = {.run = {s, r, &o->lab, &lab}, .options = o, .module = "trap"};
    int failed = trap_open(&t);
    if (!failed)
        failed = o->table ? trap_table(&t) : ladder_run(&trap_ladder, &t.run);
    trap_close(&t);
    return failed;
}

const struct command lab_trap = {
    .name = "trap",
    .kind = CLASS_LAB,
    .summary = "the trapezoidal rule: many threads, one sum",
    .options = options,
    .size = sizeof(struct trap_options),
    .lab = &lab,
    .run = run,
};
