/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The spread of heat, run and shown; see work.h.
 */
#include "labs/heat/work.h"

#include "labkit/lab.h"

#include <stdio.h>

#define MIN_T 0.0001f /* what lies outside of a plate that is not insulated */

const char *const heat_borders[] = {"insulated", "cold", NULL};

/* ---- plain C ---------------------------------------------------------------------------- */

static float next(float my, float left, float right, float up, float down, float k)
{
    return my + k * ((left - my) + (right - my) + (up - my) + (down - my));
}

static void plain_step(const void *self, const float *u, float *v, unsigned row, unsigned end)
{
    const struct heat *w = self;
    const unsigned wide = w->shape.wide, high = w->shape.high;
    for (unsigned y = row; y < end; y++)
        for (unsigned x = 0; x < wide; x++) {
            const size_t id = (size_t)y * wide + x;
            const float none = w->outside < 0 ? u[id] : w->outside;
            v[id] = w->fixed[id] > 0
                        ? w->fixed[id]
                        : next(u[id], x > 0 ? u[id - 1] : none, x < wide - 1 ? u[id + 1] : none,
                               y > 0 ? u[id - wide] : none, y < high - 1 ? u[id + wide] : none,
                               w->k);
        }
}

/* The last step of each frame's part is drawn; the last step of all is looked at. */
static void see(void *self, unsigned step, const float *before, const float *after)
{
    struct heat *w = self;
    (void)before;
    for (unsigned f = 0; f < w->frames; f++)
        if (step == (uint64_t)w->steps * (f + 1) / w->frames)
            plane_map(&w->frame[f], after, w->shape.wide, w->shape.high,
                      w->run.report->width);
    if (step < w->steps)
        return;
    w->mean = 0;
    w->coldest = (double)after[0];
    for (unsigned i = 0; i < w->cells; i++) {
        w->mean += (double)after[i];
        w->coldest = (double)after[i] < w->coldest ? (double)after[i] : w->coldest;
    }
    w->mean /= w->cells;
}

/* Itself, its heater, and each neighbour that there is. */
static unsigned loads_of_cell(const struct plane_shape *p, unsigned x, unsigned y)
{
    return 3u | (x > 0) << 2 | (x < p->wide - 1) << 3 | (y > 0) << 4 | (y < p->high - 1) << 5;
}

/* A thread that takes four cells loads each row and the heaters once, and the neighbours on both
 * sides. Where there are fewer cells, it makes the loads of each by itself. */
static unsigned loads_of_four(const struct plane_shape *p, unsigned x, unsigned y)
{
    enum { OF_CELL = 6 }; /* bits of a cell, as in loads_of_cell */
    unsigned loads = 0;
    if (x + p->each <= p->wide)
        return 3u | (x > 0) << 2 | (x + p->each < p->wide) << 3 | (y > 0) << 4 |
               (y < p->high - 1) << 5;
    for (unsigned k = 0; x + k < p->wide; k++)
        loads |= loads_of_cell(p, x + k, y) << (k + 1) * OF_CELL;
    return loads;
}

static unsigned loads_of_heater(const struct plane_shape *p, unsigned x, unsigned y)
{
    (void)p;
    (void)x;
    (void)y;
    return 1;
}

static uint64_t loads_predicted(const struct heat *w, int tag)
{
    if (tag == BY_LOADS || tag == BY_FOURS)
        return plane_loads(&w->used, tag == BY_FOURS ? loads_of_four : loads_of_cell);
    return plane_loads(&w->shape, loads_of_heater) +
           (tag == BY_TILE ? plane_tile_loads(&w->shape, w->insulated) : 0);
}

/* ---- one run ---------------------------------------------------------------------------- */

static int open_plate(void *self, const struct trial *t, const uint64_t at[2])
{
    struct heat *w = self;
    struct device *d = t->session->device;
    struct err e = {0};
    const enum sim_beyond beyond = w->insulated ? SIM_CLAMP : SIM_BORDER;
    struct sim_texture texture = {.image = {.kind = SIM_IMAGE_2D, .width = w->shape.wide,
                                            .height = w->shape.high, .channel = SIM_CHANNEL_F32,
                                            .channels = 1, .pitch = w->pitch_bytes},
                                  .beyond = {beyond, beyond, beyond},
                                  .border = {w->outside}};
    const uint64_t bytes = ((uint64_t)(w->shape.high - 1) * w->pitch + w->shape.wide) *
                           sizeof(float);
    if (lab_array(t->session, bytes, "fixed", NULL, &w->fixed_at, t->report) ||
        plane_store(&w->now, t, w->fixed_at, w->fixed))
        return -1;
    for (int k = 0; k < 2; k++) {
        w->handle[k] = 0;
        texture.image.address = at[k];
        if (t->variant->tag == BY_TEXTURE &&
            d->ops->texture_create(d, &texture, false, &w->handle[k], &e))
            return report_fail_err(t->report, &e);
    }
    return 0;
}

static void close_plate(void *self, const struct trial *t)
{
    struct heat *w = self;
    struct device *d = t->session->device;
    struct err ignored;
    for (int k = 0; k < 2; k++)
        if (w->handle[k])
            d->ops->texture_destroy(d, w->handle[k], &ignored);
    w->handle[0] = w->handle[1] = 0;
}

static int launch(void *self, const struct trial *t, const uint64_t at[2], unsigned from,
                  struct attempt *got)
{
    const struct heat *w = self;
    const struct plane_shape *p = &w->used;
    const struct lab_launch l = {.module = "heat",
                                 .kernel = t->variant->kernel,
                                 .grid = {p->blocks[0], p->blocks[1]},
                                 .block = {p->tile[0], p->tile[1]},
                                 .shared_bytes = w->tiled ? w->tile_bytes : 0};
    const int wide = (int)p->wide, high = (int)p->high, pitch = (int)w->pitch;
    if (w->textured)
        return trial_launch(t, &l, got, PARAMS(w->handle[from], at[1 - from], w->fixed_at, wide,
                                               high, pitch, w->k));
    return trial_launch(t, &l, got, PARAMS(at[from], at[1 - from], w->fixed_at, wide, high, pitch,
                                           w->k, w->outside));
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct heat *w = self;
    w->now = (struct plane_steps){.self = w,
                                  .shape = w->shape,
                                  .steps = w->steps,
                                  .pitch = w->pitch,
                                  .start = w->start,
                                  .plain = plain_step,
                                  .launch = launch,
                                  .open = open_plate,
                                  .close = close_plate,
                                  .seen = see};
    got->has_predicted = true;
    got->predicted = w->steps * loads_predicted(w, t->variant->tag);
    if (plane_run(&w->now, t, got, &w->done, NULL))
        return -1;
    if (got->has_counters)
        got->cost = got->counters.global_load_requests + got->counters.texture_requests;
    return 0;
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {.name = "columns", FACT_AT(struct heat, shape.wide)},
    {.name = "rows", FACT_AT(struct heat, shape.high)},
    {FACT(struct heat, steps), .as = AS_GROUP},
    {FACT(struct heat, k), .format = "%.4g"},
    {FACT(struct heat, border)},
    {FACT(struct heat, heaters)},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "norm", FACT_AT(struct heat, run.got.value), .label = "check",
     .says = "{verdict}: after each of {steps step} all {cells} cells are as in plain C"},
    {.name = "wrong", FACT_AT(struct heat, run.got.wrong), .as = AS_GROUP},
    FACT_OK,
    {FACT(struct heat, mean), .format = "%.4g", .label = "plate",
     .says = "{mean} on average, {coldest} in the coldest cell; a heater has 1"},
    {FACT(struct heat, coldest), .format = "%.4g"},
    {.label = "unstable", WHEN(struct heat, swings),
     .says = "k is larger than 0.25, so the values can swing up and down"},
    {.name = "predicted", FACT_AT(struct heat, run.got.predicted), .as = AS_GROUP,
     WHEN(struct heat, run.got.has_predicted)},
    {.label = "loads", WHEN(struct heat, run.got.has_counters),
     .says = "{global_load_requests} by all warps; the lab predicted {predicted}"},
    {.label = "textures", WHEN(struct heat, run.got.counters.texture_requests),
     .says = "{texture_requests} reads of a texture by all warps"},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct heat, cells), .as = AS_GROUP},
    {FACT(struct heat, side)},
    {FACT(struct heat, pitch)},
    {FACT(struct heat, threads)},
    {FACT(struct heat, halo)},
    {FACT(struct heat, pitch_bytes)},
    {FACT(struct heat, row_bytes)},
    {FACT(struct heat, tile_bytes)},
    {FACT(struct heat, bytes)},
    {FACT(struct heat, tiled)},
    {FACT(struct heat, textured)},
    {FACT(struct heat, insulated)},
    {FACT(struct heat, swings)},
    {FACT(struct heat, outside), .format = "%.4g"},
    {.name = "wide", FACT_AT(struct heat, shape.tile[0])},
    {.name = "high", FACT_AT(struct heat, shape.tile[1])},
    {.name = "across", FACT_AT(struct heat, used.blocks[0])},
    {.name = "down", FACT_AT(struct heat, used.blocks[1])},
    {.name = NULL},
};

static int find(void *self, const struct lab_variant *given)
{
    struct heat *w = self;
    const struct lab_variant *v = given ? given : w->run.lab->variants;
    const struct plane_shape *p = &w->shape;
    w->used = v->tag == BY_FOURS ? plane_by_fours(&w->shape) : w->shape;
    w->tiled = v->tag == BY_TILE;
    w->textured = v->tag == BY_TEXTURE;
    if (w->textured)
        w->run.calls = "texture";
    w->pitch = plane_pitch(p->wide);
    w->threads = p->tile[0] * p->tile[1];
    w->halo = (uint64_t)(p->tile[0] + 2) * (p->tile[1] + 2);
    w->tile_bytes = w->halo * sizeof(float);
    w->row_bytes = p->wide * sizeof(float);
    w->pitch_bytes = w->pitch * sizeof(float);
    w->bytes = w->cells * sizeof(float);
    w->border = heat_borders[w->options->border];
    w->insulated = w->options->border == INSULATED;
    w->outside = w->insulated ? -1.0f : MIN_T;
    w->swings = w->k > 0.25f;
    return 0;
}

static bool show(void *self, const struct lab_variant *v, const struct launch_result *traced)
{
    struct heat *w = self;
    struct report *r = w->run.report;
    (void)v;
    (void)traced;
    for (unsigned f = 0; f < w->frames; f++) {
        const struct plane_map *m = &w->frame[f];
        const bool scaled = m->columns < w->shape.wide || m->rows < w->shape.high;
        const unsigned long long step = (unsigned long long)w->steps * (f + 1) / w->frames;
        if (scaled)
            say_heading(r, "step %llu: %u x %u parts of the plate, each with its mean", step,
                        m->columns, m->rows);
        else
            say_heading(r, "step %llu", step);
        say_plane_map(r, m);
    }
    return true;
}

static const struct ladder_column columns[] = {
    {"loads", offsetof(struct counters, global_load_requests)},
    {"textures", offsetof(struct counters, texture_requests)},
    {"shared loads", offsetof(struct counters, shared_load_requests)},
    {"instr", offsetof(struct counters, warp_instructions)},
    {0},
};

const struct ladder heat_ladder = {
    .value = "norm",
    .kind = VALUE_ARRAY,
    .order = "Most reads of global memory first: loads and textures. norm is the size of the "
             "error.",
    .columns = columns,
    .head = "{kernel}, {columns}x{rows} cells, {steps step}, k = {k}, {border}",
    .head_of_all = "heat in a plate of {columns}x{rows} cells, {steps step}, k = {k}, {border}",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
    .show = show,
};
