/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * latency: how long one load takes, from each kind of memory, by a chase in which every load waits
 * for the one before it. A GPU measures it with its clock; the simulator keeps no time and counts
 * the loads. The screen also has what others say, each with machine and year. labs/latency/work.c
 * runs a chase.
 */
#include "labs/latency/work.h"

#include "labkit/lab.h"

#include <stdio.h>
#include <string.h>

struct latency_options {
    struct lab_options lab;
    int steps, bytes, stride; /* 0: the usual */
    int order;                /* which of `orders` */
};

/* ---- what others say -------------------------------------------------------------------- */

/* How many cycles a load takes, as others say; for a register, an operation. */
static const struct claim {
    const char *level, *who, *machine;
    int year;
    const char *says;
    int cycles_low, cycles_high; /* 0: they give none */
} claims[] = {
    {"register", "textbook", "2.1 to 5.2", 2015, "1", 1, 1},
    {"shared", "textbook", "2.1 to 5.2", 2015, "about 10", 10, 10},
    {"global", "textbook", "2.1 to 5.2", 2015, "100 to 1000", 100, 1000},
    {"register", "slides", "Fermi", 2011, "1", 1, 1},
    {"shared", "slides", "Fermi", 2011, "1", 1, 1},
    {"global", "slides", "Fermi", 2011, "slow", 0, 0},
    {"constant", "slides", "Fermi", 2011, "1", 1, 1},
    {"constant-miss", "slides", "Fermi", 2011, "tens to hundreds", 10, 0},
    {"register", "NVIDIA", "2.x", 2012, "22", 22, 22},
    {"register", "NVIDIA", "3.x", 2012, "11", 11, 11},
    {"global", "NVIDIA", "2.x", 2012, "400 to 800", 400, 800},
    {"global", "NVIDIA", "3.x", 2012, "200 to 400", 200, 400},
    {"register", "Jia and others", "V100", 2018, "4", 4, 4},
    {"shared", "Jia and others", "V100", 2018, "19", 19, 19},
    {"l1", "Jia and others", "V100", 2018, "28", 28, 28},
    {"l2", "Jia and others", "V100", 2018, "193", 193, 193},
    {"register", "Jia and others", "T4", 2019, "4", 4, 4},
    {"shared", "Jia and others", "T4", 2019, "19", 19, 19},
    {"l1", "Jia and others", "T4", 2019, "32", 32, 32},
    {"l2", "Jia and others", "T4", 2019, "188", 188, 188},
};
enum { CLAIMS = sizeof claims / sizeof claims[0] };

static const struct fact claim_facts[] = {
    {FACT(struct claim, level)},
    {FACT(struct claim, who), .head = "others say"},
    {FACT(struct claim, machine), .head = "for", .tells = "for %"},
    {FACT(struct claim, year), .head = "year", .right = true, .tells = "in %"},
    {FACT(struct claim, says), .head = "cycles", .right = true, .tells = "% cycles"},
    {FACT(struct claim, cycles_low), .if_set = true},
    {FACT(struct claim, cycles_high), .if_set = true},
    {.name = NULL},
};

static const char *claim_text(const char *level, const char *who, const char *machine)
{
    for (int i = 0; i < CLAIMS; i++) {
        const struct claim *c = &claims[i];
        if (strcmp(c->level, level) == 0 && strcmp(c->who, who) == 0 &&
            (!machine || strcmp(c->machine, machine) == 0))
            return c->says;
    }
    return "-";
}

static void say_claims(const char *level, struct report *r)
{
    struct claim of_level[CLAIMS];
    size_t n = 0;
    for (int i = 0; i < CLAIMS; i++)
        if (strcmp(claims[i].level, level) == 0)
            of_level[n++] = claims[i];
    say(r, "\n");
    facts_say_rows(claim_facts, of_level, n, sizeof of_level[0], 2, r);
    facts_json_rows(claim_facts, "claims", of_level, n, sizeof of_level[0], &r->result);
}

/* ---- one chase -------------------------------------------------------------------------- */

static const struct fact facts[] = {
    {.name = "variant", FACT_AT(struct chase, name), .head = "level"},
    {.name = "ring_bytes", FACT_AT(struct chase, bytes), .as = AS_BYTES},
    {FACT_AT(struct chase, bytes), .as = AS_BYTES, .if_set = true, .head = "ring", .right = true,
     .gives_way = 2},
    {FACT(struct chase, stride)},
    {FACT(struct chase, places), .as = AS_GROUP},
    {.name = "warm_steps", FACT_AT(struct chase, warm), .as = AS_GROUP},
    {FACT(struct chase, steps), .as = AS_GROUP},
    {.name = "loads_predicted", FACT_AT(struct chase, predicted)},
    {FACT(struct chase, loads), .as = AS_GROUP, WHEN(struct chase, has_loads), .head = "loads",
     .right = true, .stays = true, .gives_way = 1},
    {.name = "sectors", FACT_AT(struct chase, result.counters.global_load_sectors),
     WHEN(struct chase, has_loads)},
    {.name = "warp_instructions", FACT_AT(struct chase, result.counters.warp_instructions),
     .as = AS_GROUP, WHEN(struct chase, has_loads)},
    {FACT(struct chase, cycles), WHEN(struct chase, shows_cycles)},
    {FACT(struct chase, cycles_per_step), .format = "%.1f", WHEN(struct chase, shows_cycles),
     .head = "HERE", .right = true},
    {FACT_AT(struct chase, textbook), .head = "textbook", .right = true},
    {FACT_AT(struct chase, slides), .head = "slides", .right = true},
    {FACT_AT(struct chase, v100), .head = "V100", .right = true},
    {FACT_AT(struct chase, t4), .head = "T4", .right = true},
    {.name = "ok", FACT_AT(struct chase, verdict), .head = ""},
    {.label = "ring", FACT_AT(struct chase, ring_note), .if_set = true},
    {.label = "clock", WHEN(struct chase, shows_cycles),
     .says = "{cycles_per_step} cycles per step    {cycles} in all, by the GPU's own clock"},
    {.label = "clock", FACT_AT(struct chase, clock_note), .if_set = true},
    {.label = "check",
     .says = "{ok?right: plain C is at the same place|WRONG: plain C is at another place} after "
             "{warm_steps} + {steps} steps"},
    {.label = "loads", WHEN(struct chase, has_loads),
     .says = "{places?{loads}, as predicted: a step is one|none from any memory}; "
             "{warp_instructions} warp instructions in all"},
    {.name = NULL},
};

static void describe(struct chase *c, const struct session *s)
{
    bool gpu = session_on_gpu(s);
    const char *level = c->variant->name;
    c->name = level;
    if (c->variant->tag == CHASE_GLOBAL && c->bytes < s->device->props.l2_bytes)
        c->ring_note = gpu ? "smaller than L2: the steps may read from L2"
                           : "small, because the simulator has no caches; on a GPU it has 4 times "
                             "the size of L2";
    if (!c->shows_cycles)
        c->clock_note = gpu ? "measured; `set volatile on` shows it"
                            : "none: the simulator counts instructions and measures no time";
    c->cycles_per_step = (double)c->cycles / (double)c->steps;
    c->textbook = claim_text(level, "textbook", NULL);
    c->slides = claim_text(level, "slides", NULL);
    c->v100 = claim_text(level, "Jia and others", "V100");
    c->t4 = claim_text(level, "Jia and others", "T4");
    c->verdict = (struct verdict){c->right, c->right ? "ok" : "WRONG"};
}

static int run_chase(struct chase *c, const struct latency_options *o, const struct lab_variant *v,
                     struct session *s, struct report *r)
{
    *c = (struct chase){
        .variant = v,
        .bytes = (uint64_t)o->bytes,
        .stride = (uint64_t)o->stride,
        .steps = (uint64_t)o->steps,
        .forward = o->order == 1,
        .seed = lab_seed(s, &o->lab),
        .trace = o->lab.trace,
    };
    if (chase_choose(c, s, r) || chase_run(c, s, r) || r->status != REPORT_OK)
        return -1;
    c->shows_cycles = c->cycles >= 0 && r->volatile_on;
    describe(c, s);
    return 0;
}

/* ---- one level -------------------------------------------------------------------------- */

static void say_ring(const struct chase *c, struct session *s, struct report *r)
{
    char line[160], steps[NUM_TEXT], ring[NUM_TEXT];
    num_group((int64_t)c->steps, steps);
    if (c->places)
        snprintf(line, sizeof line, "%s: one thread, %s steps round a ring of %s, %llu bytes apart",
                 c->name, steps, num_bytes(c->bytes, ring), (unsigned long long)c->stride);
    else
        snprintf(line, sizeof line, "%s: one thread, %s multiply-adds in a chain", c->name, steps);
    say_head(r, s, line);
}

static int latency_one(struct session *s, const struct latency_options *o,
                       const struct lab_variant *v, struct report *r)
{
    struct chase c;
    int failed = run_chase(&c, o, v, s, r);
    if (!failed) {
        say_ring(&c, s, r);
        facts_tell(facts, &c, r);
        say_claims(v->name, r);
        lab_extras(s, &o->lab, &c.result, r);
        failed = r->status != REPORT_OK;
    }
    launch_result_free(&c.result);
    if (failed)
        return -1;
    lab_explain(r, "latency", v->name, facts, &c);
    return c.right ? 0
                   : report_fail(r,
                                 "%s: the end of the chase or its loads differ from plain C",
                                 v->name);
}

/* ---- all of them ------------------------------------------------------------------------ */

/* Run one level and write its object. -1: the report says why not. */
static int run_row(struct chase *c, const struct latency_options *o, const struct lab_variant *v,
                   struct session *s, struct report *r)
{
    struct json *j = &r->variants;
    int failed = run_chase(c, o, v, s, r);
    launch_result_free(&c->result);
    if (failed)
        return -1;
    json_object(j, NULL);
    facts_json(facts, c, j);
    json_bool(j, "wrong_on_purpose", false);
    if (c->has_loads)
        report_counters_json(j, &c->result.counters);
    json_end_object(j);
    return 0;
}

static int latency_all(struct session *s, const struct latency_options *o,
                       const struct lab_variant *variants, struct report *r)
{
    const char *legend = "The columns from textbook to T4 show cycles per load, from other "
                         "sources. The textbook describes cards of 2010 to 2015, and the slides "
                         "describe Fermi (about 2011). Jia and others measured a V100 (2018) and "
                         "a T4 (2019).";
    struct latency_options untraced = *o;
    struct chase rows[CHASE_LEVELS];
    size_t n = 0;
    bool ok = true;
    if (o->bytes || o->stride)
        return report_fail(r, "--bytes and --stride need one level; name it, for example "
                              "--variant l2");
    untraced.lab.trace = false;
    say_head(r, s, "a pointer chase through each level, from far to near");
    for (; variants[n].name; n++) {
        if (run_row(&rows[n], &untraced, &variants[n], s, r))
            return -1;
        ok = ok && rows[n].right;
    }
    const struct chase *last = &rows[n - 1];
    facts_say_rows(facts, rows, n, sizeof rows[0], 0, r);
    text_wrap(&r->screen, legend, strlen(legend), r->width, 0);
    json_text(&r->result, "variant", "all");
    json_uint(&r->result, "steps", last->steps);
    facts_json_rows(claim_facts, "claims", claims, CLAIMS, sizeof claims[0], &r->result);
    json_bool(&r->result, "ok", ok);
    lab_explain(r, "latency",
                !session_on_gpu(s) ? "all" : last->shows_cycles ? "all-times" : "all-plain", facts,
                last);
    return ok ? 0
              : report_fail(r, "a chase did not end where plain C ends, or its loads differ from "
                               "the prediction");
}

/* ---- the host's calls ------------------------------------------------------------------- */

static int latency_calls(struct session *s, const struct lab_variant *v, struct report *r)
{
    static const struct fact of_variant[] = {{FACT(struct lab_variant, kernel)}, {.name = NULL}};
    const struct chase none = {.variant = v};
    say_head(r, s, "what the host calls for one chase");
    lab_calls(r, "latency", v->name, of_variant, v);
    json_text(&r->result, "variant", v->name);
    lab_explain(r, "latency", "calls", facts, &none);
    return 0;
}

/* ---- the command ------------------------------------------------------------------------ */

/* From far to near. */
static const struct lab_variant variants[] = {
    {"global", "chase_l2", "on a GPU, a ring larger than L2: each step loads from device memory",
     .tag = CHASE_GLOBAL},
    {"l2", "chase_l2", "a ring that fits into L2, without L1", .tag = CHASE_L2},
    {"constant-miss", "chase_constant", "each step reads a new line of constant memory",
     .tag = CHASE_CONSTANT_MISS},
    {"l1", "chase_l1", "a ring that fits into L1", .tag = CHASE_L1},
    {"constant", "chase_constant", "a ring that fits into the constant cache",
     .tag = CHASE_CONSTANT},
    {"shared", "chase_shared", "a ring in shared memory", .tag = CHASE_SHARED},
    {"register", "chase_register", "no memory: a chain of multiply-adds",
     .tag = CHASE_REGISTER},
    {0},
};

static const char *const orders[] = {"random", "forward", NULL};
static const struct arg_spec options[] = {
    {OPTION(struct latency_options, steps), .type = ARG_INT, .lo = 1, .hi = 1 << 22,
     .help = "the steps that are timed; if not given, 1024, and for constant-miss one for each "
             "place of the ring"},
    {OPTION(struct latency_options, bytes), .type = ARG_INT, .lo = 4, .hi = 1 << 30,
     .help = "the size of the ring, with --variant"},
    {OPTION(struct latency_options, stride), .value = "BYTES", .type = ARG_INT, .lo = 4,
     .hi = 1 << 20, .help = "the distance of two neighbouring places in memory"},
    {OPTION(struct latency_options, order), .type = ARG_CHOICE, .choices = orders,
     .initial = "random", .help = "the order in which the chase visits the places"},
    {0},
};

static const struct lab lab = {
    .module = "latency",
    .takes = TAKES_VARIANT | TAKES_SEED | TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS,
    .variants = variants,
    .all_unless_told = true, /* what matters is how they differ */
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct latency_options *o = given;
    const struct lab_variant *v = lab_variant_named(&lab, o->lab.variant);
    if (o->lab.calls)
        return latency_calls(s, v ? v : variants, r);
    if (!v)
        return latency_all(s, o, variants, r);
    return latency_one(s, o, v, r);
}

const struct command lab_latency = {
    LAB_COMMAND(struct latency_options),
    .name = "latency",
    .summary = "the latency of a load from each memory",
    .options = options,
};
