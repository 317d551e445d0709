/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jacobi's iteration, run and shown; see work.h. What a step changes at most is the residual: the
 * distance from a point to the mean of its neighbours.
 */
#include "labs/laplace/work.h"

#include "labkit/lab.h"
#include "base/rounding.h"

#include <stdio.h>

enum { PLOT_ROWS = 6 };

/* ---- plain C ---------------------------------------------------------------------------- */

static bool on_border(const struct plane_shape *p, unsigned i, unsigned j)
{
    return i == 0 || i == p->wide - 1 || j == 0 || j == p->high - 1;
}

static void plain_step(const void *self, const float *u, float *v, unsigned row, unsigned end)
{
    const struct plane_shape *p = &((const struct laplace *)self)->shape;
    for (unsigned j = row; j < end; j++)
        for (unsigned i = 0; i < p->wide; i++) {
            const size_t id = (size_t)j * p->wide + i;
            v[id] = on_border(p, i, j) ? u[id]
                                       : 0.25f * (u[id - 1] + u[id + 1] + u[id - p->wide] +
                                                  u[id + p->wide]);
        }
}

static void note_change(void *self, unsigned step, const float *before, const float *after)
{
    struct laplace *w = self;
    double most = 0;
    for (size_t id = 0; id < w->points; id++) {
        const double off = magnitude_of((double)after[id] - (double)before[id]);
        most = off > most ? off : most;
    }
    w->change[step - 1] = most;
}

/* A point of the border is loaded itself, any other has four neighbours. */
static unsigned loads_of_point(const struct plane_shape *p, unsigned i, unsigned j)
{
    return on_border(p, i, j) ? 1 : 0x1e;
}

/* A thread that takes four points loads each row once, and the neighbours on both sides. Where there
 * are fewer points, it makes the loads of each by itself. */
static unsigned loads_of_four(const struct plane_shape *p, unsigned i, unsigned j)
{
    enum { OF_POINT = 5 }; /* bits of a point, as in loads_of_point */
    unsigned loads = 0;
    if (i + p->each <= p->wide)
        return j == 0 || j == p->high - 1 ? 1 : 7u | (i > 0) << 3 | (i + p->each < p->wide) << 4;
    for (unsigned k = 0; i + k < p->wide; k++)
        loads |= loads_of_point(p, i + k, j) << (k + 1) * OF_POINT;
    return loads;
}

static uint64_t loads_predicted(const struct laplace *w, int tag)
{
    if (tag & TILED)
        return plane_tile_loads(&w->shape, false);
    return plane_loads(&w->used, tag & BY_FOURS ? loads_of_four : loads_of_point);
}

/* ---- one run ---------------------------------------------------------------------------- */

static int launch(void *self, const struct trial *t, const uint64_t at[2], unsigned from,
                  struct attempt *got)
{
    const struct laplace *w = self;
    const struct plane_shape *p = &w->used;
    const struct lab_launch l = {.module = "laplace",
                                 .kernel = t->variant->kernel,
                                 .grid = {p->blocks[0], p->blocks[1]},
                                 .block = {p->tile[0], p->tile[1]},
                                 .shared_bytes = w->tiled ? w->tile_bytes : 0};
    const uint64_t u = at[from], v = t->variant->tag & ONE_ARRAY ? u : at[1 - from];
    return trial_launch(t, &l, got,
                        PARAMS(u, v, (int)p->wide, (int)p->high, (int)w->pitch));
}

/* Is there something to see of a variant that is wrong on purpose? */
static void look(const struct laplace *w, const struct lab_variant *v, struct attempt *got)
{
    const struct plane_shape *p = &w->shape;
    if (v->tag & NEEDS_OUTSIDE && plane_fits(p))
        snprintf(got->not_run, sizeof got->not_run,
                 "blocks of %ux%u fit %ux%u exactly, so no thread is outside; take %ux%u",
                 p->tile[0], p->tile[1], p->wide, p->high, p->wide + 1, p->high);
    if (v->tag & ONE_ARRAY && (p->wide < 3 || p->high < 3 || p->wide * p->high < 12))
        snprintf(got->not_run, sizeof got->not_run,
                 "it needs two points inside of the border; take at least 4x3");
    else if (v->tag & ONE_ARRAY && p->tile[0] * p->tile[1] * p->blocks[0] * p->blocks[1] == 1)
        snprintf(got->not_run, sizeof got->not_run, "one thread races with no other");
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct laplace *w = self;
    const struct lab_variant *v = t->variant;
    const struct plane_steps steps = {.self = w,
                                      .shape = w->shape,
                                      .steps = w->iters,
                                      .pitch = w->pitch,
                                      .one_array = v->tag & ONE_ARRAY,
                                      .start = w->start,
                                      .plain = plain_step,
                                      .launch = launch,
                                      .seen = note_change};
    look(w, v, got);
    if (got->not_run[0])
        return 0;
    got->has_predicted = v->mended_by == NULL;
    got->predicted = w->iters * loads_predicted(w, v->tag);
    if (plane_run(&steps, t, got, &w->done, NULL))
        return -1;
    if (got->has_counters)
        got->cost = got->counters.global_load_sectors;
    return 0;
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {.name = "columns", FACT_AT(struct laplace, shape.wide)},
    {.name = "rows", FACT_AT(struct laplace, shape.high)},
    {FACT(struct laplace, iters), .as = AS_GROUP},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "norm", FACT_AT(struct laplace, run.got.value), .label = "check",
     .says = "{verdict}: after each of {iters step} all {points} points are as in plain C"},
    {.name = "wrong", FACT_AT(struct laplace, run.got.wrong), .as = AS_GROUP},
    {.name = "steps", FACT_AT(struct laplace, done), .as = AS_GROUP},
    FACT_OK,
    {.name = "first_change", FACT_AT(struct laplace, first), .format = "%.4g", .label = "residual",
     .says = "{first_change} in step 1, {last_change} in step {steps}: a point's largest "
             "change"},
    {.name = "last_change", FACT_AT(struct laplace, last), .format = "%.4g"},
    {FACT(struct laplace, pitch), .label = "rows",
     .says = "{row_bytes} bytes each, and {pitch_bytes} bytes from row to row"},
    {.name = "predicted", FACT_AT(struct laplace, run.got.predicted), .as = AS_GROUP,
     WHEN(struct laplace, run.got.has_predicted)},
    {.label = "loads", WHEN(struct laplace, run.got.has_counters),
     .says = "{global_load_requests} by all warps; the lab predicted {predicted}"},
    {.name = "sectors_each", FACT_AT(struct laplace, each), .format = "%.3f",
     WHEN(struct laplace, run.got.has_counters), .label = "sectors",
     .says = "{global_load_sectors}, or {sectors_each} for each load"},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct laplace, points), .as = AS_GROUP},
    {FACT(struct laplace, threads)},
    {FACT(struct laplace, outside), .as = AS_GROUP},
    {FACT(struct laplace, pitch_bytes), .as = AS_GROUP},
    {FACT(struct laplace, row_bytes), .as = AS_GROUP},
    {FACT(struct laplace, tile_bytes)},
    {FACT(struct laplace, bytes), .as = AS_GROUP},
    {FACT(struct laplace, apart)},
    {FACT(struct laplace, tiled)},
    {FACT(struct laplace, even)},
    {FACT(struct laplace, settled)},
    {.name = "wide", FACT_AT(struct laplace, shape.tile[0])},
    {.name = "high", FACT_AT(struct laplace, shape.tile[1])},
    {.name = "across", FACT_AT(struct laplace, used.blocks[0])},
    {.name = "down", FACT_AT(struct laplace, used.blocks[1])},
    {.name = NULL},
};

static int find(void *self, const struct lab_variant *given)
{
    struct laplace *w = self;
    const struct lab_variant *v = given ? given : w->run.lab->variants;
    const struct plane_shape *p = &w->shape;
    const struct counters *c = &w->run.got.counters;
    w->used = v->tag & BY_FOURS ? plane_by_fours(&w->shape) : w->shape;
    w->tiled = v->tag & TILED;
    w->pitch = v->tag & PACKED ? p->wide : plane_pitch(p->wide);
    w->apart = w->pitch > p->wide;
    w->threads = p->tile[0] * p->tile[1];
    w->outside = p->tile[0] * p->blocks[0] * p->tile[1] * p->blocks[1] - w->points;
    w->row_bytes = p->wide * sizeof(float);
    w->pitch_bytes = w->pitch * sizeof(float);
    w->tile_bytes = (uint64_t)(p->tile[0] + 2) * (p->tile[1] + 2) * sizeof(float);
    w->bytes = w->points * sizeof(float);
    w->even = w->pitch_bytes % 32 == 0;
    w->first = w->done ? w->change[0] : 0;
    w->last = w->done ? w->change[w->done - 1] : 0;
    w->settled = w->done && !(w->last > 0);
    w->each = (double)c->global_load_sectors /
              (double)(c->global_load_requests ? c->global_load_requests : 1);
    return 0;
}

/* How the residual falls. Its powers of ten: each step takes a part of what is left. */
static bool show(void *self, const struct lab_variant *v, const struct launch_result *traced)
{
    struct laplace *w = self;
    struct report *r = w->run.report;
    const size_t bytes = w->iters * sizeof(double);
    (void)traced;
    if (v->mended_by || w->iters < 2 || !(w->first > 0))
        return false;
    double *x = mem_alloc(&allocator_libc, bytes), *y = mem_alloc(&allocator_libc, bytes);
    unsigned n = 0;
    for (unsigned k = 0; x && y && k < w->done; k++)
        if (w->change[k] > 0) {
            x[n] = k + 1;
            y[n++] = w->change[k];
        }
    const struct plot_series series = {.x = x, .y = y, .count = n, .joined = true};
    if (x && y)
        say_plot(r, &(struct plot){.x_label = "step", .y_label = "residual", .y_scale = AXIS_TENS,
                                   .series = &series, .count = 1, .rows = PLOT_ROWS});
    else
        r->screen.failed = true;
    mem_free(&allocator_libc, x, bytes);
    mem_free(&allocator_libc, y, bytes);
    return true;
}

static const struct ladder_column columns[] = {
    {"loads", offsetof(struct counters, global_load_requests)},
    {"sectors", offsetof(struct counters, global_load_sectors)},
    {"shared loads", offsetof(struct counters, shared_load_requests)},
    {"instr", offsetof(struct counters, warp_instructions)},
    {0},
};

const struct ladder laplace_ladder = {
    .value = "norm",
    .kind = VALUE_ARRAY,
    .order = "Most sectors first: these are pieces of 32 bytes that loads read from global "
             "memory. norm is the size of the error.",
    .columns = columns,
    .head = "{kernel}, {columns}x{rows} points, {iters step}, blocks of {wide}x{high}",
    .head_of_all = "Jacobi's iteration, {columns}x{rows} points, {iters step}, blocks of "
                   "{wide}x{high}",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
    .show = show,
};
