/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * relaunch: so many additions of two vectors, by as many launches or by one that loops. Both
 * load and store the same; what is compared is what a launch costs beside.
 */
#include "labkit/lab.h"
#include "labkit/ladder/ladder.h"
#include "labkit/vectors.h"

enum { USUAL_THREADS = 256, WARP = 32, RELAUNCH_MOST = 10000 };
enum relaunching_tag { ONE_EACH, LOOPS };

static const struct lab_variant variants[] = {
    {"launches", "relaunch_once", "one launch for each addition", .tag = ONE_EACH},
    {"loop", "relaunch_loop", "one launch, with a loop in each thread", .tag = LOOPS},
    {0},
};

struct relaunch_options {
    struct lab_options lab;
    struct vectors_typed vectors;
    int iters;
};

struct relaunching {
    struct lab_run run;
    struct vectors vectors;
    struct launch_shape shape;
    int iters, launches;
    bool several;              /* launches */
    uint64_t threads, started; /* of one launch; of all, a launch each */
};

/* ---- one run ---------------------------------------------------------------------------- */

static int launch(struct relaunching *w, const struct trial *t, const uint64_t at[3],
                  struct attempt *got)
{
    const struct lab_launch l = {.module = "relaunch", .kernel = t->variant->kernel,
                                 .grid = {w->shape.blocks}, .block = {w->shape.threads}};
    if (t->variant->tag == LOOPS)
        return trial_launch(t, &l, got, PARAMS(at[0], at[1], at[2], w->vectors.n, w->iters));
    int failed = 0;
    for (int k = 0; k < w->iters && !got->fault[0] && !failed; k++)
        failed = trial_launch(t, &l, got, PARAMS(at[0], at[1], at[2], w->vectors.n));
    return failed;
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct relaunching *w = self;
    size_t bytes = (size_t)w->vectors.n * sizeof(float);
    uint64_t at[3];
    got->has_predicted = true;
    got->predicted = 2 * (uint64_t)w->iters * divide_up((uint64_t)w->vectors.n, WARP);
    if (vectors_send(&w->vectors, t->session, &at[0], &at[1], t->report) ||
        lab_array(t->session, bytes, "z", NULL, &at[2], t->report) || launch(w, t, at, got) ||
        session_fetch(t->session, w->vectors.z, at[2], bytes, t->report))
        return -1;
    lab_arrays_free(t->session);
    attempt_array(got, w->vectors.z, w->vectors.want, (size_t)w->vectors.n);
    if (got->has_counters)
        got->cost = got->counters.warp_instructions;
    return 0;
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {.name = "n", FACT_AT(struct relaunching, vectors.n), .as = AS_GROUP},
    {FACT(struct relaunching, iters), .as = AS_GROUP},
    {.name = "blocks", FACT_AT(struct relaunching, shape.blocks)},
    {.name = "threads", FACT_AT(struct relaunching, shape.threads)},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {FACT(struct relaunching, launches), .as = AS_GROUP, .label = "launches",
     .says = "{launches}, of {all} threads{several? each|}"},
    {.name = "norm", FACT_AT(struct relaunching, run.got.value), .label = "check",
     .says = "{right?right|WRONG}; two-norm of the error {norm:%g}"},
    {.label = "warps", .says = "{warp_instructions} instructions",
     WHEN(struct relaunching, run.got.has_counters)},
    FACT_OK,
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {.name = "count", FACT_AT(struct relaunching, vectors.n), .as = AS_COUNT},
    {.name = "all", FACT_AT(struct relaunching, threads), .as = AS_GROUP},
    {FACT(struct relaunching, started), .as = AS_GROUP},
    {FACT(struct relaunching, several)},
    {.name = NULL},
};

static int find(void *self, const struct lab_variant *v)
{
    struct relaunching *w = self;
    w->launches = v && v->tag == LOOPS ? 1 : w->iters;
    w->several = w->launches > 1;
    w->threads = shape_threads(w->shape);
    w->started = w->threads * (uint64_t)w->iters;
    return 0;
}

/* ---- the lab ---------------------------------------------------------------------------- */

static const struct ladder_column columns[] = {
    {"loads", offsetof(struct counters, global_load_requests)},
    {"stores", offsetof(struct counters, global_store_requests)},
    {"instructions", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static const struct ladder ladder = {
    .value = "norm",
    .kind = VALUE_ARRAY,
    .order = "most instructions first; norm is the size of the error of z",
    .columns = columns,
    .head = "z = x + y, {iters:%.0f} times, n = {count}, {blocks} x {threads} threads",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
};

static const struct arg_spec options[] = {
    {.name = "n", BIND(struct relaunch_options, vectors.n),
     GIVEN(struct relaunch_options, vectors.n), .value = "N", .type = ARG_INT, .lo = 1,
     .hi = 1 << 20, .initial = "1000", .help = "elements of each vector"},
    {OPTION(struct relaunch_options, iters), .value = "I", .type = ARG_INT, .lo = 1,
     .hi = RELAUNCH_MOST, .initial = "100", .help = "the number of additions"},
    {.name = "x", BIND(struct relaunch_options, vectors.x), .type = ARG_LIST,
     .help = "the first vector, as in 1,2,3; random numbers if not given"},
    {.name = "y", BIND(struct relaunch_options, vectors.y), .type = ARG_LIST,
     .help = "the second vector"},
    {0},
};

static const struct lab lab = {
    .module = "relaunch",
    .takes = TAKES_LADDER | TAKES_THREADS | TAKES_SEED,
    .variants = variants,
    .all_unless_told = true,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct relaunch_options *o = given;
    const struct device_props *p = &s->device->props;
    struct relaunching w = {.run = {s, r, &o->lab, &lab}, .iters = o->iters};
    int failed = vectors_open(&w.vectors, s, &o->vectors, lab_seed(s, &o->lab), r);
    w.shape.threads = o->lab.threads ? (unsigned)o->lab.threads : USUAL_THREADS;
    w.shape.blocks = shape_blocks((uint64_t)w.vectors.n, w.shape.threads, false, p);
    if (!failed)
        failed = shape_fits(w.shape, w.vectors.n, false, p, r) || ladder_run(&ladder, &w.run);
    vectors_close(&w.vectors);
    return failed ? -1 : 0;
}

const struct command lab_relaunch = {
    LAB_COMMAND(struct relaunch_options),
    .name = "relaunch",
    .summary = "many launches, or one launch with a loop",
    .options = options,
};
