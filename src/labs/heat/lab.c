/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heat: a plate with heaters, a thread for each cell and a launch for each step, read as an array,
 * as a texture and through shared memory. How a variant is run and shown is in work.c; the kernels
 * are in kernels/heat.cu.
 */
#include "labs/heat/work.h"

#include "labkit/lab.h"

#include <stdlib.h>

enum { MOST_SIDE = 1 << 16, MOST_STEPS = 10000, MOST_HEATERS = 64 };

static const float hottest = 1.0f, coldest = 0.0001f; /* at first, of heaters and of the rest */

/* ---- the plate -------------------------------------------------------------------------- */

/* A heater is a square of cells around its middle, as far as the plate goes. */
static void put_heater(struct heat *w, unsigned x, unsigned y)
{
    const unsigned half = w->side / 2;
    const unsigned left = x > half ? x - half : 0, top = y > half ? y - half : 0;
    for (unsigned j = top; j < top + w->side && j < w->shape.high; j++)
        for (unsigned i = left; i < left + w->side && i < w->shape.wide; i++)
            w->fixed[(size_t)j * w->shape.wide + i] = hottest;
    w->heaters++;
}

static void put_usual(struct heat *w)
{
    const unsigned wide = w->shape.wide, high = w->shape.high;
    put_heater(w, wide / 4, high / 4);
    put_heater(w, 3 * (wide / 4), high / 2);
    put_heater(w, wide / 3, high - 1 - high / 5);
}

/* The list has been read once: it has whole numbers with commas between them. */
static int put_typed(struct heat *w, const char *list, struct report *r)
{
    while (*list) {
        unsigned long at[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            char *end;
            at[k] = strtoul(list, &end, 10);
            if (k == 0 && *end != ',')
                return report_fail(r, "--heaters takes pairs, the column and the row of each: "
                                      "10,20,30,5 are two heaters");
            list = *end == ',' ? end + 1 : end;
        }
        if (at[0] >= w->shape.wide || at[1] >= w->shape.high)
            return report_fail(r, "there is no cell in column %lu of row %lu; the last one is in "
                                  "column %u of row %u", at[0], at[1], w->shape.wide - 1,
                               w->shape.high - 1);
        if (w->heaters == MOST_HEATERS)
            return report_fail(r, "there are at most %d heaters", MOST_HEATERS);
        put_heater(w, (unsigned)at[0], (unsigned)at[1]);
    }
    return 0;
}

static int fill(struct heat *w, struct report *r)
{
    const unsigned least = w->shape.wide < w->shape.high ? w->shape.wide : w->shape.high;
    w->side = 1 + least / 16;
    if (w->options->heaters && put_typed(w, w->options->heaters, r))
        return -1;
    if (!w->options->heaters)
        put_usual(w);
    for (unsigned i = 0; i < w->cells; i++)
        w->start[i] = w->fixed[i] > 0 ? w->fixed[i] : coldest;
    return 0;
}

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"global", "heat_global", "each thread loads its cell and its neighbours", .tag = BY_LOADS},
    {"vector", "heat_vector", "four cells for each thread, four for each load", .tag = BY_FOURS},
    {"texture", "heat_texture", "each thread reads them from a texture", .tag = BY_TEXTURE},
    {"shared", "heat_shared", "each block loads a tile with a border into shared memory",
     .tag = BY_TILE},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct heat_options, steps), .value = "K", .type = ARG_INT, .lo = 1,
     .hi = MOST_STEPS, .initial = "100", .help = "the number of steps, one launch for each"},
    {OPTION(struct heat_options, k), .type = ARG_REAL, .initial = "0.2",
     .help = "the part of each difference that flows in a step, from 0 to 1"},
    {OPTION(struct heat_options, heaters), .value = "LIST", .type = ARG_LIST, .lo = 0,
     .hi = MOST_SIDE,
     .help = "the column and the row of each heater, as in 10,20,30,5; three if not given"},
    {OPTION(struct heat_options, border), .type = ARG_CHOICE, .choices = heat_borders,
     .initial = "insulated", .help = "no heat leaves the plate, or it is cold around it"},
    {OPTION(struct heat_options, frames), .value = "F", .type = ARG_INT, .lo = 1,
     .hi = FRAMES_MOST, .initial = "1",
     .help = "pictures of the plate, evenly over the steps; the last one shows the last step"},
    {OPTION(struct heat_options, tile), .value = "WxH", .type = ARG_DIM, .lo = 1, .hi = 1024,
     .initial = "32x8", .help = "the threads of a block, in x and in y"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "IxJ", BIND(struct heat_options, size), .type = ARG_DIM, .lo = 1, .hi = MOST_SIDE,
     .initial = "70x18", .help = "the number of columns and rows of cells"},
    {0},
};

static const struct lab lab = {
    .module = "heat",
    .takes = TAKES_LADDER,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct heat_options *o = given;
    struct heat w = {.run = {s, r, &o->lab, &lab}, .options = o, .k = (float)o->k,
                     .steps = (unsigned)o->steps};
    if (!(o->k >= 0 && o->k <= 1))
        return report_fail(r, "-k is from 0 to 1; up to 0.25 the values do not swing");
    if (plane_shape(&w.shape, o->size, o->tile, &s->device->props, r))
        return -1;
    w.frames = o->frames < o->steps ? (unsigned)o->frames : w.steps;
    w.cells = w.shape.wide * w.shape.high;
    const size_t bytes = w.cells * sizeof(float);
    w.start = mem_alloc(&allocator_libc, bytes);
    w.fixed = mem_alloc(&allocator_libc, bytes);
    w.frame = mem_alloc(&allocator_libc, w.frames * sizeof *w.frame);
    int failed = w.start && w.fixed && w.frame
                     ? fill(&w, r) || ladder_run(&heat_ladder, &w.run)
                     : report_fail_limit(r, "out of memory; take a smaller size");
    mem_free(&allocator_libc, w.start, bytes);
    mem_free(&allocator_libc, w.fixed, bytes);
    mem_free(&allocator_libc, w.frame, w.frames * sizeof *w.frame);
    return failed ? -1 : 0;
}

const struct command lab_heat = {
    LAB_COMMAND(struct heat_options),
    .name = "heat",
    .summary = "heat spreads in a plate: loads, textures and shared memory",
    .options = options,
    .operands = operands,
};
