/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * diverge: lanes of one warp that go different ways, and what that costs. The picture is of one
 * warp: which lanes are busy in each step, which idle. The counts are of the whole kernel. work.c
 * runs and judges it, draw.c draws the steps; the kernels are in kernels/diverge.cu.
 */
#include "labs/diverge/draw.h"
#include "labs/diverge/work.h"

#include "labkit/lab.h"
#include "labkit/shape.h"

#include <stdio.h>

struct diverge_options {
    struct lab_options lab;
    unsigned n, group, ways, rounds, negative, warp;
    bool group_given, ways_given, rounds_given, negative_given;
};

/* A variant's tag: what decides which way a thread goes, and more. */
enum { DIVERGE_KIND = 7, WHOLE_WARPS = 8, IN_ORDER = 16 };

struct diverge_lab {
    struct lab_run run;
    const struct diverge_options *options;
    struct diverge_plan plan;
    struct diverge_data data;
    struct diverge_rule rule;
    const struct lab_variant *of; /* what these are of */
    /* What the facts say: */
    uint64_t active, slots, bytes;
    unsigned drawn; /* the warp that is traced */
    double busy, body;
    bool counted, predicted, sides, loop, ways, returns, elements, grouped;
};

enum { MOST_N = 1 << 22, DEFAULT_THREADS = 128, STEPS_MOST = 256 };

/* ---- the plan of a variant -------------------------------------------------------------- */

static enum diverge_kind kind_of(const struct lab_variant *v)
{
    return (enum diverge_kind)(v->tag & DIVERGE_KIND);
}

static struct diverge_plan plan_of(const struct diverge_lab *m, const struct lab_variant *v)
{
    const struct diverge_options *o = m->options;
    struct diverge_plan p = {.kind = kind_of(v),
                             .n = o->n,
                             .threads = o->lab.threads ? (unsigned)o->lab.threads
                                                       : DEFAULT_THREADS,
                             .group = v->tag & WHOLE_WARPS ? DIVERGE_LANES : o->group,
                             .ways = o->ways,
                             .rounds = o->rounds,
                             .negative = o->negative,
                             .sorted = v->tag & IN_ORDER,
                             .seed = lab_seed(m->run.session, &o->lab)};
    p.blocks = (unsigned)divide_up(p.n, p.threads);
    return p;
}

/* Options that a variant doesn't take are refused, where it is the only one to run. */
static int check_options(const struct diverge_options *o, const struct lab_variant *v,
                         struct report *r)
{
    unsigned threads = o->lab.threads ? (unsigned)o->lab.threads : DEFAULT_THREADS;
    unsigned warps = (threads + DIVERGE_LANES - 1) / DIVERGE_LANES;
    if (o->warp >= warps)
        return report_fail(r, "--warp %u: a block of %u threads has %u warp%s, so it is at most %u",
                           o->warp, threads, warps, warps == 1 ? "" : "s", warps - 1);
    if (!v)
        return 0;
    enum diverge_kind kind = kind_of(v);
    if (o->group_given && (kind != BY_NUMBER || v->tag & WHOLE_WARPS))
        return report_fail(r, "%s has no groups to choose; --variant lane takes --group", v->name);
    if (o->ways_given && kind != IN_SWITCH)
        return report_fail(r, "%s has no switch; --variant switch takes --ways", v->name);
    if (o->rounds_given && kind != IN_LOOP && kind != BY_RETURN)
        return report_fail(r, "%s has no loop; --variant loop takes --rounds", v->name);
    if (o->negative_given && kind != BY_ELEMENT && kind != BY_SELECT && kind != BY_RETURN)
        return report_fail(r, "%s does not branch by the elements; --variant data takes "
                              "--negative", v->name);
    return 0;
}

/* ---- what the facts say ----------------------------------------------------------------- */

static int find(void *self, const struct lab_variant *v)
{
    struct diverge_lab *m = self;
    const struct lab_variant *of = v ? v : m->run.lab->variants;
    const struct counters *c = &m->run.got.counters;
    const struct device_props *props = &m->run.session->device->props;
    if (m->of != of) {
        m->of = NULL;
        m->plan = plan_of(m, of);
        diverge_free(&m->data);
        if (threads_in_block(m->plan.threads, props, m->run.report) ||
            blocks_in_grid(m->plan.blocks, props, m->run.report) ||
            diverge_prepare(&m->plan, &m->data, m->run.session, m->run.report))
            return -1;
        m->rule = diverge_rule(&m->plan, &m->data);
        m->of = of;
    }
    if (v && !v->mended_by && !m->rule.mixed && m->plan.kind != BY_SELECT &&
        m->plan.kind != AT_MEETING && !(v->tag & WHOLE_WARPS))
        m->run.why = "none";
    m->counted = m->run.got.has_counters;
    m->predicted = m->counted && m->rule.has_divergent;
    m->slots = DIVERGE_LANES * c->warp_instructions;
    m->bytes = (uint64_t)m->plan.n * sizeof(float);
    m->active = c->thread_instructions + c->guarded_off;
    m->busy = m->slots ? (double)m->active / (double)m->slots : 0;
    m->body = m->rule.taken ? (double)m->rule.needed / (double)m->rule.taken : 1;
    m->grouped = m->plan.kind == BY_NUMBER;
    m->loop = m->plan.kind == IN_LOOP;
    m->ways = m->plan.kind == IN_SWITCH;
    m->returns = m->plan.kind == BY_RETURN;
    m->elements = m->plan.kind == BY_ELEMENT || m->plan.kind == BY_SELECT || m->returns;
    m->sides = m->plan.kind != BY_SELECT && !m->loop;
    return 0;
}

static void draw_busy(struct report *r, const void *found)
{
    const struct diverge_lab *m = found;
    char busy[24];
    const struct bar bars[] = {{"lanes", 1, "100 %"}, {"busy", m->busy, busy}};
    snprintf(busy, sizeof busy, "%.1f %%", 100 * m->busy);
    say_bars(r, bars, 2);
}

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "n", FACT_AT(struct diverge_lab, plan.n)},
    {.name = "blocks", FACT_AT(struct diverge_lab, plan.blocks)},
    {.name = "threads", FACT_AT(struct diverge_lab, plan.threads)},
    {.name = "group", FACT_AT(struct diverge_lab, plan.group), WHEN(struct diverge_lab, grouped)},
    {.name = "ways", FACT_AT(struct diverge_lab, plan.ways), WHEN(struct diverge_lab, ways)},
    {.name = "negative", FACT_AT(struct diverge_lab, plan.negative),
     WHEN(struct diverge_lab, elements)},
    {.name = "score", FACT_AT(struct diverge_lab, run.got.value), .as = AS_GROUP, .label = "check",
     .says = "{verdict}: {score} of {results} results are the same as in plain C"},
    {.name = "results", FACT_AT(struct diverge_lab, run.got.expected), .as = AS_GROUP},
    {.name = "warps", FACT_AT(struct diverge_lab, rule.warps), .as = AS_GROUP},
    {.name = "mixed_warps", FACT_AT(struct diverge_lab, rule.mixed), .as = AS_GROUP},
    {.label = "warps", WHEN(struct diverge_lab, sides),
     .says = "{mixed_warps} of {warps} with lanes that go different ways"},
    {.label = "warps", WHEN(struct diverge_lab, loop),
     .says = "{mixed_warps} of {warps} with lanes that leave the loop at different times"},
    {.name = "body", FACT_AT(struct diverge_lab, body), .as = AS_PERCENT},
    {.name = "predicted", FACT_AT(struct diverge_lab, rule.divergent),
     WHEN(struct diverge_lab, predicted)},
    {.label = "branches", WHEN(struct diverge_lab, counted),
     .says = "{branches:%.0f}, of them {divergent_branches:%.0f} divergent"
             "{predicted?; the lab predicted {predicted}|}"},
    {.name = "busy", FACT_AT(struct diverge_lab, busy), .as = AS_PERCENT,
     WHEN(struct diverge_lab, counted), .label = "lanes",
     .says = "{busy} % busy: {active} of {slots}, in {warp_instructions} warp instructions of 32 "
             "lanes"},
    {.draw = draw_busy, WHEN(struct diverge_lab, counted)},
    FACT_OK,
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct diverge_lab, active), .as = AS_GROUP},
    {FACT(struct diverge_lab, slots), .as = AS_GROUP},
    {FACT(struct diverge_lab, grouped)},
    {FACT(struct diverge_lab, loop)},
    {FACT(struct diverge_lab, returns)},
    {FACT(struct diverge_lab, elements)},
    {.name = "switches", FACT_AT(struct diverge_lab, ways)},
    {.name = "rounds", FACT_AT(struct diverge_lab, plan.rounds)},
    {.name = "sides", FACT_AT(struct diverge_lab, rule.sides)},
    {.name = "elements_n", FACT_AT(struct diverge_lab, plan.n), .as = AS_GROUP},
    {FACT(struct diverge_lab, bytes)},
    {.name = NULL},
};

/* ---- the picture ------------------------------------------------------------------------ */

/* Which lanes does this warp of the block have? */
static uint32_t lanes_there(const struct diverge_plan *p, unsigned warp)
{
    unsigned left = p->threads - warp * DIVERGE_LANES;
    return left >= DIVERGE_LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
}

/* The variant once more, for the steps of one warp. -1: the report says why not. */
static int show_warp(struct diverge_lab *m, const struct lab_variant *v, unsigned warp)
{
    static const struct schedule together = {"lockstep", 0, "lockstep", true};
    struct launch_result result = {0};
    struct attempt got;
    struct lane_step steps[STEPS_MOST];
    struct report *r = m->run.report;
    struct trial t = {
        .variant = v, .schedule = &together, .trace = true, .quiet = true, .result = &result};
    m->drawn = warp;
    int failed = ladder_attempt(&m->run, &t, &got);
    unsigned count = failed ? 0 : steps_of(&result, steps, STEPS_MOST);
    count = count < STEPS_MOST ? count : STEPS_MOST;
    if (count) {
        say(r, "\n");
        say_heading(r, r->plain ? "Warp %u of block 0, step by step."
                                : "warp %u of block 0: # is a busy lane, a dot is an idle lane",
                    warp);
        steps_draw(steps, count, lanes_there(&m->plan, warp), m->run.session, r);
        json_object(&r->result, NULL);
        json_uint(&r->result, "warp", warp);
        steps_put(steps, count, &r->result);
        json_end_object(&r->result);
    }
    launch_result_free(&result);
    return failed;
}

/* Where whole warps go different ways, the next one is shown as well. */
static bool show(void *self, const struct lab_variant *v, const struct launch_result *ignored)
{
    struct diverge_lab *m = self;
    unsigned warp = m->options->warp;
    (void)ignored;
    if (v->mended_by)
        return false;
    say_together(m->run.report, m->run.session);
    json_array(&m->run.report->result, "drawn");
    if (!show_warp(m, v, warp) && v->tag & WHOLE_WARPS &&
        (warp + 1) * DIVERGE_LANES < m->plan.threads)
        show_warp(m, v, warp + 1);
    json_end_array(&m->run.report->result);
    m->drawn = warp;
    return true;
}

/* ---- the ladder ------------------------------------------------------------------------- */

static int attempt(void *self, const struct trial *how, struct attempt *got)
{
    struct diverge_lab *m = self;
    return diverge_run(how, &m->plan, &m->data, &m->rule, m->drawn, got);
}

static const struct ladder_column columns[] = {
    {"warp instr", offsetof(struct counters, warp_instructions)},
    {"divergent", offsetof(struct counters, divergent_branches)},
    {"branches", offsetof(struct counters, branches)},
    {"lane instr", offsetof(struct counters, thread_instructions)},
    {NULL, 0},
};

static const struct ladder ladder = {
    .value = "score",
    .kind = VALUE_INT,
    .order = "most warp instructions first; the loops of `loop` and `return` are work of their own",
    .columns = columns,
    .head = "{variant}: {blocks} x {threads} threads, {elements_n} elements"
            "{grouped?, {group thread} on the same side|}{switches?, {ways way}|}"
            "{loop?, at most {rounds round}|}{returns?, {rounds round}|}"
            "{elements?, {negative} % negative|}",
    .head_of_all = "lanes that take different ways: {elements_n} elements",
    .beside_head = "busy",
    .beside = "{busy} %",
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
    .show = show,
};

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"data", "diverge_data", "if and else, by the elements", .tag = BY_ELEMENT},
    {"sorted", "diverge_data", "the same, and the elements are sorted",
     .tag = BY_ELEMENT | IN_ORDER},
    {"lane", "diverge_lane", "if and else, by the number of the thread", .tag = BY_NUMBER},
    {"warp", "diverge_lane", "the same, and whole warps take the same side",
     .tag = BY_NUMBER | WHOLE_WARPS},
    {"select", "diverge_select", "both values in each lane, and no branch", .tag = BY_SELECT},
    {"loop", "diverge_loop", "a loop of different length in each lane", .tag = IN_LOOP},
    {"switch", "diverge_switch", "a switch with several ways", .tag = IN_SWITCH},
    {"return", "diverge_return", "some lanes return, the others have a loop", .tag = BY_RETURN},
    {"meet", "diverge_meet", "after the branch, lanes exchange values", .tag = AT_MEETING},
    {"nosync", "diverge_nosync", "meet without its __syncwarp()", "meet",
     "race-shared uninitialized", AT_MEETING},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct diverge_options, n), .value = "N", .type = ARG_INT, .lo = 1, .hi = MOST_N,
     .initial = "256", .help = "the number of elements, one per thread"},
    {OPTION(struct diverge_options, negative), GIVEN(struct diverge_options, negative),
     .value = "PERCENT", .type = ARG_INT, .lo = 0, .hi = 100, .initial = "50",
     .help = "how many of a hundred elements are negative (data, sorted, select, return)"},
    {OPTION(struct diverge_options, group), GIVEN(struct diverge_options, group), .type = ARG_INT,
     .lo = 1, .hi = 1024, .initial = "1",
     .help = "the number of neighbouring threads that take the same side (lane)"},
    {OPTION(struct diverge_options, ways), GIVEN(struct diverge_options, ways), .type = ARG_INT,
     .lo = 1, .hi = DIVERGE_WAYS, .initial = "4", .help = "the ways of the switch (switch)"},
    {OPTION(struct diverge_options, rounds), GIVEN(struct diverge_options, rounds),
     .type = ARG_INT, .lo = 1, .hi = 1000, .initial = "6",
     .help = "the rounds of the loop (return), or the most that a lane can have (loop)"},
    {OPTION(struct diverge_options, warp), .type = ARG_INT, .lo = 0, .hi = 31, .initial = "0",
     .help = "the warp of block 0 that is drawn"},
    {0},
};

static const struct lab lab = {
    .module = "diverge",
    .takes = TAKES_LADDER | TAKES_THREADS | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct diverge_options *o = given;
    struct diverge_lab m = {.run = {s, r, &o->lab, &lab}, .options = o, .drawn = o->warp};
    if (check_options(o, lab_variant_named(&lab, o->lab.variant), r))
        return -1;
    int failed = ladder_run(&ladder, &m.run);
    diverge_free(&m.data);
    return failed;
}

const struct command lab_diverge = {
    LAB_COMMAND(struct diverge_options),
    .name = "diverge",
    .summary = "divergence: lanes of a warp that take different branches",
    .options = options,
};
