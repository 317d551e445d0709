/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oddeven: sorting by comparisons that many threads do at once. The variants differ in which
 * elements are compared, and in how all threads wait for the end of a step. How a network looks in
 * plain C and how it is run is in labs/oddeven/work.c.
 */
#include "labs/oddeven/work.h"

#include "labkit/lab.h"

#include <stdio.h>
#include <string.h>

struct sort_options {
    struct lab_options lab;
    int n;
    const char *x;
};

struct sorting {
    struct lab_run run;
    const struct sort_options *options;
    struct sort_data data;
    /* What the facts say: */
    struct sort_network net;
    const struct lab_variant *net_of; /* this is of */
    struct launch_shape shape;
    char closed[160];
    int n, in_place;
    unsigned launches, log, chunks, fits, per_sm, sms;
    bool on_host, has_slides, several, has_steps, has_counters, waits_inside;
    uint64_t all, pairs, n_squared;
};

enum { DRAWN = 10 };

/* ---- the picture ------------------------------------------------------------------------ */

/* Elements after a step. A letter marks the two of a pair: a capital where they changed places. */
static void draw_step(const struct lab_variant *v, int n, const struct sort_step *s, float *x,
                      const char *blank, struct table *t, struct json *j)
{
    char mark[DRAWN][2] = {{0}};
    int pairs = sort_pairs(v, n), low, high, count = 0;
    for (int pair = 0; pair < pairs; pair++) {
        if (!sort_pair(v, n, s, pair, &low, &high))
            continue;
        float a = x[low], b = x[high];
        mark[low][0] = mark[high][0] = (char)((b < a ? 'A' : 'a') + count++);
        x[low] = b < a ? b : a;
        x[high] = b < a ? a : b;
    }
    table_cell(t, "%u", s->number + 1);
    json_array(j, NULL);
    for (int i = 0; i < n; i++) {
        bool moved = mark[i][0] >= 'A' && mark[i][0] <= 'Z';
        table_cell_in(t, moved ? INK_BAD : INK_PLAIN, "%.2g%s", (double)x[i],
                      mark[i][0] ? mark[i] : blank);
        json_f32(j, NULL, x[i]);
    }
    json_end_array(j);
}

static void draw_network(struct sorting *w, const struct lab_variant *v)
{
    static const char *const heads[DRAWN] = {"0 ", "1 ", "2 ", "3 ", "4 ", "5 ", "6 ", "7 ", "8 ",
                                             "9 "};
    struct report *r = w->run.report;
    const char *blank = r->plain ? "" : " "; /* where a letter could stand */
    struct table_column of[DRAWN + 1] = {{.head = "step", .right = true, .tells = "step %:"}};
    float x[DRAWN];
    struct table t;
    struct sort_step s;
    for (int i = 0; i < w->n; i++)
        of[i + 1] = (struct table_column){.head = heads[i], .right = true};
    memcpy(x, w->data.x, (size_t)w->n * sizeof *x);
    table_begin(&t, of, w->n + 1, 2);
    table_cell(&t, "0");
    for (int i = 0; i < w->n; i++)
        table_cell(&t, "%.2g%s", (double)x[i], blank);
    json_array(&r->result, "rows");
    for (bool more = sort_first(v, w->n, &s); more; more = sort_next(v, w->n, &s))
        draw_step(v, w->n, &s, x, blank, &t, &r->result);
    json_end_array(&r->result);
    say(r, "\n");
    say_item(r, "", "the array after each step; the same letter marks the two elements of a pair, "
                    "and a capital letter an exchange");
    say_table(r, &t);
}

static bool show(void *self, const struct lab_variant *v, const struct launch_result *result)
{
    struct sorting *w = self;
    unsigned kind = (unsigned)v->tag & SORT_MASK;
    (void)result;
    if (v->mended_by || kind == SORT_CHUNKS || kind == SORT_ON_HOST || w->n < 2 || w->n > DRAWN)
        return false;
    draw_network(w, v);
    return true;
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {FACT(struct sorting, n), .as = AS_GROUP},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "norm", FACT_AT(struct sorting, run.got.value)},
    {.name = "wrong", FACT_AT(struct sorting, run.got.wrong), .label = "check",
     .says = "{verdict}: {in_place} of {n} elements are where qsort puts them"},
    {FACT(struct sorting, launches), .as = AS_GROUP, WHEN(struct sorting, has_steps)},
    {.name = "steps", FACT_AT(struct sorting, net.steps), .as = AS_GROUP,
     WHEN(struct sorting, has_steps), .label = "steps",
     .says = "{steps}, in {started:,} launch{several?es|}"},
    {.name = "comparisons", FACT_AT(struct sorting, net.comparisons), .as = AS_GROUP,
     WHEN(struct sorting, net.counted), .label = "pairs",
     .says = "{comparisons} comparisons, and {exchanges} exchanges"},
    {.name = "exchanges", FACT_AT(struct sorting, net.exchanges), .as = AS_GROUP,
     WHEN(struct sorting, net.counted)},
    {.label = "lecture", WHEN(struct sorting, has_slides),
     .says = "500,000 floats: 3,195.8 ms, qsort 94.7 ms, on an unnamed machine"},
    {.label = "memory", WHEN(struct sorting, has_counters),
     .says = "{global_load_requests} loads by warps from global memory, {shared_load_requests} from shared "
             "memory"},
    {.label = "waits", WHEN(struct sorting, waits_inside),
     .says = "{barriers} times a warp waited at a barrier of its block"},
    FACT_OK,
    {.name = "blocks", FACT_AT(struct sorting, shape.blocks), .as = AS_GROUP,
     WHEN(struct sorting, has_steps)},
    {.name = "threads", FACT_AT(struct sorting, shape.threads), WHEN(struct sorting, has_steps)},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct sorting, in_place), .as = AS_GROUP},
    {FACT(struct sorting, log)},
    {FACT(struct sorting, chunks), .as = AS_GROUP},
    {FACT(struct sorting, fits), .as = AS_GROUP},
    {FACT(struct sorting, per_sm)},
    {FACT(struct sorting, sms)},
    {FACT(struct sorting, all), .as = AS_GROUP},
    {FACT(struct sorting, pairs), .as = AS_GROUP},
    {FACT(struct sorting, on_host)},
    {FACT(struct sorting, several)},
    {.name = "started", FACT_AT(struct sorting, launches)},
    {.name = "first_blocks", FACT_AT(struct sorting, shape.blocks)},
    {.name = "block_threads", FACT_AT(struct sorting, shape.threads)},
    {.name = NULL},
};

static unsigned launches_of(const struct lab_variant *v, const struct sort_network *net,
                            unsigned chunks)
{
    switch (v->tag & SORT_MASK) {
    case SORT_GRID:
    case SORT_STRIDE: return 1;
    case SORT_ON_HOST: return 0;
    case SORT_CHUNKS: return chunks == 2 ? 1 : chunks; /* a round without pairs is no launch */
    default: return net->steps;
    }
}

/* Of all variants the facts are those of the first. */
static int find(void *self, const struct lab_variant *v)
{
    struct sorting *w = self;
    const struct device_props *p = &w->run.session->device->props;
    const struct lab_options *o = &w->options->lab;
    bool asked = v != NULL;
    v = v ? v : w->run.lab->variants;
    w->n = w->data.n;
    w->shape = sort_shape(v, w->n, lab_runs_all(o) ? 0 : o->blocks, o->threads, p);
    if (threads_in_block(w->shape.threads, p, w->run.report))
        return -1;
    if (w->net_of != v && sort_network(v, &w->data, w->shape, w->run.session, &w->net,
                                       w->run.report))
        return -1;
    w->net_of = v;
    w->chunks = (unsigned)divide_up((uint64_t)w->n, w->shape.threads);
    w->launches = launches_of(v, &w->net, w->chunks);
    w->several = w->launches != 1;
    w->on_host = !v->kernel;
    w->has_slides = asked && (w->on_host || (v->tag & SORT_MASK) == SORT_LAUNCHES);
    w->has_steps = asked && !w->on_host;
    w->has_counters = w->has_steps && w->run.got.has_counters;
    w->waits_inside = w->has_counters && w->run.got.counters.barriers > 0;
    w->in_place = w->n - (int)w->run.got.wrong;
    w->log = 0;
    while (1 << w->log < w->n)
        w->log++;
    w->fits = blocks_at_once(w->shape.threads, p, &w->per_sm);
    w->sms = (unsigned)p->multiprocessors;
    w->all = shape_threads(w->shape);
    w->pairs = (uint64_t)sort_pairs(v, w->n);
    return 0;
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct sorting *w = self;
    const struct lab_variant *v = t->variant;
    const struct device_props *p = &t->session->device->props;
    const char *why = v->kernel ? sort_closed(v, w->n, w->shape, p, w->closed) : NULL;
    if (why) {
        snprintf(got->not_run, sizeof got->not_run, "%s", why);
        return 0;
    }
    got->has_predicted = w->net.loads > 0;
    got->predicted = w->net.loads;
    if (sort_run(t, &w->data, w->shape, got))
        return -1;
    got->cost = got->has_counters ? got->counters.global_load_requests : got->predicted;
    return 0;
}

/* ---- the ladder ------------------------------------------------------------------------- */

static const struct ladder_column columns[] = {
    {"loads", offsetof(struct counters, global_load_requests)},
    {"stores", offsetof(struct counters, global_store_requests)},
    {"shared", offsetof(struct counters, shared_load_requests)},
    {"instructions", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static const struct ladder ladder = {
    .value = "norm",
    .kind = VALUE_ARRAY,
    .order = "most loads from global memory first; norm is the size of the error",
    .columns = columns,
    .head = "sort {n} floats{on_host? on the host|, {first_blocks} x {block_threads} threads}",
    .head_of_all = "sort {n} floats",
    .beside_head = "launches",
    .beside = "{started:,}",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
    .show = show,
};

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"launches", "oddeven_step", "neighbours are compared, one launch for each step",
     .tag = SORT_LAUNCHES},
    {"qsort", NULL, "the C library's function, on the host", .tag = SORT_ON_HOST},
    {"coop", "oddeven_coop", "one cooperative launch: grid.sync() after each step",
     .tag = SORT_GRID},
    {"coop-stride", "oddeven_coop_stride", "the same, with fewer threads than pairs",
     .tag = SORT_STRIDE},
    {"chunks", "oddeven_chunks", "blocks merge neighbouring chunks in shared memory",
     .tag = SORT_CHUNKS},
    {"bitonic", "oddeven_bitonic", "far elements first: the distance is halved in each step",
     .tag = SORT_BITONIC},
    {"batcher", "oddeven_batcher", "Batcher's merge sort: the same steps, fewer comparisons",
     .tag = SORT_BATCHER},
    {"coop-badlaunch", "oddeven_coop", "coop, launched with <<<>>>", "coop", "trap",
     SORT_GRID | SORT_PLAINLY},
    {"blocksync", "oddeven_blocksync", "coop, with __syncthreads() in place of grid.sync()",
     "coop", "race-global", SORT_GRID | SORT_BLOCK_WAITS},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct sort_options, n), .value = "N", .type = ARG_INT, .lo = 1, .hi = SORT_MOST,
     .initial = "1000", .help = "the number of floats"},
    {OPTION(struct sort_options, x), .value = "FILL", .type = ARG_TEXT, .initial = "random",
     .help = "the array, as for `array`: value:1, iota, list:3,1,2, random:-1:1"},
    {0},
};

static const struct lab lab = {
    .module = "oddeven",
    .takes = TAKES_LADDER | TAKES_BLOCKS | TAKES_THREADS | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct sort_options *o = given;
    struct sorting w = {.run = {s, r, &o->lab, &lab}, .options = o};
    int failed = sort_open(&w.data, s, o->n, o->x, lab_seed(s, &o->lab), r) ||
                 ladder_run(&ladder, &w.run);
    sort_close(&w.data);
    return failed ? -1 : 0;
}

const struct command lab_oddeven = {
    LAB_COMMAND(struct sort_options),
    .name = "oddeven",
    .summary = "sorting: odd-even transposition, and networks that need fewer steps",
    .options = options,
};
