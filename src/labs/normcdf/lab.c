/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * normcdf: the cumulative normal distribution by a formula with 7 coefficients, which lie in
 * registers, shared, constant or global memory. The results are the same, and the counters
 * prove which memory was read. Each result is held against the formula in double, and its error
 * against N(x): the absolute one everywhere, the relative one in the lower tail, where N(x) is
 * small. The kernels are in kernels/normcdf.cu, plain C in labs/normcdf/normal.c.
 */
#include "labs/normcdf/normal.h"

#include "labkit/lab.h"
#include "labkit/loop.h"
#include "labkit/ladder/ladder.h"
#include "labkit/shape.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum coefficient_place { IN_REGISTERS, IN_SHARED, IN_CONSTANT, IN_GLOBAL, IN_FUNCTION, PLACES };
enum normcdf_tag {       /* of a variant, besides its place */
    PLACE_MASK = 7,
    NEEDS_WAIT = 8,      /* it goes wrong only if a warp needs what another one stores */
    NEEDS_TAIL = 16      /* it goes wrong only where N(x) is small */
};
enum { WARP = 32, MOST_N = 1 << 20, USUAL_THREADS = 256, MOST_RANGE = 12, POINTS = 5 };
#define UNIT 0x1p-23 /* of a float's last place, relative to it */

struct normcdf_options {
    struct lab_options lab;
    int n, range;
};

/* One of the elements that the screen shows. */
struct point {
    double x, exact, result, absolute, relative;
};

struct normcdf {
    struct lab_run run;
    const struct normcdf_options *options;
    float *x, *y;
    int right;                  /* results */
    /* What the facts say: */
    int n, range;
    struct launch_shape shape;
    const char *place;          /* where the coefficients are loaded from; NULL: they are not */
    bool library, measured;     /* measured: there are results, so there are errors */
    uint64_t warps, loads, want_loads; /* warps with elements; loads of coefficients */
    double absolute, absolute_at, relative, relative_at;
    uint64_t bytes;             /* of an array */
    unsigned points;
    struct point point[POINTS];
};

/* ---- what is predicted ------------------------------------------------------------------ */

static enum coefficient_place place_of(const struct lab_variant *v)
{
    return (enum coefficient_place)(v->tag & PLACE_MASK);
}

/* Of all loads from global memory: x, and coefficients where they come from there. A block copies
 * them by one load, or by several where it has fewer threads than there are coefficients. */
static uint64_t global_loads(const struct normcdf *w, const struct lab_variant *v)
{
    uint64_t copies = divide_up(NORMAL_COEFFICIENTS, w->shape.threads) * w->shape.blocks;
    switch (place_of(v)) {
    case IN_GLOBAL: return w->warps * (1 + NORMAL_COEFFICIENTS);
    case IN_SHARED: return w->warps + copies;
    default: return w->warps;
    }
}

static uint64_t coefficient_loads(const struct normcdf *w, const struct lab_variant *v,
                                  const struct counters *c)
{
    switch (place_of(v)) {
    case IN_GLOBAL: return c->global_load_requests - w->warps;
    case IN_SHARED: return c->shared_load_requests;
    default: return c->constant_load_requests;
    }
}

static bool loads_as_predicted(const struct normcdf *w, const struct lab_variant *v,
                               const struct counters *c)
{
    const enum coefficient_place place = place_of(v);
    const uint64_t each = w->warps * NORMAL_COEFFICIENTS;
    return c->global_load_requests == global_loads(w, v) &&
           c->shared_load_requests == (place == IN_SHARED ? each : 0) &&
           c->constant_load_requests == (place == IN_CONSTANT ? each : 0);
}

/* ---- one run ---------------------------------------------------------------------------- */

static double above_0(double difference)
{
    return difference < 0 ? -difference : difference;
}

/* May the device's result differ so much from the same area in double? A few roundings in the
 * product; the exponent of e, rounded, grows with x^2; and 1 - tail is rounded once more. */
static bool is_right(double x, float result, double tail)
{
    const double bound = tail * (16 + x * x) * UNIT + (x < 0 ? 0 : UNIT);
    return above_0(result - (x < 0 ? tail : 1 - tail)) <= bound;
}

static struct point make_point(const struct normcdf *w, int i, double tail)
{
    const double x = w->x[i];
    struct point p = {.x = x, .exact = x < 0 ? tail : 1 - tail, .result = w->y[i]};
    p.absolute = above_0(p.result - p.exact);
    p.relative = p.absolute / p.exact;
    return p;
}

static struct point point_at(const struct normcdf *w, int i)
{
    return make_point(w, i, normal_tail(w->x[i]));
}

enum { PART = 1 << 11 }; /* points whose areas are worked out together */
struct normal_areas { double tail[PART], rule[PART]; };

static int in_part(const struct normcdf *w, uint64_t part)
{
    const int left = w->n - (int)part * PART;
    return left < PART ? left : PART;
}

static int make_areas(void *self, uint64_t part, void *made, struct err *e)
{
    const struct normcdf *w = self;
    struct normal_areas *a = made;
    (void)e;
    for (int k = 0; k < in_part(w, part); k++) {
        const double x = w->x[(int)part * PART + k];
        a->tail[k] = normal_tail(x);
        a->rule[k] = w->library ? a->tail[k] : normal_formula_tail(x);
    }
    return 0;
}

static int judge_points(void *self, uint64_t part, const void *made, struct err *e)
{
    struct normcdf *w = self;
    const struct normal_areas *a = made;
    (void)e;
    for (int k = 0; k < in_part(w, part); k++) {
        const int i = (int)part * PART + k;
        const struct point p = make_point(w, i, a->tail[k]);
        w->right += is_right(p.x, w->y[i], a->rule[k]);
        if (p.absolute > w->absolute) {
            w->absolute = p.absolute;
            w->absolute_at = p.x;
        }
        if (p.x < 0 && p.relative > w->relative) {
            w->relative = p.relative;
            w->relative_at = p.x;
        }
    }
    return 0;
}

/* How many results are right, and the largest errors. */
static int judge(struct normcdf *w)
{
    w->measured = true;
    w->absolute_at = w->relative_at = w->x[0];
    w->right = 0;
    if (lab_do_parts(w->run.session, &(struct parts){.count = divide_up((uint64_t)w->n, PART),
                                                     .bytes = sizeof(struct normal_areas),
                                                     .self = w, .make = make_areas,
                                                     .take = judge_points}, w->run.report))
        return -1;
    w->points = w->n < POINTS ? (unsigned)w->n : POINTS;
    for (unsigned k = 0; k < w->points; k++)
        w->point[k] = point_at(w, w->points < 2 ? 0 : (int)(k * (w->n - 1) / (w->points - 1)));
    return 0;
}

/* Is it a launch that shows what its variant is about? */
static void look(const struct normcdf *w, const struct lab_variant *v, struct attempt *got)
{
    if (v->tag & NEEDS_WAIT && w->shape.threads == 1)
        snprintf(got->not_run, sizeof got->not_run,
                 "a block of one thread waits for no other; take at least --threads 2");
    else if (v->tag & NEEDS_TAIL && w->range < 3)
        snprintf(got->not_run, sizeof got->not_run,
                 "it goes wrong only where N(x) is small; take at least --range 3");
}

static int launch(struct normcdf *w, const struct trial *t, struct attempt *got)
{
    uint64_t x, y, c;
    const size_t bytes = (size_t)w->n * sizeof(float);
    const enum coefficient_place place = place_of(t->variant);
    const bool passes = place == IN_SHARED || place == IN_GLOBAL;
    const struct lab_launch l = {.module = "normcdf",
                                 .kernel = t->variant->kernel,
                                 .grid = {w->shape.blocks},
                                 .block = {w->shape.threads},
                                 .together = true,
                                 .counts = true};
    if (lab_array(t->session, bytes, "x", w->x, &x, t->report) ||
        lab_array(t->session, bytes, "y", NULL, &y, t->report))
        return -1;
    if (passes && lab_array(t->session, sizeof normal_coefficient, "c", normal_coefficient, &c,
                            t->report))
        return -1;
    if (place == IN_CONSTANT &&
        lab_symbol_store(t->session, "normcdf", "coefficient", normal_coefficient,
                         sizeof normal_coefficient, t->report))
        return -1;
    if (passes ? trial_launch(t, &l, got, PARAMS(x, y, w->n, c))
               : trial_launch(t, &l, got, PARAMS(x, y, w->n)))
        return -1;
    return session_fetch(t->session, w->y, y, bytes, t->report);
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct normcdf *w = self;
    const struct lab_variant *v = t->variant;
    const char *schedule = t->schedule->name;
    got->expected = w->n;
    w->absolute = w->relative = 0;
    w->measured = false;
    look(w, v, got);
    if (got->not_run[0])
        return 0;
    got->has_predicted = !v->mended_by && (!schedule || strcmp(schedule, "independent") != 0);
    got->predicted = global_loads(w, v);
    int failed = launch(w, t, got);
    lab_arrays_free(t->session);
    if (failed)
        return -1;
    if (judge(w))
        return -1;
    got->value = w->right;
    got->right = got->value == got->expected;
    got->error = w->relative;
    if (!got->has_counters)
        return 0;
    if (got->has_predicted)
        got->right = got->right && loads_as_predicted(w, v, &got->counters);
    got->cost = got->counters.global_load_requests * 1000 + got->counters.shared_load_requests +
                got->counters.constant_load_requests;
    return 0;
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact point_facts[] = {
    {FACT(struct point, x), .format = "%.3g", .head = "x", .right = true},
    {FACT(struct point, exact), .format = "%.8g", .head = "N(x)", .right = true,
     .tells = "N(x) is %"},
    {FACT(struct point, result), .format = "%.8g", .head = "y", .right = true, .tells = "y is %"},
    {FACT(struct point, absolute), .as = AS_ROUGH, .head = "absolute error", .right = true,
     .gives_way = 1},
    {FACT(struct point, relative), .as = AS_ROUGH, .head = "relative error", .right = true},
    {.name = NULL},
};

static void draw_points(struct report *r, const void *found)
{
    const struct normcdf *w = found;
    facts_json_rows(point_facts, "points", w->point, w->points, sizeof w->point[0], &r->result);
    say(r, "\n");
    facts_say_rows(point_facts, w->point, w->points, sizeof w->point[0], 2, r);
}

/* What is wrong with an answer is in its numbers; a race shows itself in the steps. */
static bool show(void *self, const struct lab_variant *v, const struct launch_result *result)
{
    const struct normcdf *w = self;
    (void)result;
    if (!v->mended_by || v->fault || !w->measured)
        return false;
    draw_points(w->run.report, w);
    return true;
}

static const struct fact task[] = {
    {FACT(struct normcdf, n), .as = AS_GROUP},
    {.name = "x_range", FACT_AT(struct normcdf, range)},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "score", FACT_AT(struct normcdf, run.got.value), .as = AS_GROUP, .label = "score",
     .says = "{score} of {n} results agree with {library?N(x)|the formula} in double"},
    {.name = "blocks", FACT_AT(struct normcdf, shape.blocks), .as = AS_GROUP},
    {.name = "threads", FACT_AT(struct normcdf, shape.threads)},
    {.name = "predicted", FACT_AT(struct normcdf, run.got.predicted), .as = AS_GROUP,
     WHEN(struct normcdf, run.got.has_predicted)},
    FACT_OK,
    {FACT(struct normcdf, loads), .as = AS_GROUP, WHEN(struct normcdf, run.got.has_counters)},
    {FACT(struct normcdf, place), .if_set = true, .label = "loads",
     .says = "{loads} of coefficients from {place} memory; predicted {loads_predicted}"},
    {.name = "loads_predicted", FACT_AT(struct normcdf, want_loads), .as = AS_GROUP},
    {FACT(struct normcdf, absolute), .as = AS_ROUGH, WHEN(struct normcdf, measured),
     .label = "error",
     .says = "{absolute} at most, at x = {absolute_at}; if x < 0, {relative} of N(x), at x = "
             "{relative_at}"},
    {FACT(struct normcdf, absolute_at), .format = "%.3g", WHEN(struct normcdf, measured)},
    {FACT(struct normcdf, relative), .as = AS_ROUGH, WHEN(struct normcdf, measured)},
    {FACT(struct normcdf, relative_at), .format = "%.3g", WHEN(struct normcdf, measured)},
    {.draw = draw_points, WHEN(struct normcdf, measured)},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct normcdf, bytes), .as = AS_GROUP},
    {FACT(struct normcdf, library)},
    {.name = "tail_error", FACT_AT(struct normcdf, run.got.error), .as = AS_ROUGH},
    {.name = NULL},
};

static int find(void *self, const struct lab_variant *given)
{
    static const char *const places[PLACES] = {[IN_SHARED] = "shared", [IN_CONSTANT] = "constant",
                                               [IN_GLOBAL] = "global"};
    struct normcdf *w = self;
    const struct normcdf_options *o = w->options;
    const struct device_props *p = &w->run.session->device->props;
    const struct lab_variant *v = given ? given : w->run.lab->variants;
    w->n = o->n;
    w->range = o->range;
    w->shape.threads = o->lab.threads ? (unsigned)o->lab.threads : USUAL_THREADS;
    w->shape.blocks = shape_blocks((uint64_t)w->n, w->shape.threads, false, p);
    w->warps = (uint64_t)w->n / w->shape.threads * divide_up(w->shape.threads, WARP) +
               divide_up((uint64_t)w->n % w->shape.threads, WARP);
    w->bytes = (uint64_t)w->n * sizeof(float);
    w->library = place_of(v) == IN_FUNCTION;
    w->place = w->run.got.has_counters ? places[place_of(v)] : NULL;
    w->loads = w->run.got.has_counters ? coefficient_loads(w, v, &w->run.got.counters) : 0;
    w->want_loads = places[place_of(v)] ? w->warps * NORMAL_COEFFICIENTS : 0;
    return shape_fits(w->shape, w->n, false, p, w->run.report);
}

static const struct ladder_column columns[] = {
    {"global loads", offsetof(struct counters, global_load_requests)},
    {"shared", offsetof(struct counters, shared_load_requests)},
    {"constant", offsetof(struct counters, constant_load_requests)},
    {0},
};

static const struct ladder ladder = {
    .value = "score",
    .kind = VALUE_INT,
    .order = "Most loads from global memory first. Each load is one request by a warp.",
    .columns = columns,
    .head = "{kernel}<<<{blocks}, {threads}>>>, n = {n}, x from -{x_range} to {x_range}",
    .head_of_all = "N(x), n = {n}, x from -{x_range} to {x_range}, blocks of {threads}",
    .beside_head = "error in the tail",
    .beside = "{tail_error}",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
    .show = show,
};

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"registers", "normcdf_registers", "each thread has the coefficients in registers",
     .tag = IN_REGISTERS},
    {"shared", "normcdf_shared", "each block copies them to shared memory", .tag = IN_SHARED},
    {"constant", "normcdf_constant", "they are in constant memory", .tag = IN_CONSTANT},
    {"global", "normcdf_global", "each warp loads them from global memory", .tag = IN_GLOBAL},
    {"normcdff", "normcdf_library", "the function of the CUDA Math API", .tag = IN_FUNCTION},
    {"nobarrier", "normcdf_nobarrier", "no barrier after the copy to shared memory", "shared",
     "race-shared uninitialized", IN_SHARED | NEEDS_WAIT},
    {"paren", "normcdf_paren", "one t and its parenthesis are missing", "constant", NULL,
     IN_CONSTANT},
    {"cancel", "normcdf_cancel", "the lower tail as 1 - (1 - tail)", "registers", NULL,
     IN_REGISTERS | NEEDS_TAIL},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct normcdf_options, n), .value = "N", .type = ARG_INT, .lo = 1, .hi = MOST_N,
     .initial = "1001", .help = "values of x, at equal distances"},
    {OPTION(struct normcdf_options, range), .value = "R", .type = ARG_INT, .lo = 1,
     .hi = MOST_RANGE, .initial = "6", .help = "x goes from -R to R"},
    {0},
};

static const struct lab lab = {
    .module = "normcdf",
    .takes = TAKES_LADDER | TAKES_THREADS,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct normcdf_options *o = given;
    struct normcdf w = {.run = {s, r, &o->lab, &lab}, .options = o};
    const size_t bytes = (size_t)o->n * sizeof(float);
    w.x = mem_alloc(&allocator_libc, bytes);
    w.y = mem_alloc(&allocator_libc, bytes);
    int failed = w.x && w.y ? 0 : report_fail_limit(r, "out of memory; take a smaller n");
    for (int i = 0; i < o->n && !failed; i++)
        w.x[i] = (float)(o->n > 1 ? 2.0 * o->range * i / (o->n - 1) - o->range : -o->range);
    if (!failed)
        failed = ladder_run(&ladder, &w.run);
    mem_free(&allocator_libc, w.x, bytes);
    mem_free(&allocator_libc, w.y, bytes);
    return failed ? -1 : 0;
}

const struct command lab_normcdf = {
    LAB_COMMAND(struct normcdf_options),
    .name = "normcdf",
    .summary = "the normal distribution, with coefficients in four kinds of memory",
    .options = options,
};
