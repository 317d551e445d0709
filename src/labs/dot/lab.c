/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dot: the dot product of two arrays, one kernel a way of adding up the products. The kernels are
 * in kernels/dot.cu; how one is run and judged is in labkit/reduce.c, and the screens are in
 * labkit/reduce-say.c.
 */
#include "labkit/lab.h"
#include "labkit/reduce.h"

static const struct lab_variant variants[] = {
    {"shared-atomic", "dot_shared_atomic", "a tree in shared memory, one atomic per block",
     .tag = EACH_BLOCK | SHARED_VALUES},
    {"serial", NULL, "one loop on the host, in float", .tag = EACH_THREAD | ON_HOST},
    {"atomic", "dot_atomic", "one atomic operation per product", .tag = EACH_THREAD},
    {"shuffle-atomic", "dot_shuffle_atomic", "shuffles in registers, one atomic per block",
     .tag = EACH_BLOCK},
    {"partials", "dot_partials", "32 blocks store their sums, the host adds them",
     .tag = SUMS_TO_HOST | SHARED_VALUES},
    {"two-kernels", "dot_partials", "a second kernel with one block adds the sums",
     .tag = SUMS_TO_KERNEL | SHARED_VALUES},
    {"gridstride", "dot_gridstride", "many products per thread, then shuffles",
     .tag = FEW_BLOCKS},
    {"best", "dot_best", "few large blocks, loads of four elements",
     .tag = FEW_BLOCKS | BY_FOURS | BIG_BLOCKS},
    {"cublas", "cublasSdot", "a function of NVIDIA's library", .tag = FEW_BLOCKS | BY_CUBLAS},
    {"nonpow2", "dot_nonpow2", "a tree for blocks of 100 threads: loses products",
     "shared-atomic", NULL,
     EACH_BLOCK | SHARED_VALUES | ODD_BLOCK},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct reduce_options, n), GIVEN(struct reduce_options, n), .value = "N",
     .type = ARG_INT, .lo = 1, .hi = 1 << 28, .initial = "2^18",
     .initial_but = "1000 for a variant that is wrong on purpose",
     .help = "the number of products"},
    {.name = "a", BIND(struct reduce_options, fill[0]), .value = "FILL", .type = ARG_TEXT,
     .initial = "random",
     .help = "the first array, as for `array`: value:1, iota, list:1,2,3, random:-1:1"},
    {.name = "b", BIND(struct reduce_options, fill[1]), .value = "FILL", .type = ARG_TEXT,
     .initial = "random", .help = "the second array; random takes the next seed"},
    {0},
};

static const struct lab lab = {
    .module = "dot",
    .takes = TAKES_LADDER | TAKES_BLOCKS | TAKES_THREADS | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    static const struct reduce_lab dot = {.name = "dot", .fills = {"a", "b"}, .threads = 256};
    const struct reduce_options *o = given;
    const struct lab_run run = {.session = s, .report = r, .options = &o->lab, .lab = &lab};
    return reduction_run(&dot, &run, o);
}

const struct command lab_dot = {
    LAB_COMMAND(struct reduce_options),
    .name = "dot",
    .summary = "a dot product: ways to add the products of many threads",
    .options = options,
};
