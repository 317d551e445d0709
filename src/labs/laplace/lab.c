/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * laplace: Jacobi's iteration on a grid, a thread for each point and a launch for each step. How a
 * variant is run and shown is in work.c; the kernels are in kernels/laplace.cu.
 */
#include "labs/laplace/work.h"

#include "labkit/lab.h"

enum { MOST_SIDE = 1 << 16, MOST_ITERS = 10000 };

static const struct lab_variant variants[] = {
    {"global", "laplace_global", "each thread loads four neighbours; rows have a pitch", .tag = 0},
    {"packed", "laplace_global", "the same kernel, but no padding between rows", .tag = PACKED},
    {"shared", "laplace_shared", "each block loads a tile with a border into shared memory",
     .tag = TILED},
    {"vector", "laplace_vector", "four points for each thread, four for each load", .tag = BY_FOURS},
    {"noguard", "laplace_noguard", "no test for threads outside of the grid", "packed",
     "out-of-bounds race-global", PACKED | NEEDS_OUTSIDE},
    {"inplace", "laplace_global", "old and new values are in the same array", "packed",
     "race-global", PACKED | ONE_ARRAY},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct laplace_options, iters), .value = "K", .type = ARG_INT, .lo = 1,
     .hi = MOST_ITERS, .initial = "100", .help = "the number of steps, one launch for each"},
    {OPTION(struct laplace_options, tile), .value = "WxH", .type = ARG_DIM, .lo = 1, .hi = 1024,
     .initial = "32x8", .help = "the threads of a block, in x and in y"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "IxJ", BIND(struct laplace_options, size), .type = ARG_DIM, .lo = 1, .hi = MOST_SIDE,
     .initial = "100x60", .help = "the number of columns and rows of the grid"},
    {0},
};

static const struct lab lab = {
    .module = "laplace",
    .takes = TAKES_LADDER,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct laplace_options *o = given;
    struct laplace w = {.run = {s, r, &o->lab, &lab}, .options = o, .iters = (unsigned)o->iters};
    if (plane_shape(&w.shape, o->size, o->tile, &s->device->props, r))
        return -1;
    w.points = w.shape.wide * w.shape.high;
    const size_t bytes = w.points * sizeof(float), changes = w.iters * sizeof(double);
    w.start = mem_alloc(&allocator_libc, bytes);
    w.change = mem_alloc(&allocator_libc, changes);
    for (unsigned i = 0; w.start && i < w.points; i++) /* the first row is hot */
        w.start[i] = i < w.shape.wide ? 1.0f : 0.0f;
    int failed = w.start && w.change ? ladder_run(&laplace_ladder, &w.run)
                                     : report_fail_limit(r, "out of memory; take a smaller size");
    mem_free(&allocator_libc, w.start, bytes);
    mem_free(&allocator_libc, w.change, changes);
    return failed ? -1 : 0;
}

const struct command lab_laplace = {
    LAB_COMMAND(struct laplace_options),
    .name = "laplace",
    .summary = "the Laplace equation by Jacobi's iteration on a grid",
    .options = options,
    .operands = operands,
};
