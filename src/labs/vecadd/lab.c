/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vecadd: z = x + y, a thread an element. Which element is a thread's own, what the threads
 * left over do, and when the host may look. How a variant is run and told is in
 * labs/vecadd/work.c; here is what there is to choose from.
 */
#include "labs/vecadd/work.h"
#include "labkit/lab.h"

static const struct lab_variant variants[] = {
    {"both", "vecadd_both", "blocks of threads, one thread for each element", .tag = ADDS_BOTH},
    {"blocks", "vecadd_blocks", "n blocks of one thread", .tag = ADDS_BLOCKS_ONLY},
    {"threads", "vecadd_threads", "one block of n threads", .tag = ADDS_THREADS_ONLY},
    {"gridstride", "vecadd_gridstride", "each thread adds several elements, in a grid-stride loop",
     .tag = ADDS_WALKING},
    {"noguard", "vecadd_noguard", "no test of i: threads past the end also add", "both",
     "out-of-bounds", ADDS_BOTH | NO_GUARD},
    {"nosync", "vecadd_both", "the host reads z without waiting for the kernel", "both", NULL,
     ADDS_BOTH | NO_WAIT},
    {0},
};

static const struct arg_spec options[] = {
    {.name = "n", BIND(struct vecadd_options, vectors.n), GIVEN(struct vecadd_options, vectors.n),
     .value = "N", .type = ARG_INT, .lo = 1, .hi = VECTORS_MOST, .initial = "997",
     .help = "elements of each vector"},
    {.name = "x", BIND(struct vecadd_options, vectors.x), .type = ARG_LIST,
     .help = "the first vector, as in 1,2,3; random numbers if not given"},
    {.name = "y", BIND(struct vecadd_options, vectors.y), .type = ARG_LIST,
     .help = "the second vector"},
    {OPTION(struct vecadd_options, mem), GIVEN(struct vecadd_options, mem), .type = ARG_CHOICE,
     .choices = transfer_names, .initial = "copy",
     .help = "the kind of memory, and how the data is copied; nosync uses managed memory"},
    {.name = "host-threads", BIND(struct vecadd_options, host_threads), .value = "H",
     .type = ARG_INT, .lo = 1, .hi = HOST_THREADS_MOST,
     .help = "add the vectors on the host too, with this number of threads"},
    {0},
};

static const struct lab lab = {
    .module = "vecadd",
    .takes = TAKES_LADDER | TAKES_BLOCKS | TAKES_THREADS | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct vecadd_options *o = given;
    struct vecadd a = {.run = {s, r, &o->lab, &lab}, .options = o};
    int failed = vecadd_open(&a) || ladder_run(&vecadd_ladder, &a.run);
    vectors_close(&a.v);
    return failed ? -1 : 0;
}

const struct command lab_vecadd = {
    LAB_COMMAND(struct vecadd_options),
    .name = "vecadd",
    .summary = "the sum of two vectors: which thread computes which element",
    .options = options,
};
