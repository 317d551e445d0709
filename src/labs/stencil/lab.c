/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stencil: each element of y is the sum of the elements of x around it. Threads that lie next to
 * each other need almost the same elements; a block that loads its piece once, with a halo on both
 * sides, loads little more than one element for each thread. The kernels are in
 * kernels/stencil.cu.
 */
#include "labkit/lab.h"
#include "labkit/ladder/ladder.h"
#include "labkit/shape.h"

#include <stddef.h>
#include <stdio.h>

enum stencil_tag {                 /* of a variant */
                   NO_TILE = 1,    /* each thread loads for itself */
                   NEEDS_WAIT = 2, /* it goes wrong only where a thread needs another's element */
                   SHORT_HALO = 4, /* it goes wrong only where the halo is longer than a block */
                   BY_FOURS = 8    /* elements that a thread takes at once */
};
enum { WARP = 32, FOUR = 4, MOST_N = 1 << 22, MOST_RADIUS = 1 << 16 };
enum { USUAL_RADIUS = 3, USUAL_THREADS = 256 };
enum { SHORT_RADIUS = 100, SHORT_THREADS = 64 }; /* what SHORT_HALO shows itself with */

struct stencil_options {
    struct lab_options lab;
    int n, radius;
    bool radius_given;
};

struct stencil {
    struct lab_run run;
    const struct stencil_options *options;
    int *x, *y, *want;
    /* What the facts say: */
    int n, radius, width;             /* width: elements of a sum */
    struct launch_shape shape;
    bool tiled, by_fours, beyond;     /* beyond: more shared memory than comes by itself */
    uint64_t warps, tile, tile_bytes; /* warps that have elements; of a block */
    uint64_t free, most;              /* bytes that a block can have, unasked and asked for */
    uint64_t bytes, moved;            /* of an array; what the loads moved */
    double each, alone;               /* loads of a warp: here, and with a tile of its own */
};

/* ---- plain C ---------------------------------------------------------------------------- */

/* The sums in one pass: the next one gains an element and loses one. */
static void sum_around(const int *x, int *sum, int n, int radius)
{
    int now = 0;
    for (int k = 0; k < n && k < radius; k++)
        now += x[k];
    for (int i = 0; i < n; i++) {
        if (radius < n - i)
            now += x[i + radius];
        if (i > radius)
            now -= x[i - radius - 1];
        sum[i] = now;
    }
}

/* Loads that a warp with elements first to last makes, where it loads for each sum: one for each
 * distance at which any of its lanes still finds an element. */
static uint64_t loads_apart(const struct stencil *w, int64_t first, int64_t last)
{
    int64_t from = -last > -w->radius ? -last : -w->radius;
    int64_t to = w->n - 1 - first < w->radius ? w->n - 1 - first : w->radius;
    return (uint64_t)(to - from + 1);
}

/* The same for a block with a tile: one for each part of a row of the block's threads that
 * finds elements. */
static uint64_t loads_of_tile(const struct stencil *w, int64_t base)
{
    uint64_t loads = 0;
    const int64_t threads = w->shape.threads, end = base - w->radius + (int64_t)w->tile;
    for (int64_t row = base - w->radius; row < end && row < w->n; row += threads)
        for (int64_t at = row; at < row + threads && at < end; at += WARP) {
            int64_t stop = at + WARP < row + threads ? at + WARP : row + threads;
            stop = stop < end ? stop : end;
            loads += stop > 0 && at < w->n;
        }
    return loads;
}

/* The same for a warp of so many lanes that take four elements each, from `first` on. Lanes that find
 * all elements load them by fours; the others load for each sum. */
static uint64_t loads_by_fours(const struct stencil *w, int64_t first, unsigned lanes)
{
    const int64_t n = w->n, reach = (w->radius + FOUR - 1) / FOUR * FOUR;
    uint64_t loads = 0;
    for (int k = 0; k < FOUR; k++) {
        int64_t left = n, right = -1; /* the outermost elements of lanes that load for each sum */
        for (unsigned lane = 0; lane < lanes && first + FOUR * lane + k < n; lane++) {
            const int64_t i = first + FOUR * lane;
            if (i >= reach && i < n - (FOUR - 1) - reach) {
                loads += k == 0 && !loads ? 2 * (uint64_t)reach / FOUR + 1 : 0;
                continue;
            }
            left = i + k < left ? i + k : left;
            right = i + k;
        }
        loads += right < 0 ? 0 : loads_apart(w, left, right);
    }
    return loads;
}

static uint64_t loads_predicted(const struct stencil *w)
{
    uint64_t loads = 0;
    const int64_t threads = w->shape.threads, n = w->n;
    if (w->by_fours) {
        for (int64_t base = 0; base < n; base += FOUR * threads)
            for (int64_t t = 0; t < threads && base + FOUR * t < n; t += WARP)
                loads += loads_by_fours(w, base + FOUR * t,
                                        (unsigned)(threads - t < WARP ? threads - t : WARP));
        return loads;
    }
    for (int64_t base = 0; base < n; base += threads) {
        if (w->tiled) {
            loads += loads_of_tile(w, base);
            continue;
        }
        const int64_t end = base + threads < n ? base + threads : n;
        for (int64_t at = base; at < end; at += WARP)
            loads += loads_apart(w, at, at + WARP < end ? at + WARP - 1 : end - 1);
    }
    return loads;
}

/* ---- one run ---------------------------------------------------------------------------- */

/* Is it a launch that shows what its variant is about, on this device? */
static void look(const struct stencil *w, const struct lab_variant *v, struct attempt *got)
{
    size_t room = sizeof got->not_run;
    if (w->tiled && w->tile_bytes > w->most) {
        const long long left = (long long)(w->most / sizeof(int)) - w->shape.threads;
        snprintf(got->not_run, room,
                 "a tile of %llu bytes is asked for, and a block has at most %llu here: --radius "
                 "%lld, or --variant global", (unsigned long long)w->tile_bytes,
                 (unsigned long long)w->most, left / 2);
    } else if (v->mended_by && w->radius == 0)
        snprintf(got->not_run, room,
                 "with --radius 0 no thread needs a neighbour; take at least --radius 1");
    else if (v->tag & NEEDS_WAIT && w->shape.threads == 1)
        snprintf(got->not_run, room,
                 "a block of one thread waits for no other; take at least --threads 2");
    else if (v->tag & NEEDS_WAIT && w->n == 1)
        snprintf(got->not_run, room, "one element has no neighbours; take at least -n 2");
    else if (v->tag & SHORT_HALO && (unsigned)w->radius <= w->shape.threads)
        snprintf(got->not_run, room,
                 "its halo is too short only if the radius is larger than the block: take at "
                 "least --radius %u", w->shape.threads + 1);
}

static int launch(struct stencil *w, const struct trial *t, struct attempt *got)
{
    uint64_t x, y;
    const size_t bytes = (size_t)w->n * sizeof(int);
    const struct lab_launch l = {.module = "stencil",
                                 .kernel = t->variant->kernel,
                                 .grid = {w->shape.blocks},
                                 .block = {w->shape.threads},
                                 .shared_bytes = w->tiled ? w->tile_bytes : 0};
    int failed = lab_array(t->session, bytes, "x", w->x, &x, t->report) ||
                 lab_array(t->session, bytes, "y", NULL, &y, t->report) ||
                 trial_launch(t, &l, got, PARAMS(x, y, w->n, w->radius)) ||
                 session_fetch(t->session, w->y, y, bytes, t->report);
    lab_arrays_free(t->session);
    return failed ? -1 : 0;
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct stencil *w = self;
    const struct lab_variant *v = t->variant;
    got->expected = w->n;
    look(w, v, got);
    if (got->not_run[0])
        return 0;
    got->has_predicted = v->mended_by == NULL;
    got->predicted = loads_predicted(w);
    sum_around(w->x, w->want, w->n, w->radius);
    if (launch(w, t, got))
        return -1;
    for (int i = 0; i < w->n; i++)
        got->value += w->y[i] == w->want[i];
    got->right = got->value == got->expected;
    if (got->has_counters)
        got->cost = got->counters.global_load_requests;
    return 0;
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {FACT(struct stencil, n), .as = AS_GROUP},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "score", FACT_AT(struct stencil, run.got.value), .as = AS_GROUP, .label = "score",
     .says = "{score} of {n} sums right: each of {width element} of x"},
    {FACT(struct stencil, radius)},
    {.name = "blocks", FACT_AT(struct stencil, shape.blocks), .as = AS_GROUP},
    {.name = "threads", FACT_AT(struct stencil, shape.threads)},
    {FACT(struct stencil, tile), .as = AS_GROUP, WHEN(struct stencil, tiled)},
    {FACT(struct stencil, tile_bytes), .as = AS_GROUP, WHEN(struct stencil, tiled),
     .label = "tile",
     .says = "{tile} elements in shared memory: {threads} of the block, and a halo of 2 x "
             "{radius}"},
    {.name = "predicted", FACT_AT(struct stencil, run.got.predicted), .as = AS_GROUP,
     WHEN(struct stencil, run.got.has_predicted)},
    FACT_OK,
    {.name = "loads_each", FACT_AT(struct stencil, each), .format = "%.2f",
     WHEN(struct stencil, run.got.has_counters), .label = "loads",
     .says = "{global_load_requests} by all warps, {loads_each} for each element; predicted "
             "{predicted}"},
    {.label = "moved", WHEN(struct stencil, run.got.has_counters),
     .says = "{moved} bytes in sectors of 32; x has {bytes}"},
    {.label = "barriers", WHEN(struct stencil, run.got.counters.barriers),
     .says = "{barriers}: each warp waits once for its block"},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct stencil, width), .as = AS_GROUP},
    {FACT(struct stencil, bytes), .as = AS_GROUP},
    {FACT(struct stencil, moved), .as = AS_GROUP},
    {FACT(struct stencil, alone), .format = "%.2f"},
    {FACT(struct stencil, free), .as = AS_GROUP},
    {FACT(struct stencil, most), .as = AS_GROUP},
    {FACT(struct stencil, beyond)},
    {FACT(struct stencil, tiled)},
    {.name = NULL},
};

static int find(void *self, const struct lab_variant *given)
{
    struct stencil *w = self;
    const struct stencil_options *o = w->options;
    const struct device_props *p = &w->run.session->device->props;
    const struct counters *c = &w->run.got.counters;
    const struct lab_variant *v = given ? given : w->run.lab->variants;
    const bool small = v->tag & SHORT_HALO;
    w->n = o->n;
    w->radius = o->radius_given ? o->radius : small ? SHORT_RADIUS : USUAL_RADIUS;
    w->width = 2 * w->radius + 1;
    w->shape.threads = o->lab.threads   ? (unsigned)o->lab.threads
                       : small ? SHORT_THREADS
                               : USUAL_THREADS;
    w->by_fours = v->tag & BY_FOURS;
    const int wanted = w->by_fours ? (int)divide_up((uint64_t)w->n, FOUR) : w->n;
    w->shape.blocks = shape_blocks((uint64_t)wanted, w->shape.threads, false, p);
    w->tiled = !(v->tag & NO_TILE);
    w->tile = w->shape.threads + 2 * (uint64_t)w->radius;
    w->tile_bytes = w->tile * sizeof(int);
    w->free = p->shared_per_block;
    w->most = p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block;
    w->beyond = w->tiled && w->tile_bytes > w->free;
    if (w->beyond)
        w->run.calls = "beyond";
    w->bytes = (uint64_t)w->n * sizeof(int);
    w->moved = c->global_load_sectors * 32;
    w->warps = (uint64_t)w->n / w->shape.threads * divide_up(w->shape.threads, WARP) +
               divide_up((uint64_t)w->n % w->shape.threads, WARP);
    w->each = (double)c->global_load_requests / (double)w->warps;
    w->alone = (double)w->tile / w->shape.threads;
    return shape_fits(w->shape, wanted, false, p, w->run.report);
}

static const struct ladder_column columns[] = {
    {"loads", offsetof(struct counters, global_load_requests)},
    {"sectors", offsetof(struct counters, global_load_sectors)},
    {"shared loads", offsetof(struct counters, shared_load_requests)},
    {"barriers", offsetof(struct counters, barriers)},
    {0},
};

static const struct ladder ladder = {
    .value = "score",
    .kind = VALUE_INT,
    .order = "Most loads from global memory first. Each load is one request by a warp.",
    .columns = columns,
    .head = "{kernel}<<<{blocks}, {threads}{tiled?, {tile_bytes:%.0f}|}>>>, n = {n}, radius "
            "{radius}",
    .head_of_all = "sums of {width} elements, n = {n}, radius {radius}, blocks of {threads}",
    .beside_head = "radius",
    .beside = "{radius}",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
};

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"shared", "stencil_shared", "each block loads a tile with a halo into shared memory",
     .tag = 0},
    {"global", "stencil_global", "each thread loads all its elements from global memory",
     .tag = NO_TILE},
    {"vector", "stencil_vector", "four sums for each thread, four elements for each load",
     .tag = NO_TILE | BY_FOURS},
    {"nobarrier", "stencil_nobarrier", "no barrier between loading the tile and adding", "shared",
     "race-shared uninitialized", NEEDS_WAIT},
    {"noleft", "stencil_noleft", "no test for the start of x", "shared", "out-of-bounds", 0},
    {"noright", "stencil_noright", "no test for the end of x", "shared", "out-of-bounds", 0},
    {"shorthalo", "stencil_shorthalo", "a halo longer than the block is not loaded completely",
     "shared", "uninitialized", SHORT_HALO},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct stencil_options, n), .value = "N", .type = ARG_INT, .lo = 1, .hi = MOST_N,
     .initial = "1000", .help = "elements of the array"},
    {OPTION(struct stencil_options, radius), GIVEN(struct stencil_options, radius), .value = "R",
     .type = ARG_INT, .lo = 0, .hi = MOST_RADIUS, .initial = "3",
     .initial_but = "100 for `shorthalo`, with blocks of 64 threads",
     .help = "neighbours on each side that are added, so each sum has 2 R + 1 elements"},
    {0},
};

static const struct lab lab = {
    .module = "stencil",
    .takes = TAKES_LADDER | TAKES_THREADS | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct stencil_options *o = given;
    struct stencil w = {.run = {s, r, &o->lab, &lab}, .options = o};
    const size_t bytes = (size_t)o->n * sizeof(int);
    w.x = mem_alloc(&allocator_libc, bytes);
    w.y = mem_alloc(&allocator_libc, bytes);
    w.want = mem_alloc(&allocator_libc, bytes);
    int failed = w.x && w.y && w.want ? 0 : report_fail_limit(r, "out of memory; take a smaller n");
    for (int i = 0; i < o->n && !failed; i++) /* never 0, which stands for what is not there */
        w.x[i] = 1 + (int)(lab_drawn(lab_seed(s, &o->lab), (uint32_t)i) % 1000);
    if (!failed)
        failed = ladder_run(&ladder, &w.run);
    mem_free(&allocator_libc, w.x, bytes);
    mem_free(&allocator_libc, w.y, bytes);
    mem_free(&allocator_libc, w.want, bytes);
    return failed ? -1 : 0;
}

const struct command lab_stencil = {
    LAB_COMMAND(struct stencil_options),
    .name = "stencil",
    .summary = "a 1D stencil: the sum of neighbours, with a tile in shared memory",
    .options = options,
};
