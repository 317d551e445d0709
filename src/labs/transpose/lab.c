/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * transpose: B = A^T. What is a row of A is a column of B, so one of two accesses goes along a
 * column, unless a tile in shared memory turns it. Each rung needs fewer sectors, wavefronts or
 * instructions than the one before. labs/transpose/work.c has the rule and runs a variant.
 */
#include "labs/transpose/work.h"

#include "labkit/lab.h"

#include <stdio.h>

static const struct lab_variant variants[] = {
    {"padded", "transpose_padded", "a tile of 32 x 33 floats: its columns use all banks",
     .tag = BY_TILES},
    {"naive-read", "transpose_naive_read", "reads along rows of A, writes along columns of B",
     .tag = BY_READING_ROWS},
    {"naive-write", "transpose_naive_write", "reads along columns of A, writes along rows of B",
     .tag = BY_WRITING_ROWS},
    {"tiled", "transpose_tiled", "a tile of 32 x 32 floats: reads and writes along rows",
     .tag = BY_ONE_BANK},
    {"swizzled", "transpose_swizzled", "a tile of 32 x 32 floats, each row in another order",
     .tag = BY_TILES},
    {"rows4", "transpose_rows4", "blocks of 32 x 8 threads: four elements for each thread",
     .tag = BY_FOUR_ROWS},
    {"best", "transpose_best", "tiles of 64 x 64 elements, four for each access (float4)",
     .tag = BY_WIDE_TILES},
    {"copy", "transpose_copy", "no transpose: the launch of `best` that only copies",
     .tag = BY_COPYING},
    {"nobarrier", "transpose_nobarrier", "no barrier between writing and reading the tile",
     "padded", "race-shared uninitialized", WITHOUT_BARRIER},
    {"sameplace", "transpose_sameplace", "each tile is written to its old place", "padded",
     "uninitialized", TO_SAME_PLACE},
    {0},
};

struct transpose_options {
    struct lab_options lab;
    int m, n; /* m 0: as n */
    bool n_given;
    const char *a;
};

struct transpose {
    struct lab_run run;
    const struct transpose_options *options;
    struct transpose_data data;
    bool open;
    /* What the facts say: */
    struct transpose_size size;
    struct transpose_launch shape;
    struct transpose_needs needs;
    const struct lab_variant *needs_of; /* these are of */
    bool counted;
    unsigned threads, each; /* of a block; elements of a thread */
    uint64_t elements, bytes, least_sectors;
    double load_each, store_each, wavefronts_each; /* for each request */
};

/* ---- sizes ------------------------------------------------------------------------------ */

/* A variant that is wrong is run many times, so it has few elements. */
static struct transpose_size size_of(const struct transpose *w, const struct lab_variant *v)
{
    const struct transpose_options *o = w->options;
    const bool typed = o->n_given || o->m;
    if (v && v->mended_by && (lab_runs_all(&o->lab) || !typed))
        return (struct transpose_size){TRANSPOSE_SMALL, TRANSPOSE_SMALL};
    return (struct transpose_size){o->m ? o->m : o->n, o->n};
}

static bool same_size(struct transpose_size a, struct transpose_size b)
{
    return a.rows == b.rows && a.cols == b.cols;
}

/* The matrices of this size. They stay for the next variant. */
static int need_data(struct transpose *w)
{
    struct session *s = w->run.session;
    if (w->open && same_size(w->data.size, w->size))
        return 0;
    if (w->open)
        transpose_close(&w->data);
    w->open = true;
    return transpose_open(&w->data, w->size, w->options->a, lab_seed(s, &w->options->lab), s,
                          w->run.report);
}

/* ---- one run ---------------------------------------------------------------------------- */

/* Is the mistake of a wrong one seen with this size? If not, not_run says why. */
static void look(const struct transpose *w, const struct lab_variant *v, struct attempt *got)
{
    const int tile = (int)w->shape.tile;
    if (v->tag == WITHOUT_BARRIER && w->elements == 1)
        snprintf(got->not_run, sizeof got->not_run,
                 "one element needs only one thread, which waits for no other; take at least -n 2");
    if (v->tag == TO_SAME_PLACE && w->size.rows <= tile && w->size.cols <= tile)
        snprintf(got->not_run, sizeof got->not_run,
                 "the only tile has the same place in A and in B; take at least -n %d", tile + 1);
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct transpose *w = self;
    look(w, t->variant, got);
    if (got->not_run[0])
        return 0;
    return need_data(w) ? -1 : transpose_run(&w->data, t, &w->needs, got);
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {.name = "m", FACT_AT(struct transpose, size.rows), .as = AS_GROUP},
    {.name = "n", FACT_AT(struct transpose, size.cols), .as = AS_GROUP},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    FACT_OK,
    {.name = "norm", FACT_AT(struct transpose, run.got.value), .label = "check",
     .says = "{verdict}: {right?all {elements} elements of B are as in {copies?A (a copy)|plain "
             "C}|{wrong} of {elements} elements of B are not as in plain C}"},
    {.name = "wrong", FACT_AT(struct transpose, run.got.wrong), .as = AS_GROUP},
    {.name = "blocks_x", FACT_AT(struct transpose, shape.grid[0]), .as = AS_GROUP},
    {.name = "blocks_y", FACT_AT(struct transpose, shape.grid[1]), .as = AS_GROUP},
    {FACT(struct transpose, threads), .as = AS_GROUP, .label = "block",
     .says = "{threads} threads for {tile} x {tile} elements, {each} for each thread"},
    {.name = "tile", FACT_AT(struct transpose, shape.tile)},
    {FACT(struct transpose, load_each), .format = "%.3g", WHEN(struct transpose, counted),
     .label = "loads",
     .says = "{global_load_requests:%11s}    in {global_load_sectors sector}, {load_each} for "
             "each; predicted {load_sectors}"},
    {FACT(struct transpose, store_each), .format = "%.3g", WHEN(struct transpose, counted),
     .label = "stores",
     .says = "{global_store_requests:%11s}    in {global_store_sectors sector}, {store_each} for "
             "each; predicted {store_sectors}"},
    {FACT(struct transpose, wavefronts_each), .format = "%.3g",
     WHEN(struct transpose, wavefronts_each), .label = "tile loads",
     .says = "{shared_load_requests:%11s}    in {shared_load_wavefronts wavefront}, "
             "{wavefronts_each} for each; predicted {wavefronts}"},
    {.name = "load_sectors", FACT_AT(struct transpose, needs.load_sectors), .as = AS_GROUP},
    {.name = "store_sectors", FACT_AT(struct transpose, needs.store_sectors), .as = AS_GROUP},
    {.name = "wavefronts", FACT_AT(struct transpose, needs.wavefronts), .as = AS_GROUP},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct transpose, elements), .as = AS_GROUP},
    {FACT(struct transpose, bytes), .as = AS_GROUP},
    {FACT(struct transpose, least_sectors), .as = AS_GROUP},
    {FACT(struct transpose, each)},
    {FACT(struct transpose, counted)},
    {.name = "copies", FACT_AT(struct transpose, shape.copies)},
    {.name = "fours_read", FACT_AT(struct transpose, shape.fours_read)},
    {.name = "fours_written", FACT_AT(struct transpose, shape.fours_written)},
    {.name = "block_x", FACT_AT(struct transpose, shape.block[0])},
    {.name = "block_y", FACT_AT(struct transpose, shape.block[1])},
    {.name = NULL},
};

static double part(uint64_t of, uint64_t requests)
{
    return requests ? (double)of / (double)requests : 0;
}

static void count_each(struct transpose *w)
{
    const struct counters *c = &w->run.got.counters;
    w->counted = w->run.got.has_counters;
    w->load_each = part(c->global_load_sectors, c->global_load_requests);
    w->store_each = part(c->global_store_sectors, c->global_store_requests);
    w->wavefronts_each = part(c->shared_load_wavefronts, c->shared_load_requests);
}

static int find(void *self, const struct lab_variant *v)
{
    struct transpose *w = self;
    const struct transpose_size s = w->size = size_of(w, v);
    w->elements = (uint64_t)s.rows * (uint64_t)s.cols;
    w->bytes = w->elements * sizeof(float);
    w->least_sectors = (w->bytes + 31) / 32;
    if (!v)
        return 0;
    const struct transpose_launch l = w->shape = transpose_launch(v, s);
    w->threads = l.block[0] * l.block[1];
    w->each = l.tile * l.tile / w->threads;
    if (w->needs_of != v)
        w->needs = transpose_needs(v, s);
    w->needs_of = v;
    count_each(w);
    return 0;
}

/* ---- the lab ---------------------------------------------------------------------------- */

static const struct ladder_column columns[] = {
    {"loaded", offsetof(struct counters, global_load_sectors)},
    {"stored", offsetof(struct counters, global_store_sectors)},
    {"wavefronts", offsetof(struct counters, shared_load_wavefronts)},
    {"instr", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static const struct ladder ladder = {
    .value = "norm",
    .kind = VALUE_ARRAY,
    .order = "the slowest first; the columns loaded and stored count sectors",
    .columns = columns,
    .head = "B = {copies?A|A^T}, A {m} x {n}, {blocks_x} x {blocks_y} blocks of {block_x} x "
            "{block_y} threads",
    .head_of_all = "B = A^T, A {m} x {n}",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
};

static const struct arg_spec options[] = {
    {OPTION(struct transpose_options, n), GIVEN(struct transpose_options, n), .value = "N",
     .type = ARG_INT, .lo = 1, .hi = TRANSPOSE_MOST, .initial = "1024",
     .initial_but = "64 for a variant that is wrong on purpose", .help = "the columns of A"},
    {OPTION(struct transpose_options, m), .value = "M", .type = ARG_INT, .lo = 1,
     .hi = TRANSPOSE_MOST, .help = "the rows of A, the value of -n if not given"},
    {OPTION(struct transpose_options, a), .value = "FILL", .type = ARG_TEXT,
     .initial = "random:-1:1",
     .help = "the elements of A, as for `array`: value:1, iota, list:1,2,3, random:-1:1"},
    {0},
};

static const struct lab lab = {
    .module = "transpose",
    .takes = TAKES_LADDER | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct transpose_options *o = given;
    struct transpose w = {.run = {s, r, &o->lab, &lab}, .options = o};
    int failed = ladder_run(&ladder, &w.run);
    if (w.open)
        transpose_close(&w.data);
    return failed ? -1 : 0;
}

const struct command lab_transpose = {
    LAB_COMMAND(struct transpose_options),
    .name = "transpose",
    .summary = "a transposed matrix: reading and writing along rows, with tiles",
    .options = options,
};
