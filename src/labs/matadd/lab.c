/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * matadd: C = A + B for matrices whose rows are padded. Which coordinate of a thread is the row
 * decides how many sectors a request needs. labs/matadd/work.c has the rule and runs a variant.
 */
#include "labs/matadd/work.h"

#include "labkit/lab.h"
#include "labkit/shape.h"

#include <stdio.h>

static const struct lab_variant variants[] = {
    {"colx", "matadd_colx", "x is the column: lanes have neighbours of one row",
     .tag = BY_COLUMNS},
    {"rowx", "matadd_rowx", "x is the row: lanes have elements of different rows",
     .tag = BY_ROWS},
    {"flat", "matadd_flat", "one dimension: row and column from the thread's number",
     .tag = BY_NUMBER},
    {"rowblocks", "matadd_rowblocks", "one block for each row, with a loop over the columns",
     .tag = BY_ROW_BLOCKS},
    {"dense", "matadd_colx", "colx without padding: rows may begin at any multiple of 4 bytes",
     .tag = BY_COLUMNS | UNPADDED},
    {"nopitch", "matadd_nopitch", "the index ignores the padding of the rows", "colx",
     "uninitialized", BY_COLUMNS | NO_PITCH},
    {"bytepitch", "matadd_bytepitch", "the pitch in bytes is used as a number of floats", "colx",
     "out-of-bounds", BY_COLUMNS | BYTE_PITCH},
    {0},
};

struct matadd_options {
    struct lab_options lab;
    unsigned size[3], block[3];
    int pitch;
    bool pitch_given;
};

struct matadd {
    struct lab_run run;
    const struct matadd_options *options;
    struct matadd_data data;
    bool open;
    /* What the facts say: */
    struct matadd_shape shape;
    bool counted, padded, lanes_known, aligned;
    int row_bytes, padding;
    unsigned threads, blocks;
    uint64_t elements, all, idle, asked;
    struct matadd_loads loads, with_padding;
    const struct lab_variant *loads_of; /* these are of */
    struct matadd_place first, last; /* of warp 0 */
    int last_lane;
    double sectors_each, used;
};

/* ---- sizes ------------------------------------------------------------------------------ */

static int usual_pitch(int cols)
{
    return (int)divide_up((uint64_t)cols * sizeof(float), MATADD_ALIGN) * MATADD_ALIGN;
}

static struct matadd_shape typed_shape(const struct matadd_options *o)
{
    struct matadd_shape s = {(int)o->size[0], (int)o->size[1], o->pitch,
                             {o->block[0], o->block[1]}, {0, 0}};
    if (!o->pitch_given)
        s.pitch = usual_pitch(s.cols);
    return s;
}

/* In the table of all, a wrong one has a size that shows its mistake. */
static bool shows_nothing(const struct lab_variant *v, const struct matadd_shape *s)
{
    return (v->tag & NO_PITCH && (s->pitch == 4 * s->cols || s->rows < 2)) ||
           (v->tag & BYTE_PITCH && s->rows < 2);
}

static struct matadd_shape shape_of(const struct matadd *w, const struct lab_variant *v)
{
    struct matadd_shape s = typed_shape(w->options);
    if (lab_runs_all(&w->options->lab) && v && v->mended_by && shows_nothing(v, &s))
        s = (struct matadd_shape){20, 50, usual_pitch(50), {s.block[0], s.block[1]}, {0, 0}};
    if (v && v->tag & UNPADDED)
        s.pitch = 4 * s.cols;
    if (v)
        matadd_grid(&s, v);
    return s;
}

static int check_options(const struct matadd *w)
{
    const struct matadd_options *o = w->options;
    struct report *r = w->run.report;
    const int row = 4 * (int)o->size[1];
    if (o->size[2] != 1)
        return report_fail(r, "a matrix has rows and columns, as in 96x96");
    if (o->block[2] != 1)
        return report_fail(r, "the blocks of this lab have x and y, as in 32x8");
    if (o->pitch_given && (o->pitch < row || o->pitch % 4))
        return report_fail(r, "--pitch %d: a row of %u floats has %d bytes, and the pitch is a "
                              "multiple of 4 that is at least as large", o->pitch, o->size[1], row);
    const uint64_t threads = (uint64_t)o->block[0] * o->block[1];
    return threads_in_block(threads < 1u << 30 ? (unsigned)threads : 1u << 30,
                            &w->run.session->device->props, r);
}

/* ---- one run ---------------------------------------------------------------------------- */

static bool same_matrices(const struct matadd_shape *a, const struct matadd_shape *b)
{
    return a->rows == b->rows && a->cols == b->cols && a->pitch == b->pitch;
}

static int need_data(struct matadd *w)
{
    struct session *s = w->run.session;
    if (w->open && same_matrices(&w->data.shape, &w->shape))
        return 0;
    if (w->open)
        matadd_close(&w->data);
    w->open = true;
    return matadd_open(&w->data, &w->shape, lab_seed(s, &w->options->lab), s, w->run.report);
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct matadd *w = self;
    return need_data(w) ? -1 : matadd_run(&w->data, &w->shape, &w->loads, t, got);
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact facts[] = {
    FACT_VARIANT,
    FACT_OK,
    {.name = "rows", FACT_AT(struct matadd, shape.rows), .as = AS_GROUP},
    {.name = "cols", FACT_AT(struct matadd, shape.cols), .as = AS_GROUP},
    {.name = "norm", FACT_AT(struct matadd, run.got.value), .label = "check",
     .says = "{verdict}: {right?all {elements} sums are as in plain C{padded?, the padding is "
             "unchanged|}|{wrong} floats differ from plain C}"},
    {.name = "wrong", FACT_AT(struct matadd, run.got.wrong), .as = AS_GROUP},
    {.name = "pitch", FACT_AT(struct matadd, shape.pitch), .as = AS_GROUP, .label = "pitch",
     .says = "{pitch} bytes from row to row: {row_bytes} of elements, {padding} of padding"},
    {FACT(struct matadd, row_bytes), .as = AS_GROUP},
    {FACT(struct matadd, padding), .as = AS_GROUP},
    {FACT(struct matadd, blocks), .as = AS_GROUP},
    {FACT(struct matadd, threads), .as = AS_GROUP},
    {FACT(struct matadd, idle), .as = AS_GROUP, .label = "threads",
     .says = "{all} in {blocks block}{idle?; {idle} of them have no element|}"},
    {.label = "warp 0", WHEN(struct matadd, lanes_known),
     .says = "lane 0 has row {first_row}, column {first_col}; lane {last_lane} has row {last_row}, "
             "column {last_col}"},
    {.label = "loads", WHEN(struct matadd, counted),
     .says = "{global_load_requests:%11s}    of A and B, for {global_load_sectors sector} of 32 "
             "bytes"},
    {FACT(struct matadd, sectors_each), .format = "%.3g", WHEN(struct matadd, counted),
     .label = "sectors",
     .says = "{sectors_each:%11s}    for each load of a warp, on average"},
    {.name = "bytes_used", FACT_AT(struct matadd, used), .as = AS_PERCENT,
     WHEN(struct matadd, counted), .label = "used",
     .says = "{bytes_used:%9s} %    of the bytes in these sectors are read"},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct matadd, elements), .as = AS_GROUP},
    {FACT(struct matadd, all), .as = AS_GROUP},
    {FACT(struct matadd, padded)},
    {FACT(struct matadd, counted)},
    {FACT(struct matadd, aligned)},
    {FACT(struct matadd, asked), .as = AS_GROUP},
    {.name = "requests", FACT_AT(struct matadd, loads.requests), .as = AS_GROUP},
    {.name = "sectors", FACT_AT(struct matadd, loads.sectors), .as = AS_GROUP},
    {.name = "with_padding", FACT_AT(struct matadd, with_padding.sectors), .as = AS_GROUP},
    {.name = "block_x", FACT_AT(struct matadd, shape.block[0])},
    {.name = "block_y", FACT_AT(struct matadd, shape.block[1])},
    {.name = "grid_x", FACT_AT(struct matadd, shape.grid[0])},
    {.name = "grid_y", FACT_AT(struct matadd, shape.grid[1])},
    {.name = "first_row", FACT_AT(struct matadd, first.row)},
    {.name = "first_col", FACT_AT(struct matadd, first.col)},
    {.name = "last_row", FACT_AT(struct matadd, last.row)},
    {.name = "last_col", FACT_AT(struct matadd, last.col)},
    {FACT(struct matadd, last_lane)},
    {.name = NULL},
};

static void find_lanes(struct matadd *w, const struct lab_variant *v)
{
    w->lanes_known = matadd_place(&w->shape, v, 0, 0, 0, &w->first);
    for (int lane = 0; lane < 32; lane++) {
        struct matadd_place p;
        if (matadd_place(&w->shape, v, 0, lane, 0, &p)) {
            w->last = p;
            w->last_lane = lane;
        }
    }
}

static void count_sectors_used(struct matadd *w)
{
    const struct counters *c = &w->run.got.counters;
    w->counted = w->run.got.has_counters && c->global_load_requests;
    w->sectors_each =
        w->counted ? (double)c->global_load_sectors / (double)c->global_load_requests : 0;
    w->used = w->counted ? (double)w->asked / (32.0 * (double)c->global_load_sectors) : 0;
}

static int find(void *self, const struct lab_variant *v)
{
    struct matadd *w = self;
    const struct matadd_shape s = w->shape = shape_of(w, v);
    w->elements = (uint64_t)s.rows * (uint64_t)s.cols;
    w->asked = 2 * w->elements * sizeof(float);
    w->row_bytes = 4 * s.cols;
    w->padding = s.pitch - w->row_bytes;
    w->padded = w->padding > 0;
    w->threads = s.block[0] * s.block[1];
    if (!v)
        return 0;
    w->blocks = s.grid[0] * s.grid[1];
    w->all = (uint64_t)w->blocks * w->threads;
    w->idle = w->all > w->elements && (v->tag & MATADD_KIND) != BY_ROW_BLOCKS
                  ? w->all - w->elements : 0;
    w->aligned = s.pitch % 32 == 0;
    if (w->loads_of != v) {
        struct matadd_shape padded = s;
        padded.pitch = usual_pitch(s.cols);
        w->loads = matadd_loads(&s, v);
        w->with_padding = v->tag & UNPADDED ? matadd_loads(&padded, v) : w->loads;
        w->loads_of = v;
    }
    find_lanes(w, v);
    count_sectors_used(w);
    return 0;
}

/* ---- the lab ---------------------------------------------------------------------------- */

static const struct ladder_column columns[] = {
    {"sectors", offsetof(struct counters, global_load_sectors)},
    {"loads", offsetof(struct counters, global_load_requests)},
    {"stored", offsetof(struct counters, global_store_sectors)},
    {"instr", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static const struct ladder ladder = {
    .value = "norm",
    .kind = VALUE_ARRAY,
    .order = "most sectors first, of loads and stores; the column each has sectors per load",
    .beside_head = "each",
    .beside = "{counted?{sectors_each}|}",
    .columns = columns,
    .head = "C = A + B, {rows} x {cols}, blocks of {block_x} x {block_y} threads",
    .head_of_all = "C = A + B, {rows} rows, {cols} columns",
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
};

static const struct arg_spec options[] = {
    {OPTION(struct matadd_options, block), .value = "XxY", .type = ARG_DIM, .lo = 1, .hi = 1024,
     .initial = "32x8", .help = "the threads of a block, as in 16x16"},
    {OPTION(struct matadd_options, pitch), GIVEN(struct matadd_options, pitch), .value = "BYTES",
     .type = ARG_INT, .lo = 4, .hi = 1 << 20,
     .help = "the distance from row to row; without it, the next multiple of 512 bytes"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "ROWSxCOLS", BIND(struct matadd_options, size), .type = ARG_DIM, .lo = 1,
     .hi = MATADD_MOST, .initial = "96x96", .example = "96x96",
     .help = "rows and columns of each matrix"},
    {0},
};

static const struct lab lab = {
    .module = "matadd",
    .takes = TAKES_LADDER | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct matadd_options *o = given;
    struct matadd w = {.run = {s, r, &o->lab, &lab}, .options = o};
    int failed = check_options(&w) || ladder_run(&ladder, &w.run);
    if (w.open)
        matadd_close(&w.data);
    return failed ? -1 : 0;
}

const struct command lab_matadd = {
    LAB_COMMAND(struct matadd_options),
    .name = "matadd",
    .summary = "a sum of matrices: padded rows, and which coordinate is the row",
    .options = options,
    .operands = operands,
};
