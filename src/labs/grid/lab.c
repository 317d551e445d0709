/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grid: which element each thread has, by the usual formula or by the student's own: how many
 * threads are left over, and which elements have no thread, or several.
 */
#include "labs/grid/work.h"
#include "labkit/lab.h"

#include <stdio.h>

struct grid_options {
    struct lab_options lab;
    int n;
    const char *index;
    unsigned blocks[3], threads[3];
};

static int read_grid(struct indexing *x, const struct grid_options *o, struct report *r)
{
    if (grid_read(&x->grid, o->blocks, o->threads, INDEXING_MOST, "each thread is looked at",
                  "grid 4 256", r))
        return -1;
    x->threads = x->grid.block_count * x->grid.block_size;
    x->n = o->n ? o->n : (int)x->threads;
    return 0;
}

static int tell(struct indexing *x, struct session *s, const struct grid_options *o,
                struct report *r)
{
    struct launch_result result = {0};
    char head[160], n[NUM_TEXT];
    grid_text(&x->grid, x->shape);
    snprintf(head, sizeof head, "grid<<<%s>>>(), n = %s", x->shape, num_group(x->n, n));
    if (o->lab.calls) {
        say_head(r, s, head);
        tell_indexing_calls(x, r);
        return 0;
    }
    if (indexing_run(x, s, o->lab.trace, &result, r))
        return -1;
    say_head(r, s, head);
    tell_indexing(x, r);
    lab_extras(s, &o->lab, &result, r);
    launch_result_free(&result);
    if (r->status != REPORT_OK)
        return -1;
    explain_indexing(x, r);
    return x->same ? 0 : report_fail(r, "the kernel's indices differ from the formula");
}

static int run(struct session *s, const void *given, struct report *r)
{
    const struct grid_options *o = given;
    struct indexing x = {.n = 0};
    int failed = read_grid(&x, o, r) || indexing_open(&x, o->index, r) || tell(&x, s, o, r);
    indexing_close(&x);
    return failed ? -1 : 0;
}

static const struct arg_spec options[] = {
    {OPTION(struct grid_options, n), .type = ARG_INT, .lo = 1, .hi = INDEXING_MOST,
     .help = "the number of elements; the number of threads if not given"},
    {OPTION(struct grid_options, index), .value = "EXPR", .type = ARG_TEXT,
     .help = "the index of a thread, as in 'block + thread'; threadIdx blockIdx blockDim gridDim "
             "with .x .y .z, + - * / % ( )"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "B", BIND(struct grid_options, blocks), .type = ARG_DIM, .lo = 1, .hi = INDEXING_MOST,
     .required = true, .example = "4", .help = "blocks, as in 4 or 2x3"},
    {.name = "T", BIND(struct grid_options, threads), .type = ARG_DIM, .lo = 1, .hi = INDEXING_MOST,
     .required = true, .example = "5", .help = "threads in each block, as in 5 or 4x4x4"},
    {0},
};
static const struct lab lab = {.module = "grid", .takes = TAKES_TRACE | TAKES_CALLS |
                                                       TAKES_COUNTERS};

const struct command lab_grid = {
    LAB_COMMAND(struct grid_options),
    .name = "grid",
    .summary = "which element each thread of a grid gets",
    .options = options,
    .operands = operands,
};
