/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ldlt: many small systems of equations, one thread for each. How much shared memory that takes,
 * how many threads it leaves room for, and what the distance between two threads' systems does to
 * the banks. The systems and a run are in labs/ldlt/work.c.
 */
#include "labs/ldlt/work.h"

#include "labkit/banks.h"
#include "labkit/lab.h"

#include <stdio.h>

struct ldlt_options {
    struct lab_options lab;
    int dim, systems;
    bool systems_given, map;
};

struct ldlt_lab {
    struct lab_run run;
    const struct ldlt_options *options;
    struct ldlt_data data;
    struct ldlt_task task;
    /* What the facts say: */
    char closed[160];
    unsigned half, whole, ways, most_48k, most_here, idle, per_sm;
    uint64_t bytes, limit, square, right_systems, wrong_systems;
    double error, passes, sectors;
    bool in_shared, has_passes, has_sectors, even, wastes;
};

static unsigned common_divisor(unsigned a, unsigned b)
{
    while (b) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* ---- the picture ------------------------------------------------------------------------ */

/* Lane i asks for the first float of its system. */
static bool show(void *self, const struct lab_variant *v, const struct launch_result *result)
{
    struct ldlt_lab *w = self;
    struct report ignored;
    struct bank_pattern pattern = {.stride = (int)w->task.floats};
    struct bank_access access = {.bytes = 4, .banks = BANK_LANES};
    (void)result;
    if (v->mended_by || !w->options->map || !w->in_shared)
        return false;
    report_init(&ignored);
    int failed = bank_pattern_read("linear", &pattern, &ignored);
    report_free(&ignored);
    if (failed)
        return false;
    bank_place(&pattern, &access);
    const struct bank_passes passes = bank_count(&access);
    say(w->run.report, "\n");
    say_item(w->run.report, "", "the same element of 32 systems, %u floats apart: the banks of 32 "
                                "lanes", w->task.floats);
    bank_draw(&access, &passes, w->run.report);
    return true;
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {.name = "dim", FACT_AT(struct ldlt_lab, task.n)},
    {.name = "systems", FACT_AT(struct ldlt_lab, task.systems), .as = AS_GROUP},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {FACT(struct ldlt_lab, right_systems), .as = AS_GROUP, .label = "check",
     .says = "{verdict}: {right_systems} of {systems} solutions are as in plain C, within {error}"},
    {.name = "norm", FACT_AT(struct ldlt_lab, run.got.value)},
    {FACT(struct ldlt_lab, error), .format = "%.2g"},
    {.name = "floats", FACT_AT(struct ldlt_lab, task.floats), .as = AS_GROUP, .label = "thread",
     .says = "{floats} floats: {half} of the matrix, {dim} of y{wastes?, 1 unused|}"},
    {.name = "shared_bytes", FACT_AT(struct ldlt_lab, bytes), .as = AS_GROUP,
     WHEN(struct ldlt_lab, in_shared), .label = "block",
     .says = "{shared_bytes} bytes for {threads} threads; 48 KiB are enough for {most_48k}"},
    {.name = "conflict", FACT_AT(struct ldlt_lab, ways), WHEN(struct ldlt_lab, in_shared)},
    {FACT(struct ldlt_lab, passes), .format = "%.2f", WHEN(struct ldlt_lab, has_passes),
     .label = "banks",
     .says = "{passes} passes per load: {shared_load_wavefronts} for {shared_load_requests} "
             "loads; predicted: {conflict}"},
    {FACT(struct ldlt_lab, sectors), .format = "%.2f", WHEN(struct ldlt_lab, has_sectors),
     .label = "memory",
     .says = "{sectors} sectors per load from global memory, in {global_load_requests} loads"},
    FACT_OK,
    {.name = "blocks", FACT_AT(struct ldlt_lab, task.shape.blocks), .as = AS_GROUP},
    {.name = "threads", FACT_AT(struct ldlt_lab, task.shape.threads)},
    {FACT(struct ldlt_lab, most_48k), .as = AS_GROUP, WHEN(struct ldlt_lab, in_shared)},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct ldlt_lab, half), .as = AS_GROUP},
    {FACT(struct ldlt_lab, whole), .as = AS_GROUP},
    {FACT(struct ldlt_lab, square), .as = AS_GROUP},
    {FACT(struct ldlt_lab, limit), .as = AS_GROUP},
    {FACT(struct ldlt_lab, most_here), .as = AS_GROUP},
    {FACT(struct ldlt_lab, per_sm), .as = AS_GROUP},
    {FACT(struct ldlt_lab, idle)},
    {FACT(struct ldlt_lab, even)},
    {FACT(struct ldlt_lab, wastes)},
    {.name = "some_conflict", FACT_AT(struct ldlt_lab, ways)},
    {.name = NULL},
};

/* Of all variants the facts are those of the first. */
static int find(void *self, const struct lab_variant *v)
{
    struct ldlt_lab *w = self;
    const struct device_props *p = &w->run.session->device->props;
    const struct counters *c = &w->run.got.counters;
    int threads = w->options->lab.threads;
    bool all = lab_runs_all(&w->options->lab);
    v = v ? v : w->run.lab->variants;
    ldlt_choose(v, w->data.n, w->data.systems, all && v->tag & LDLT_MANY ? 0 : threads, p,
                &w->task);
    if (threads_in_block(w->task.shape.threads, p, w->run.report) ||
        blocks_in_grid(w->task.shape.blocks, p, w->run.report))
        return -1;
    w->half = ldlt_half(w->task.n);
    w->whole = w->half + (unsigned)w->task.n;
    w->square = (uint64_t)w->task.n * (unsigned)w->task.n;
    w->bytes = w->task.bytes;
    w->limit = p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block;
    w->in_shared = w->bytes > 0;
    w->even = w->whole % 2 == 0;
    w->wastes = w->task.floats > w->whole;
    w->ways = common_divisor(w->task.floats, BANK_LANES);
    w->most_48k = ldlt_threads_in(w->task.floats, LDLT_48K);
    w->most_here = ldlt_threads_in(w->task.floats, w->limit);
    w->per_sm = ldlt_threads_in(w->task.floats, p->shared_per_sm);
    w->idle = w->task.shape.blocks * w->task.shape.threads - (unsigned)w->task.systems;
    w->right_systems = (uint64_t)w->task.systems - w->run.got.wrong;
    w->error = w->run.got.error;
    w->has_passes = w->run.got.has_counters && c->shared_load_requests > 0;
    w->has_sectors = w->run.got.has_counters && c->global_load_requests > 0;
    w->passes = w->has_passes ? (double)c->shared_load_wavefronts / (double)c->shared_load_requests
                              : 0;
    w->sectors = w->has_sectors ? (double)c->global_load_sectors / (double)c->global_load_requests
                                : 0;
    return 0;
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct ldlt_lab *w = self;
    const char *why = ldlt_closed(t->variant, &w->task, &t->session->device->props, w->closed);
    if (why) {
        snprintf(got->not_run, sizeof got->not_run, "%s", why);
        return 0;
    }
    got->expected_words = t->variant->mended_by ? "near 0" : NULL;
    return ldlt_run(t, &w->task, &w->data, got);
}

/* ---- the ladder ------------------------------------------------------------------------- */

static const struct ladder_column columns[] = {
    {"passes", offsetof(struct counters, shared_load_wavefronts)},
    {"shared", offsetof(struct counters, shared_load_requests)},
    {"sectors", offsetof(struct counters, global_load_sectors)},
    {"instructions", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static const struct ladder ladder = {
    .value = "norm",
    .kind = VALUE_ARRAY,
    .order = "most instructions, passes and sectors first; norm is the size of the error, wrong "
             "counts systems",
    .columns = columns,
    .beside_head = "floats",
    .beside = "{floats} x {threads}",
    .head = "{systems} systems of {dim} equations, {blocks} x {threads} threads",
    .head_of_all = "{systems} systems of {dim} equations",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
    .show = show,
};

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"shared", "ldlt_shared", "the system of each thread is in shared memory", .tag = LDLT_SHARED},
    {"global", "ldlt_global", "the system of each thread is in global memory", .tag = LDLT_GLOBAL},
    {"padded", "ldlt_padded", "an odd number of floats per thread", .tag = LDLT_PADDED},
    {"staged", "ldlt_staged", "padded, and the block loads its systems together",
     .tag = LDLT_PADDED},
    {"optin", "ldlt_shared", "shared, with more than 48 KiB, which the program requests",
     .tag = LDLT_MANY},
    {"over48k", "ldlt_shared", "optin, but the program does not request more than 48 KiB", "optin",
     "bad-launch", LDLT_MANY | LDLT_UNASKED},
    {"short", "ldlt_shared", "shared, with room for the matrices alone", "shared",
     "out-of-bounds", LDLT_SHORT},
    {"noguard", "ldlt_noguard", "no test of i: threads without a system also load and store",
     "shared", "out-of-bounds", LDLT_ODD},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct ldlt_options, dim), .value = "N", .type = ARG_INT, .lo = 1,
     .hi = LDLT_DIM_MOST, .initial = "16", .help = "the number of equations of a system"},
    {OPTION(struct ldlt_options, systems), GIVEN(struct ldlt_options, systems), .value = "N",
     .type = ARG_INT, .lo = 1, .hi = 1 << 20, .initial = "128", .initial_but = "100 for noguard",
     .help = "the number of systems"},
    {OPTION(struct ldlt_options, map), .help = "draw the banks that the lanes of a warp use"},
    {0},
};

static const struct lab lab = {
    .module = "ldlt",
    .takes = TAKES_LADDER | TAKES_THREADS,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct ldlt_options *o = given;
    struct ldlt_lab w = {.run = {s, r, &o->lab, &lab}, .options = o};
    const struct lab_variant *v = lab_variant_named(&lab, o->lab.variant);
    bool odd = !o->systems_given && (!v || v->tag & LDLT_ODD);
    int failed = ldlt_open(&w.data, s, o->dim, odd ? LDLT_USUAL_ODD : o->systems, r) ||
                 ladder_run(&ladder, &w.run);
    ldlt_close(&w.data);
    return failed ? -1 : 0;
}

const struct command lab_ldlt = {
    LAB_COMMAND(struct ldlt_options),
    .name = "ldlt",
    .summary = "many small systems of equations in shared memory, one thread for each",
    .options = options,
};
