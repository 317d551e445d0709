/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sum: an array of floats added up, one kernel a way: those of a course's slides, with the times
 * that they give, and faster ones. The kernels are in kernels/sum.cu; how one is run and judged
 * is in labkit/reduce.c, and the screens are in labkit/reduce-say.c.
 */
#include "labkit/lab.h"
#include "labkit/reduce.h"

#include <string.h>

static const struct lab_variant variants[] = {
    {"tree", "sum_tree", "a tree in shared memory, in each block",
     .tag = EACH_BLOCK | SHARED_VALUES},
    {"serial", NULL, "one loop on the host, in float", .tag = EACH_THREAD | ON_HOST},
    {"atomic", "sum_atomic", "one atomic operation per element", .tag = EACH_THREAD},
    {"thread0", "sum_thread0", "thread 0 adds the elements of its block, from global memory",
     .tag = EACH_BLOCK | ONE_THREAD},
    {"shared0", "sum_shared0", "all threads load, thread 0 adds from shared memory",
     .tag = EACH_BLOCK | ONE_THREAD | SHARED_VALUES},
    {"shuffle", "sum_shuffle", "warps add in registers, with one barrier", .tag = EACH_BLOCK},
    {"vector", "sum_vector", "four elements per load, with a quarter of the threads",
     .tag = EACH_BLOCK | BY_FOURS},
    {"best", "sum_best", "few blocks, many loads of four elements per thread",
     .tag = FEW_BLOCKS | BY_FOURS | BIG_BLOCKS},
    {"cublas", "cublasSdot", "NVIDIA's library: a dot product with ones",
     .tag = FEW_BLOCKS | BY_CUBLAS},
    {"race", "sum_race", "+= without an atomic operation", "atomic", "race-global", EACH_THREAD},
    {"nobarrier", "sum_nobarrier", "shared0 without its barrier", "shared0",
     "race-shared uninitialized", EACH_BLOCK | ONE_THREAD | SHARED_VALUES},
    {"nobarrier2", "sum_nobarrier2", "tree without the barrier after each step", "tree",
     "race-shared", EACH_BLOCK | SHARED_VALUES},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct reduce_options, n), GIVEN(struct reduce_options, n), .value = "N",
     .type = ARG_INT, .lo = 1, .hi = 1 << 28, .initial = "1000000",
     .initial_but = "1000 for a variant that is wrong on purpose",
     .help = "the number of elements"},
    {.name = "fill", BIND(struct reduce_options, fill[0]), .value = "FILL", .type = ARG_TEXT,
     .initial = "value:1",
     .help = "the values, as for `array`: value:1, iota, list:1,2,3, random"},
    {0},
};

static const struct lab lab = {
    .module = "sum",
    .takes = TAKES_LADDER | TAKES_BLOCKS | TAKES_THREADS | TAKES_SEED,
    .variants = variants,
};

/* Kauffman's slides, 2023: n = 10,000,000 in blocks of 128 on a Tesla T4. */
static const char *slides_ms(const struct lab_variant *v)
{
    static const struct { const char *variant, *ms; } given[] = {
        {"thread0", "0.9872"}, {"shared0", "0.6389"}, {"tree", "0.8909"}, {"cublas", "0.2590"}};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        if (strcmp(v->name, given[i].variant) == 0)
            return given[i].ms;
    return NULL;
}

static int run(struct session *s, const void *given, struct report *r)
{
    static const struct reduce_lab sum = {
        .name = "sum", .fills = {"fill", NULL}, .threads = 128,
        .beside_head = "T4 ms",
        .beside_says = "on a Tesla T4 in 2023: n = 10,000,000, blocks of 128",
        .elsewhere = slides_ms};
    const struct reduce_options *o = given;
    const struct lab_run run = {.session = s, .report = r, .options = &o->lab, .lab = &lab};
    return reduction_run(&sum, &run, o);
}

const struct command lab_sum = {
    LAB_COMMAND(struct reduce_options),
    .name = "sum",
    .summary = "the sum of an array: slow, faster and wrong ways",
    .options = options,
};
