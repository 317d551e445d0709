/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pi: an estimate of pi from random points, and how the threads of a grid get random numbers that
 * differ. A run and its verdict are in labs/pi/work.c; here is what is told of it, the points in
 * the quarter circle, and how the error falls with the number of points.
 */
#include "labs/pi/work.h"

#include "labkit/lab.h"

#include <stdio.h>

struct pi_options {
    struct lab_options lab;
    int trials, launches, rng; /* rng: an enum pi_generator */
    bool rng_given, launches_given, points, curve;
};

struct pi_lab {
    struct lab_run run;
    const struct pi_options *options;
    struct pi_task task;
    struct pi_found found;
    /* What the facts say: */
    const char *generator;
    bool normal, drawn, several, repeats, has_plain;
    double pi, error, sigma, sigmas, share;
    double within[PI_BOUNDS];
    uint64_t points, distinct, hits, each, numbers;
    unsigned warps;
};

enum { PLOTTED = 300, PLOT_ROWS = 11, ARC = 7, CURVE_MOST = 8, CURVE_SEEDS = 8, SHOWN = 4 };

/* ---- points ----------------------------------------------------------------------------- */

static void draw_points(struct pi_lab *w)
{
    struct report *r = w->run.report;
    const struct pi_found *f = &w->found;
    double x[2][PLOTTED], y[2][PLOTTED];
    unsigned count[2] = {0, 0}, shown = f->points < PLOTTED ? (unsigned)f->points : PLOTTED;
    json_array(&r->result, "first");
    for (unsigned i = 0; i < shown; i++) {
        double px = (double)f->first[i][0], py = (double)f->first[i][1];
        bool out = px * px + py * py > 1;
        x[out][count[out]] = px;
        y[out][count[out]++] = py;
        json_array(&r->result, NULL);
        json_f32(&r->result, NULL, f->first[i][0]);
        json_f32(&r->result, NULL, f->first[i][1]);
        json_end_array(&r->result);
    }
    json_end_array(&r->result);
    /* Each sixth of a right angle, so that both axes go from 0 to 1. */
    static const double arc_x[ARC] = {0, 0.258819, 0.5, 0.707107, 0.866025, 0.965926, 1};
    static const double arc_y[ARC] = {1, 0.965926, 0.866025, 0.707107, 0.5, 0.258819, 0};
    const struct plot_series series[] = {
        {.label = "the circle", .x = arc_x, .y = arc_y, .count = ARC, .joined = true},
        {.label = "in the quarter circle", .x = x[0], .y = y[0], .count = count[0]},
        {.label = "outside", .x = x[1], .y = y[1], .count = count[1]}};
    const struct plot plot = {.x_label = "x", .y_label = "y", .series = series, .count = 3,
                              .rows = PLOT_ROWS};
    say(r, "\n");
    say_item(r, "", "the first points of %u threads: %u in the quarter circle, %u outside", shown,
             count[0], count[1]);
    say_plot(r, &plot);
}

/* The first points of a few threads and launches: the same ones, where the variant is wrong. */
static void draw_repeats(const struct pi_lab *w)
{
    static const struct table_column of[] = {
        {.head = "launch", .right = true, .tells = "launch %"},
        {.head = "thread", .right = true, .tells = "thread %"},
        {.head = "first x", .right = true}, {.head = "first y", .right = true}};
    const struct pi_found *f = &w->found;
    unsigned launches = w->task.launches < SHOWN ? (unsigned)w->task.launches : SHOWN;
    unsigned threads = launches > 1 ? 2 : SHOWN;
    struct table t;
    if (!f->points)
        return;
    table_begin(&t, of, 4, 2);
    for (unsigned k = 0; k < launches; k++)
        for (unsigned i = 0; i < threads && i < w->task.all; i++) {
            const float *at = f->first[(size_t)k * w->task.all + i];
            table_cell(&t, "%u", k + 1);
            table_cell(&t, "%u", i);
            table_cell(&t, "%.7f", (double)at[0]);
            table_cell(&t, "%.7f", (double)at[1]);
        }
    say(w->run.report, "\n");
    say_table(w->run.report, &t);
}

/* ---- the error by the number of points -------------------------------------------------- */

struct curve_point {
    int n;
    double error, sigma, scaled; /* the root of the mean square of several errors */
};

static const struct fact curve_facts[] = {
    {.name = "trials", FACT_AT(struct curve_point, n), .as = AS_GROUP, .head = "trials",
     .right = true},
    {FACT(struct curve_point, error), .format = "%.5f", .head = "error", .right = true},
    {FACT(struct curve_point, sigma), .format = "%.5f", .head = "by chance", .right = true},
    {FACT(struct curve_point, scaled), .format = "%.2f", .head = "error x sqrt(trials)",
     .right = true},
    {.name = NULL},
};

/* A few seeds, since the error of one run is chance too. -1: the report says why. */
static int measure(struct pi_lab *w, const struct lab_variant *v, int n, struct curve_point *out)
{
    static const struct schedule as_set = {.name = NULL};
    const uint64_t seed = w->task.seed;
    struct attempt got;
    double squares = 0;
    int failed = 0;
    struct trial t = {.variant = v, .schedule = &as_set, .quiet = true, .session = w->run.session,
                      .report = w->run.report};
    for (unsigned k = 0; k < CURVE_SEEDS && !failed; k++) {
        got = (struct attempt){0};
        w->task.n = n;
        w->task.seed = seed + 1000 * (uint64_t)k;
        failed = pi_run(&t, &w->task, &got, &w->found);
        squares += got.error * got.error;
    }
    w->task.seed = seed;
    out->n = n;
    out->error = __builtin_sqrt(squares / CURVE_SEEDS);
    out->sigma = pi_sigma(v, n);
    out->scaled = out->error * __builtin_sqrt((double)n);
    return failed;
}

static void draw_curve(struct pi_lab *w, const struct lab_variant *v)
{
    struct report *r = w->run.report;
    struct curve_point at[CURVE_MOST];
    struct bar bars[CURVE_MOST];
    char label[CURVE_MOST][NUM_TEXT], shown[CURVE_MOST][16];
    int n = w->task.n, least = (int)w->task.all * w->task.launches, count = 1;
    unsigned runs = w->run.session->runs;
    while (count < CURVE_MOST && n >> 2 * count >= least)
        count++;
    w->run.session->runs = 1;
    for (int k = 0; k < count; k++)
        if (measure(w, v, n >> 2 * (count - 1 - k), &at[k]))
            return;
    w->run.session->runs = runs;
    w->task.n = n;
    facts_json_rows(curve_facts, "curve", at, (size_t)count, sizeof at[0], &r->result);
    say(r, "\n");
    say_item(r, "", "the error with more and more trials, from %d seeds each", CURVE_SEEDS);
    facts_say_rows(curve_facts, at, (size_t)count, sizeof at[0], 2, r);
    for (int k = 0; k < count && !r->plain; k++) { /* the rows have said it */
        num_group(at[k].n, label[k]);
        snprintf(shown[k], sizeof shown[k], "%.5f", at[k].error);
        bars[k] = (struct bar){label[k], at[k].error, shown[k]};
    }
    if (r->plain)
        return;
    say(r, "\n");
    say_bars(r, bars, (unsigned)count);
}

static bool show(void *self, const struct lab_variant *v, const struct launch_result *result)
{
    struct pi_lab *w = self;
    (void)result;
    if (v->mended_by)
        draw_repeats(w);
    if (w->options->points && !w->normal && w->found.points)
        draw_points(w);
    if (w->options->curve && !v->mended_by)
        draw_curve(w, v);
    return true;
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "n", FACT_AT(struct pi_lab, task.n), .as = AS_GROUP},
    {.name = "rng", FACT_AT(struct pi_lab, generator)},
    {.name = "estimate", FACT_AT(struct pi_lab, pi), .format = "%.7g", .label = "pi",
     .says = "{estimate}, from {n} random {normal?numbers|points}"},
    {FACT(struct pi_lab, error), .format = "%.2g", .label = "error",
     .says = "{error}; by chance about {sigma}, which is {factor:%.2f} / sqrt({n})"},
    {FACT(struct pi_lab, sigma), .format = "%.2g"},
    {FACT(struct pi_lab, hits), .as = AS_GROUP, WHEN(struct pi_lab, drawn), .label = "hits",
     .says = "{hits} points are in the quarter circle{plain?, as in plain C|}"},
    {.name = "plain", FACT_AT(struct pi_lab, found.plain), .as = AS_GROUP,
     WHEN(struct pi_lab, has_plain)},
    {.name = "within_1", FACT_AT(struct pi_lab, within[0]), .as = AS_PERCENT,
     WHEN(struct pi_lab, normal), .label = "sizes",
     .says = "{within_1} % up to 1, {within_2} % up to 2, {within_3} % up to 3; in theory 68.3, "
             "95.4, 99.7 %"},
    {.name = "within_2", FACT_AT(struct pi_lab, within[1]), .as = AS_PERCENT,
     WHEN(struct pi_lab, normal)},
    {.name = "within_3", FACT_AT(struct pi_lab, within[2]), .as = AS_PERCENT,
     WHEN(struct pi_lab, normal)},
    {FACT(struct pi_lab, distinct), .as = AS_GROUP, .label = "check",
     .says = "{verdict}: of {points} first {normal?numbers|points}, {distinct} are different"},
    {FACT(struct pi_lab, points), .as = AS_GROUP},
    FACT_OK,
    {.name = "blocks", FACT_AT(struct pi_lab, task.shape.blocks)},
    {.name = "threads", FACT_AT(struct pi_lab, task.shape.threads)},
    {.name = "launches", FACT_AT(struct pi_lab, task.launches), WHEN(struct pi_lab, repeats)},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {.name = "all", FACT_AT(struct pi_lab, task.all), .as = AS_GROUP},
    {.name = "seed", FACT_AT(struct pi_lab, task.seed)},
    {.name = "factor", FACT_AT(struct pi_lab, share)},
    {FACT(struct pi_lab, each), .as = AS_GROUP},
    {FACT(struct pi_lab, numbers), .as = AS_GROUP},
    {FACT(struct pi_lab, normal)},
    {FACT(struct pi_lab, several)},
    {FACT(struct pi_lab, sigmas), .format = "%.1f"},
    {.name = "times", FACT_AT(struct pi_lab, task.launches)},
    {.name = NULL},
};

/* Of all variants the facts are those of the first. */
static int find(void *self, const struct lab_variant *v)
{
    struct pi_lab *w = self;
    const struct pi_options *o = w->options;
    const struct lab_options *l = &o->lab;
    bool all = lab_runs_all(l);
    v = v ? v : w->run.lab->variants;
    if (!all && v->tag == PI_OWN && o->rng_given && o->rng != PI_PHILOX)
        return report_fail(w->run.report, "--rng %s: own has a Philox of its own; the variants "
                                          "that call cuRAND, for example sequence, take this "
                                          "generator",
                           pi_generators[o->rng]);
    w->task.generator = v->tag == PI_OWN ? PI_PHILOX : (enum pi_generator)o->rng;
    if (pi_choose(v, o->trials, l->blocks, l->threads, o->launches_given ? o->launches : 0,
                  &w->run.session->device->props, &w->task, w->run.report))
        return -1;
    w->generator = pi_generators[w->task.generator];
    w->normal = v->tag == PI_NORMAL;
    w->drawn = !w->normal;
    w->repeats = v->tag == PI_SAVED || v->tag == PI_UNSAVED;
    w->several = w->task.launches > 1;
    w->has_plain = w->found.has_plain;
    w->pi = w->run.got.value;
    w->error = w->run.got.error;
    w->sigma = pi_sigma(v, o->trials);
    w->sigmas = (w->error < 0 ? -w->error : w->error) / w->sigma;
    w->share = w->sigma * __builtin_sqrt((double)w->task.n);
    w->points = (uint64_t)w->task.all * (unsigned)w->task.launches;
    w->distinct = w->points - w->run.got.wrong;
    w->hits = w->found.hits;
    w->each = (uint64_t)w->task.n / w->task.all;
    w->numbers = 2 * (uint64_t)w->task.n;
    for (int k = 0; k < PI_BOUNDS; k++)
        w->within[k] = (double)w->found.within[k] / w->task.n;
    return 0;
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct pi_lab *w = self;
    const char *why = pi_shows_nothing(t->variant, &w->task);
    if (why) {
        snprintf(got->not_run, sizeof got->not_run, "%s", why);
        return 0;
    }
    got->expected_words = t->variant->mended_by ? "near 3.14159, and no point drawn twice" : NULL;
    return pi_run(t, &w->task, got, &w->found);
}

/* ---- the ladder ------------------------------------------------------------------------- */

static const struct ladder_column columns[] = {
    {"atomics", offsetof(struct counters, global_atomics)},
    {"instructions", offsetof(struct counters, warp_instructions)},
    {"loads", offsetof(struct counters, global_load_requests)},
    {NULL, 0},
};

static const struct ladder ladder = {
    .value = "estimate",
    .kind = VALUE_F32,
    .order = "most instructions first",
    .columns = columns,
    .beside_head = "different",
    .beside = "{distinct} of {points}",
    .head = "pi from {n} random {normal?numbers|points}, {blocks} x {threads} threads, {rng}",
    .head_of_all = "pi from {n} random points, {blocks} x {threads} threads, {rng}",
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
    .show = show,
};

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"sequence", "pi_sequence", "one seed, and a sequence for each thread", .tag = PI_SEQUENCE},
    {"seeds", "pi_seeds", "another seed for each thread", .tag = PI_SEEDS},
    {"own", "pi_own", "Philox in the kernel itself: there is no state", .tag = PI_OWN},
    {"saved", "pi_saved", "several launches, with the states kept in memory", .tag = PI_SAVED},
    {"host", "pi_host", "an array of numbers, filled by the host's functions of cuRAND",
     .tag = PI_HOST},
    {"normal", "pi_normal", "normal numbers: pi from their mean distance from 0", .tag = PI_NORMAL},
    {"oneseed", "pi_oneseed", "the same seed and sequence for all threads", "sequence", NULL,
     PI_ONESEED},
    {"unsaved", "pi_unsaved", "saved, without storing the states", "saved", NULL, PI_UNSAVED},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct pi_options, trials), .value = "N", .type = ARG_INT, .lo = 1, .hi = PI_MOST,
     .initial = "2^16", .help = "the number of random points, or of normal numbers"},
    {OPTION(struct pi_options, rng), GIVEN(struct pi_options, rng), .type = ARG_CHOICE,
     .choices = pi_generators, .initial = "philox",
     .help = "the generator of cuRAND: XORWOW, Philox4x32-10 or MRG32k3a"},
    {OPTION(struct pi_options, launches), GIVEN(struct pi_options, launches), .value = "L",
     .type = ARG_INT, .lo = 1, .hi = 1000,
     .initial = "4", .help = "the number of launches of `saved` and `unsaved`"},
    {OPTION(struct pi_options, points), .help = "draw the first point of each thread"},
    {OPTION(struct pi_options, curve), .help = "the error with a quarter of the points, a "
                                               "sixteenth, and so on"},
    {0},
};

static const struct lab lab = {
    .module = "pi",
    .takes = TAKES_LADDER | TAKES_BLOCKS | TAKES_THREADS | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct pi_options *o = given;
    struct pi_lab w = {.run = {s, r, &o->lab, &lab}, .options = o};
    w.task.seed = lab_seed(s, &o->lab);
    int failed = ladder_run(&ladder, &w.run);
    pi_close(&w.found);
    return failed ? -1 : 0;
}

const struct command lab_pi = {
    LAB_COMMAND(struct pi_options),
    .name = "pi",
    .summary = "pi from random points: random numbers for many threads",
    .options = options,
};
