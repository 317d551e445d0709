/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scale: one task shared by several GPUs, of one process or of the ranks of mpirun, and how much
 * faster it gets. labs/scale/work.c shares it, labs/scale/worker.c runs a share; the kernels are in
 * kernels/scale.cu.
 */
#include "labkit/lab.h"
#include "labkit/law/law.h"
#include "labkit/shape.h"
#include "labs/scale/work.h"

#include <stdio.h>
#include <string.h>

enum { USUAL_GPUS = 4, USUAL_THREADS = 256, POINTS = 16, ROWS_SHOWN = 8, CURVE = 33,
       PLOT_ROWS = 6 };

struct scale_options {
    struct lab_options lab;
    const char *work, *strategy;
    int n, gpus, ranks;
    double a, b, host_part;
    bool gpus_given, ranks_given, host_part_given, a_given, b_given, plot;
};

/* So many GPUs: a task that stays the same, and one that grows with them. */
struct scale_point {
    unsigned gpus;
    char with[16]; /* "2 GPUs" */
    double strong, amdahl, efficiency, weak, gustafson;
    int n, weak_n;
};

struct scaling {
    struct scale_team team;
    const struct scale_options *options;
    struct scale_point point[POINTS];
    struct scale_run one, all; /* with one GPU and with all */
    /* What the facts say: */
    const char *work, *kernel, *strategy, *engine;
    unsigned points, gpus, ranks, nodes, blocks, threads, host_ranks, each, twice;
    unsigned number; /* of the strategy */
    int n, share;
    double exact, value, error, bound, serial, speedup, amdahl, weak, gustafson, idle, balanced;
    float a, b, h;
    struct scale_peer peer;
    struct verdict verdict;
    bool ok, rounded_away, modelled, timed, has_mpi, under_mpi, is_trap, has_hosts, shares_gpus;
};

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact rank_facts[] = {
    {.name = "place", FACT_AT(struct scale_rank, place), .head = "works on"},
    {FACT(struct scale_rank, rank), .head = "rank", .right = true},
    {FACT(struct scale_rank, gpu)},
    {FACT(struct scale_rank, first), .as = AS_GROUP, .head = "from", .right = true, .gives_way = 1},
    {FACT(struct scale_rank, count), .as = AS_GROUP, .head = "terms", .right = true},
    {FACT(struct scale_rank, sum), .format = "%.9g", .head = "sum", .right = true},
    {FACT(struct scale_rank, instructions_of_sm), .as = AS_GROUP, .head = "instructions",
     .right = true, WHEN(struct scale_rank, modelled)},
    {FACT(struct scale_rank, ms), .format = "%.4g", .head = "ms", .right = true,
     WHEN(struct scale_rank, timed)},
    {.name = NULL},
};

static const struct fact point_facts[] = {
    {.head = "with", FACT_AT(struct scale_point, with)},
    {FACT(struct scale_point, gpus)},
    {FACT(struct scale_point, strong), .format = "%.2f", .head = "same n", .right = true},
    {FACT(struct scale_point, amdahl), .format = "%.2f", .head = "Amdahl", .right = true},
    {FACT(struct scale_point, efficiency), .as = AS_PERCENT, .head = "efficiency %", .right = true,
     .gives_way = 1},
    {FACT(struct scale_point, weak), .format = "%.2f", .head = "n grows", .right = true},
    {FACT(struct scale_point, gustafson), .format = "%.2f", .head = "Gustafson", .right = true},
    {FACT(struct scale_point, n)},
    {FACT(struct scale_point, weak_n)},
    {.name = NULL},
};

static const struct fact facts[] = {
    {FACT(struct scaling, value), .format = "%.9g", .label = "result",
     .says = "{value}    exact {exact:%.10g}    error {error}"},
    {FACT(struct scaling, exact)},
    {FACT(struct scaling, error), .as = AS_ROUGH},
    {FACT(struct scaling, bound), .as = AS_ROUGH, .label = "check",
     .says = "{verdict}: plain C adds the same terms; rounding may change {bound}"},
    {FACT(struct scaling, ok)},
    {FACT(struct scaling, rounded_away), .if_set = true},
    {FACT(struct scaling, work)},
    {.name = "strategy", FACT_AT(struct scaling, number)},
    {FACT(struct scaling, n), .as = AS_COUNT},
    {FACT(struct scaling, gpus)},
    {.name = "rank_count", FACT_AT(struct scaling, ranks)},
    {FACT(struct scaling, nodes), .only = FACT_IN_TEXT},
    {FACT(struct scaling, blocks), .as = AS_GROUP},
    {FACT(struct scaling, threads)},
    {FACT(struct scaling, modelled), WHEN(struct scaling, timed)},
    {.label = "ranks", .says = "{rank_count}, {has_hosts?{host_ranks} without a GPU|{how}}"
                               "{under_mpi?, on {nodes node}: MPI adds|{has_mpi?; mpirun starts "
                               "real ones|; MPI: `./quickstart --mpi`}} (help mpi)"},
    {.name = "serial_share", FACT_AT(struct scaling, serial), .as = AS_PERCENT,
     .label = "serial", .says = "{serial_share} % of the time of one GPU{modelled?, modelled|}: as "
                                "long with any n", WHEN(struct scaling, timed)},
    {.name = "peer_bytes", FACT_AT(struct scaling, peer.bytes), .as = AS_BYTES, .if_set = true,
     .label = "peer copy", .says = "{peer_bytes} from GPU {peer_from} to {peer_to}: "
                                   "{peer_direct?{peer_direct} GB/s, |}{peer_by_host} GB/s "
                                   "{peer_direct?through the host|through the host alone}"},
    {.name = "peer_direct", FACT_AT(struct scaling, peer.direct), .format = "%.3g", .if_set = true},
    {.name = "peer_by_host", FACT_AT(struct scaling, peer.by_host), .format = "%.3g",
     .if_set = true},
    {.name = NULL},
};

static const struct fact words[] = {
    {.name = "how", FACT_AT(struct scaling, strategy)},
    {.name = "peer_from", FACT_AT(struct scaling, peer.from)},
    {.name = "peer_to", FACT_AT(struct scaling, peer.to)},
    {FACT(struct scaling, verdict)},
    {FACT(struct scaling, kernel)},
    {FACT(struct scaling, engine)},
    {FACT(struct scaling, share), .as = AS_GROUP},
    {FACT(struct scaling, each)},
    {FACT(struct scaling, twice)},
    {FACT(struct scaling, host_ranks)},
    {FACT(struct scaling, speedup), .format = "%.2f"},
    {FACT(struct scaling, amdahl), .format = "%.2f"},
    {FACT(struct scaling, weak), .format = "%.2f"},
    {FACT(struct scaling, gustafson), .format = "%.2f"},
    {FACT(struct scaling, idle), .as = AS_PERCENT},
    {FACT(struct scaling, balanced), .format = "%.4f"},
    {FACT(struct scaling, a)},
    {FACT(struct scaling, b)},
    {FACT(struct scaling, h)},
    {FACT(struct scaling, timed)},
    {FACT(struct scaling, has_mpi)},
    {FACT(struct scaling, under_mpi)},
    {FACT(struct scaling, is_trap)},
    {FACT(struct scaling, has_hosts)},
    {FACT(struct scaling, shares_gpus)},
    {.name = NULL},
};

static void draw(const struct scaling *w)
{
    double x[CURVE], law[2][CURVE], at[POINTS], own[2][POINTS];
    const double most = w->gpus;
    for (unsigned i = 0; i < CURVE; i++) {
        x[i] = 1 + (most - 1) * i / (CURVE - 1);
        law[0][i] = law_speedup(AMDAHL, w->serial, x[i]);
        law[1][i] = x[i];
    }
    for (unsigned k = 0; k < w->points; k++) {
        at[k] = w->point[k].gpus;
        own[0][k] = w->point[k].strong;
        own[1][k] = w->point[k].weak;
    }
    const struct plot_series series[] = {{"Amdahl", x, law[0], CURVE, true},
                                         {"as many times as GPUs", x, law[1], CURVE, true},
                                         {"same n", at, own[0], w->points, false},
                                         {"n grows", at, own[1], w->points, false}};
    say_plot(w->team.report, &(struct plot){.x_label = "GPUs", .y_label = "speed-up",
                                            .series = series, .count = 4, .rows = PLOT_ROWS});
}

/* The kernel of the first rank stands for all. */
static int tell_launch(const struct scaling *w)
{
    const struct launch_want want = {.name = w->kernel, .grid = {w->blocks, 1, 1},
                                     .block = {w->threads, 1, 1}};
    struct launch_result shown = {.has_counters = w->team.has_counters,
                                  .counters = w->team.counters};
    struct report *r = w->team.report;
    if (report_launch_add(r, &want, &shown) != 0)
        return -1;
    lab_extras(w->team.session, &w->options->lab, &shown, r);
    return 0;
}

static int tell(struct scaling *w)
{
    struct report *r = w->team.report;
    struct slots slots = {.left_out = &r->left_out};
    struct buf head = {0};
    const unsigned shown = w->ranks < ROWS_SHOWN ? w->ranks : ROWS_SHOWN;
    static const char head_text[] = "{work} by {gpus GPU}, strategy {strategy}, n = {n}";
    slots_facts(&slots, facts, w);
    slots_facts(&slots, words, w);
    slots_fill(&head, head_text, sizeof head_text - 1, &slots, NULL);
    say_head(r, w->team.session, buf_text(&head));
    buf_free(&head);
    facts_say_slots(facts, w, &slots, r);
    facts_say_rows(rank_facts, w->team.rank, shown, sizeof w->team.rank[0], 2, r);
    if (w->ranks > shown)
        say_item(r, "", "and %u more ranks", w->ranks - shown);
    if (w->timed)
        facts_say_rows(point_facts, w->point, w->points, sizeof w->point[0], 2, r);
    if (w->options->plot && w->timed && w->gpus > 1)
        draw(w);
    facts_json(facts, w, &r->result);
    facts_json_rows(rank_facts, "ranks", w->team.rank, w->ranks, sizeof w->team.rank[0],
                    &r->result);
    if (w->timed)
        facts_json_rows(point_facts, "points", w->point, w->points, sizeof w->point[0], &r->result);
    if (tell_launch(w) != 0)
        return -1;
    const char *which = (const char *const[]){"one", "cores", "share"}[w->number - 1];
    if (w->options->lab.calls)
        say_calls(r, "scale", which, &slots);
    lab_explain_slots(r, "scale", which, &slots);
    return 0;
}

/* ---- the runs --------------------------------------------------------------------------- */

static double exact_of(const struct scaling *w)
{
    enum { EACH = 45, ELEMENTS = 10 }; /* 0 to 9 */
    const double a = (double)w->a, b = (double)w->b;
    const int64_t rest = w->n % ELEMENTS;
    return w->is_trap ? (b * b * b - a * a * a) / 3 + (b - a)
                      : (double)(w->n / ELEMENTS * (int64_t)EACH + rest * (rest - 1) / 2);
}

/* What takes as long with any number of terms: each rank has one. Ranks on one GPU take turns. */
static int run_fixed(struct scaling *w, double *fixed)
{
    struct scale_run run;
    unsigned terms = 0;
    for (unsigned i = 0; i < w->ranks; i++)
        terms += scale_works(&w->team.rank[i], 1);
    if (scale_share(&w->team, (int)terms, 1, &run) != 0)
        return -1;
    *fixed = 0;
    for (unsigned i = 0; i < w->ranks; i++) {
        const struct scale_rank *k = &w->team.rank[i];
        const double time = k->by_host || !scale_works(k, 1) ? 0 : k->time;
        *fixed = w->modelled ? *fixed + time : time > *fixed ? time : *fixed;
    }
    w->team.fixed_instructions = w->team.rank[0].instructions;
    return 0;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 1;
}

static int run_checked(struct scaling *w, int n, unsigned gpus, struct scale_run *run)
{
    if (scale_share(&w->team, n, gpus, run) != 0)
        return -1;
    return run->verdict != SUM_WRONG
               ? 0
               : report_fail(w->team.report, "with %u GPU%s the sum is outside its bound", gpus,
                             gpus == 1 ? "" : "s");
}

/* The last run is the one with all terms and all GPUs: it stays what is shown. */
static int run_point(struct scaling *w, unsigned gpus, double fixed, struct scale_point *p)
{
    struct scale_run alone, grown, same;
    *p = (struct scale_point){.gpus = gpus, .n = w->n};
    snprintf(p->with, sizeof p->with, "%u GPU%s", gpus, gpus == 1 ? "" : "s");
    p->weak_n = (int)((int64_t)w->n * gpus / w->gpus);
    p->weak_n = p->weak_n ? p->weak_n : 1;
    if (run_checked(w, p->weak_n, 1, &alone) != 0 || run_checked(w, p->weak_n, gpus, &grown) != 0 ||
        run_checked(w, w->n, gpus, &same) != 0)
        return -1;
    if (gpus == 1) {
        w->one = same;
        w->serial = ratio(fixed, same.time);
        w->serial = w->serial < 1 ? w->serial : 1;
    }
    p->strong = ratio(w->one.time, same.time);
    p->weak = ratio(alone.time, grown.time);
    const double share = ratio(fixed, grown.time);
    p->amdahl = law_speedup(AMDAHL, w->serial, gpus);
    p->gustafson = law_speedup(GUSTAFSON, share < 1 ? share : 1, gpus);
    p->efficiency = p->strong / gpus;
    w->all = same;
    return 0;
}

/* By 1, 2, 4 GPUs and so on, and by all. */
static int run_points(struct scaling *w)
{
    double fixed;
    if (run_fixed(w, &fixed) != 0)
        return -1;
    for (unsigned gpus = 1; w->points < POINTS; gpus = 2 * gpus < w->gpus ? 2 * gpus : w->gpus) {
        if (run_point(w, gpus, fixed, &w->point[w->points++]) != 0)
            return -1;
        if (gpus == w->gpus)
            break;
    }
    return 0;
}

/* How long the GPU that waits most waits, and which part the cores could have without that. */
static void note_balance(struct scaling *w)
{
    double gpu_rate = 0, host_rate = 0, gpu_time = 0;
    for (unsigned i = 0; i < w->ranks; i++) {
        const struct scale_rank *k = &w->team.rank[i];
        double *rate = k->by_host ? &host_rate : &gpu_rate;
        *rate += k->time > 0 ? k->count / k->time : 0;
        gpu_time = !k->by_host && k->time > gpu_time ? k->time : gpu_time;
        w->host_ranks += k->by_host;
    }
    w->has_hosts = w->host_ranks > 0;
    w->balanced = gpu_rate + host_rate > 0 ? host_rate / (gpu_rate + host_rate) : 0;
    w->idle = w->all.time > 0 ? 1 - gpu_time / w->all.time : 0;
}

static void note_results(struct scaling *w)
{
    const struct scale_point *last = &w->point[w->points ? w->points - 1 : 0];
    w->exact = exact_of(w);
    w->value = w->is_trap ? (double)(float)w->all.sum : w->all.sum;
    w->error = w->value - w->exact;
    w->bound = w->all.bound;
    w->ok = w->all.verdict != SUM_WRONG;
    w->rounded_away = w->all.verdict == SUM_ROUNDED_AWAY;
    w->verdict = (struct verdict){w->ok && !w->rounded_away, sum_verdict_says(w->all.verdict)};
    w->speedup = last->strong;
    w->amdahl = last->amdahl;
    w->weak = last->weak;
    w->gustafson = last->gustafson;
    w->share = w->team.rank[0].count;
    for (unsigned i = 0; i < w->ranks; i++) {
        struct scale_rank *k = &w->team.rank[i];
        k->modelled = w->modelled;
        k->timed = w->timed && !w->modelled;
        k->instructions_of_sm = (uint64_t)(k->time + 0.5);
        k->ms = k->time * 1e3;
    }
    note_balance(w);
}

/* ---- what was asked for ------------------------------------------------------------------ */

static const char *const tasks[] = {"trap", "sum", NULL};
static const char *const strategies[] = {"1", "2", "3", NULL};

static int choose_gpus(struct scaling *w)
{
    const struct scale_options *o = w->options;
    struct session *s = w->team.session;
    const struct team *team = s->team;
    const unsigned shared = w->number == 1 ? 1 : 2; /* ranks of a GPU */
    const int there = s->device->cards ? s->device->cards->count : SCALE_GPUS;
    unsigned usual = USUAL_GPUS;
    if (team && team->size > 1 && o->ranks_given)
        return report_fail(w->team.report, "mpirun has started %u ranks; --ranks is for one "
                                           "process", team->size);
    if (o->gpus > there)
        return report_fail(w->team.report, "--gpus %d: this computer has %d GPU%s; take --gpus %d, "
                                           "or `set device sim` for simulated ones",
                           o->gpus, there, there == 1 ? "" : "s", there);
    if (session_on_gpu(s))
        usual = (unsigned)there;
    else if (team)
        usual = team->locals >= shared ? team->locals / shared : 1;
    w->team.plan.gpus = o->gpus_given ? (unsigned)o->gpus : usual;
    return 0;
}

static int choose_shape(struct scaling *w)
{
    const struct lab_options *o = &w->options->lab;
    const struct device_props *p = &w->team.session->device->props;
    const struct launch_shape shape = {o->blocks ? (unsigned)o->blocks : w->team.sms,
                                       o->threads ? (unsigned)o->threads : USUAL_THREADS};
    w->team.plan.blocks = w->blocks = shape.blocks;
    w->team.plan.threads = w->threads = shape.threads;
    return shape_fits(shape, w->n, true, p, w->team.report);
}

static int choose(struct scaling *w)
{
    const struct scale_options *o = w->options;
    struct scale_plan *p = &w->team.plan;
    struct session *s = w->team.session;
    static const char *const how[] = {"one for each GPU", "others use cores",
                                      "several share a GPU"};
    static const char *const kernels[] = {"scale_trap", "scale_sum"};
    p->task = strcmp(o->work, "sum") == 0 ? TASK_SUM : TASK_TRAP;
    p->strategy = w->number = (unsigned)(o->strategy[0] - '0');
    p->a = w->a = (float)o->a;
    p->b = w->b = (float)o->b;
    p->host_part = o->host_part_given ? o->host_part : -1;
    w->is_trap = p->task == TASK_TRAP;
    w->work = o->work;
    w->kernel = kernels[p->task];
    w->strategy = how[w->number - 1];
    w->h = (w->b - w->a) / (float)w->n;
    if (!(o->host_part >= 0 && o->host_part <= 1))
        return report_fail(w->team.report, "--host-part is from 0 to 1: 0.01 is one term in a "
                                           "hundred");
    if (o->host_part_given && p->strategy != 2)
        return report_fail(w->team.report, "only in strategy 2 do cores of the host work too; add "
                                           "--strategy 2");
    if (!w->is_trap && (o->a_given || o->b_given))
        return report_fail(w->team.report, "-a and -b are for --work trap");
    if (w->is_trap && !(o->a >= -1e6 && o->a <= 1e6 && o->b >= -1e6 && o->b <= 1e6))
        return report_fail(w->team.report, "-a and -b are from -1e6 to 1e6");
    if (team_started() > 1 && !s->team)
        return report_fail(w->team.report, "mpirun has started %u processes, but this cudalab was "
                                           "built without MPI: `./quickstart --mpi` builds it with "
                                           "it; `scale --gpus %u` needs no MPI",
                           team_started(), team_started());
    return choose_gpus(w) || choose_shape(w) ? -1 : 0;
}

static int run(struct session *s, const void *given, struct report *r)
{
    const struct scale_options *o = given;
    struct scaling w = {.options = o, .n = o->n, .team = {.session = s, .report = r}};
    struct scale_team *t = &w.team;
    t->modelled = w.modelled = !session_on_gpu(s);
    t->sms = (unsigned)s->device->props.multiprocessors;
    t->sms = t->sms ? t->sms : 1;
    w.timed = t->modelled || r->volatile_on;
    w.has_mpi = s->has_mpi;
    w.under_mpi = s->team != NULL;
    int failed = choose(&w);
    if (!failed) {
        const unsigned usual = t->plan.gpus * (w.number == 1 ? 1 : 2);
        failed = scale_open(t, o->ranks_given ? (unsigned)o->ranks : usual);
    }
    w.gpus = t->all_gpus;
    w.ranks = t->ranks;
    w.nodes = t->nodes;
    w.each = w.gpus ? (w.ranks + w.gpus - 1) / w.gpus : 0;
    w.twice = 2 * w.gpus;
    w.shares_gpus = w.number == 3 && w.each > 1;
    if (!failed)
        failed = w.timed ? run_points(&w) : scale_share(t, w.n, w.gpus, &w.all);
    if (!failed && w.timed)
        failed = scale_copy(t, &w.peer);
    if (!failed) {
        note_results(&w);
        failed = tell(&w);
    }
    if (!failed && !w.ok)
        failed = report_fail(r, "the sum is outside its bound");
    scale_close(t);
    return failed || r->status != REPORT_OK ? -1 : 0;
}

static const struct arg_spec options[] = {
    {OPTION(struct scale_options, work), .type = ARG_CHOICE, .choices = tasks, .initial = "trap",
     .help = "the trapezoidal rule, or the sum of an array"},
    {.name = "n", BIND(struct scale_options, n), .value = "N", .type = ARG_INT, .lo = 1,
     .hi = 1 << 28, .initial = "1048576", .help = "trapezoids or elements"},
    {OPTION(struct scale_options, gpus), GIVEN(struct scale_options, gpus), .value = "N",
     .type = ARG_INT, .lo = 1, .hi = SCALE_GPUS,
     .help = "the number of GPUs; if not given, all of a computer, or 4 simulated ones"},
    {OPTION(struct scale_options, strategy), .type = ARG_CHOICE, .choices = strategies,
     .initial = "1",
     .help = "1: a process for each GPU, 2: more, and the others use cores, 3: more that share"},
    {OPTION(struct scale_options, ranks), GIVEN(struct scale_options, ranks), .value = "N",
     .type = ARG_INT, .lo = 1, .hi = SCALE_RANKS,
     .help = "the number of processes; if not given, one or two for each GPU"},
    {.name = "host-part", BIND(struct scale_options, host_part),
     GIVEN(struct scale_options, host_part), .value = "PART", .type = ARG_REAL,
     .help = "strategy 2: the part of the terms for the cores, from 0 to 1; else equal shares"},
    {OPTION(struct scale_options, a), GIVEN(struct scale_options, a), .value = "A",
     .type = ARG_REAL, .initial = "-3", .help = "trap: the start of the interval"},
    {OPTION(struct scale_options, b), GIVEN(struct scale_options, b), .value = "B",
     .type = ARG_REAL, .initial = "3", .help = "trap: the end of the interval"},
    {OPTION(struct scale_options, plot), .help = "draw the speed-ups as curves"},
    {0},
};

static const struct lab lab = {
    .module = "scale",
    .takes = TAKES_BLOCKS | TAKES_THREADS | TAKES_CALLS | TAKES_COUNTERS,
};

const struct command lab_scale = {
    LAB_COMMAND(struct scale_options),
    .name = "scale",
    .summary = "one task that several GPUs share, also with MPI",
    .options = options,
};
