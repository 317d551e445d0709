/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grid: which element each thread has, by the usual formula or by the student's own: how many
 * threads are left over, and which elements have no thread, or several.
 */
#include "labs/grid/work.h"
#include "labkit/lab.h"

#include <stdio.h>

static int read_grid(struct indexing *x, const struct args *args, struct report *r)
{
    if (grid_read(&x->grid, args, INDEXING_MOST, "each thread is looked at", "grid 4 256", r))
        return -1;
    x->threads = x->grid.block_count * x->grid.block_size;
    x->n = arg_given(args, "n") ? (int)arg_int(args, "n") : (int)x->threads;
    return 0;
}

/* What there is to explain, the worst first. */
static const char *case_of(const struct indexing *x)
{
    if (x->below)
        return "negative";
    if (x->shared)
        return "twice";
    if (x->never)
        return x->threads < (uint64_t)x->n ? "few" : "gaps";
    return x->idle ? "idle" : x->grid.flat ? "flat" : "many";
}

static void explain(const struct indexing *x, struct report *r)
{
    struct slots s;
    char text[NUM_TEXT];
    slots_init(&s);
    slot(&s, "blocks", "%s", num_group((int64_t)x->grid.block_count, text));
    slot(&s, "threads", "%s", num_group((int64_t)x->grid.block_size, text));
    slot(&s, "all", "%s", num_group((int64_t)x->threads, text));
    slot(&s, "n", "%s", num_group(x->n, text));
    slot(&s, "hit", "%s", num_group((int64_t)x->hit, text));
    slot(&s, "never", "%s", num_group((int64_t)x->never, text));
    slot(&s, "shared", "%s", num_group((int64_t)x->shared, text));
    slot(&s, "most", "%u", x->most);
    slot(&s, "idle", "%s", num_group((int64_t)x->idle, text));
    slot(&s, "below", "%s", num_group((int64_t)x->below, text));
    slot(&s, "enough", "%s",
         num_group((x->n + (int64_t)x->grid.block_size - 1) / (int64_t)x->grid.block_size, text));
    lab_explain_slots(r, "grid", case_of(x), &s);
}

static int tell(struct indexing *x, struct session *s, const struct args *args, struct report *r)
{
    struct launch_result result = {0};
    char head[160], shape[80], n[NUM_TEXT];
    grid_text(&x->grid, shape);
    if (indexing_run(x, s, arg_flag(args, "trace"), &result, r))
        return -1;
    snprintf(head, sizeof head, "grid<<<%s>>>(), n = %s", shape, num_group(x->n, n));
    say_head(r, s, head);
    say_indexing(x, r);
    put_indexing(x, &r->result);
    lab_extras(s, args->options, &result, r);
    launch_result_free(&result);
    if (r->status != REPORT_OK)
        return -1;
    explain(x, r);
    return x->same ? 0 : report_fail(r, "the kernel's indices are not what the formula gives");
}

static int run(struct session *s, const struct args *args, struct report *r)
{
    struct indexing x = {.n = 0};
    int failed = read_grid(&x, args, r) || indexing_open(&x, arg_text(args, "index"), r) ||
                 tell(&x, s, args, r);
    indexing_close(&x);
    return failed ? -1 : 0;
}

static const struct arg_spec options[] = {
    {.name = "n", .value = "N", .type = ARG_INT, .lo = 1, .hi = INDEXING_MOST,
     .help = "elements; else as many as there are threads"},
    {.name = "index", .value = "EXPR", .type = ARG_TEXT,
     .help = "which element a thread has, as in 'block + thread'; threadIdx blockIdx blockDim "
             "gridDim with .x .y .z, + - * / % ( )"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "B", .type = ARG_DIM, .lo = 1, .hi = INDEXING_MOST, .required = true,
     .help = "blocks, as in 4 or 2x3"},
    {.name = "T", .type = ARG_DIM, .lo = 1, .hi = INDEXING_MOST, .required = true,
     .help = "threads in each block, as in 5 or 4x4x4"},
    {0},
};
static const struct lab lab = {.module = "grid", .takes = TAKES_TRACE | TAKES_COUNTERS};

const struct command lab_grid = {
    .name = "grid",
    .kind = CLASS_LAB,
    .summary = "which element each thread of a grid has",
    .options = options,
    .operands = operands,
    .lab = &lab,
    .run = run,
};
