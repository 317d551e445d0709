/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throughput: how many results of each kind of arithmetic a multiprocessor gives a clock. The
 * guide's table (labs/throughput/rates.c) says what it could do. The kernels of
 * kernels/throughput.cu do it, run by labs/throughput/work.c, and a GPU's clock tells how near they
 * came; the simulator counts what it took.
 */
#include "labs/throughput/work.h"

#include "labkit/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct throughput_options {
    struct lab_options lab;
    int steps;
    const char *function;
    bool table;
};

enum { MOST_ROWS = 12 };

/* ---- pieces ----------------------------------------------------------------------------- */

static void put_turn(struct json *j, const void *found)
{
    const struct pace *p = found;
    json_object(j, "turn");
    for (unsigned i = 0; i < p->kind_count; i++)
        json_uint(j, p->kinds[i].name, p->kinds[i].count);
    json_end_object(j);
}

static const struct fact facts[] = {
    {.name = "variant", FACT_AT(struct pace, name), .head = "kind"},
    {FACT(struct pace, function), WHEN(struct pace, special)},
    {FACT(struct pace, threads)},
    {FACT(struct pace, steps)},
    {FACT(struct pace, chains)},
    {FACT(struct pace, results), .as = AS_GROUP, .head = "results", .right = true},
    {.put = put_turn, FACT_AT(struct pace, turn), .head = "per pass", .right = true,
     .gives_way = 1},
    {.name = "warp_instructions", FACT_AT(struct pace, result.counters.warp_instructions),
     WHEN(struct pace, result.has_counters)},
    {.name = "table_results_per_clock", FACT_AT(struct pace, rate), WHEN(struct pace, has_rate)},
    {.name = "rate", FACT_AT(struct pace, rate_text), .only = FACT_IN_TEXT, .head = "table",
     .right = true},
    {.name = "table", FACT_AT(struct pace, source), WHEN(struct pace, has_rate)},
    {FACT(struct pace, least_clocks), .as = AS_GROUP, .if_set = true, .head = "least clocks",
     .right = true, .stays = true},
    {FACT(struct pace, clocks), .as = AS_GROUP, WHEN(struct pace, shows_clocks)},
    {FACT(struct pace, results_per_clock), .format = "%.1f", WHEN(struct pace, shows_clocks),
     .head = "HERE", .right = true},
    {.name = "ok", FACT_AT(struct pace, verdict), .head = ""},
    {FACT(struct pace, source), .only = FACT_IN_TEXT},
    {FACT(struct pace, capability), .only = FACT_IN_TEXT},
    {FACT(struct pace, f32), .only = FACT_IN_TEXT},
    {FACT(struct pace, f64), .only = FACT_IN_TEXT},
    {FACT(struct pace, functions), .only = FACT_IN_TEXT},
    {FACT(struct pace, times_double), .only = FACT_IN_TEXT},
    {FACT(struct pace, times_special), .only = FACT_IN_TEXT},
    {.label = "results", .says = "{results}    {ok?right: all are the same as in plain C|WRONG}"},
    {.label = "one round", FACT_AT(struct pace, turn_text)},
    {.label = "table",
     .says = "{least_clocks?{rate} results a clock and SM on {capability}: at least {least_clocks} "
             "clocks|{rate} for {capability}}    ({source})"},
    {.label = "clock", WHEN(struct pace, shows_clocks),
     .says = "{clocks} clocks here: {results_per_clock} results each, on one SM"},
    {.label = "clock", FACT_AT(struct pace, clock_note), .if_set = true},
    {.name = NULL},
};

/* Halves are refused before they are tried: some cards have no kernel of them. */
static bool has_halves(const struct session *s)
{
    return rate_of(&s->device->props, RATE_F16) != RATE_NONE;
}

static int run_pace(struct pace *p, const struct throughput_options *o, const struct lab_variant *v,
                    struct session *s, struct report *r)
{
    *p = (struct pace){.variant = v,
                       .function = o->function,
                       .threads = o->lab.threads_given ? (unsigned)o->lab.threads : 1024,
                       .steps = (unsigned)o->steps,
                       .trace = o->lab.trace};
    if (pace_run(p, s, r) || r->status != REPORT_OK || pace_look_inside(p, s, r))
        return -1;
    pace_describe(p, &s->device->props, r);
    return 0;
}

/* The card of the session, for texts that are about no variant. */
static struct pace of_card(const struct session *s, const struct report *r)
{
    struct pace p = {.variant = NULL};
    pace_describe(&p, &s->device->props, r);
    return p;
}

/* ---- one kind --------------------------------------------------------------------------- */

static void put_turn_text(const struct pace *p, struct buf *text)
{
    for (unsigned i = 0; i < p->kind_count; i++)
        buf_printf(text, "%s%u %s", i ? ", " : "", p->kinds[i].count, p->kinds[i].name);
    buf_printf(text, "    %d steps of %d chains", PACE_UNROLL, PACE_CHAINS);
}

static void say_pace(struct pace *p, struct session *s, struct report *r)
{
    char line[160], steps[NUM_TEXT];
    struct buf turn = {0};
    put_turn_text(p, &turn);
    p->turn_text = buf_text(&turn);
    snprintf(line, sizeof line, "%s%s%s: a block of %u threads, %d chains of %s steps in each",
             p->name, p->special ? " " : "", p->special ? p->function : "", p->threads,
             PACE_CHAINS, num_group(p->steps, steps));
    say_head(r, s, line);
    facts_tell(facts, p, r);
    buf_free(&turn);
}

static int pace_one(struct session *s, const struct throughput_options *o,
                    const struct lab_variant *v, struct report *r)
{
    struct pace p;
    if ((v->tag & PACE_KIND) == RATE_F16 && !has_halves(s))
        return report_fail(r, "f16: this card has no arithmetic on halves, which came with 5.3; "
                              "f32 runs everywhere");
    if (o->steps % PACE_UNROLL)
        return report_fail(r,
                           "--steps %d: the loop takes %d at a time, so it must be a multiple "
                           "of %d, for example %d",
                           o->steps, PACE_UNROLL, PACE_UNROLL,
                           (o->steps / PACE_UNROLL + 1) * PACE_UNROLL);
    int failed = run_pace(&p, o, v, s, r);
    if (!failed) {
        say_pace(&p, s, r);
        lab_extras(s, &o->lab, &p.result, r);
    }
    failed = failed || r->status != REPORT_OK;
    launch_result_free(&p.result);
    if (failed)
        return -1;
    lab_explain(r, "throughput", v->name, facts, &p);
    return p.right ? 0 : report_fail(r, "%s: its results differ from plain C", v->name);
}

/* ---- all of them ------------------------------------------------------------------------ */

/* Does `a` take more clocks a result, as far as the table has both? */
static bool goes_before(const struct pace *a, const struct pace *b)
{
    uint64_t x = a->least_clocks, y = b->least_clocks;
    if (x && y)
        x = x * b->results, y = y * a->results;
    return x > y;
}

static void add_sorted(struct pace *rows, unsigned count, const struct pace *p)
{
    unsigned at = count;
    for (; at > 0 && goes_before(p, &rows[at - 1]); at--)
        rows[at] = rows[at - 1];
    rows[at] = *p;
}

static void put_variant(const struct pace *p, struct json *j)
{
    json_object(j, NULL);
    facts_json(facts, p, j);
    json_bool(j, "wrong_on_purpose", false);
    if (p->result.has_counters)
        report_counters_json(j, &p->result.counters);
    json_end_object(j);
}

static void say_rates_as_bars(const struct pace *rows, unsigned count, bool clocks,
                              struct report *r)
{
    struct bar bars[MOST_ROWS];
    char shown[MOST_ROWS][NUM_TEXT];
    for (unsigned i = 0; i < count; i++) {
        const struct pace *p = &rows[i];
        bars[i] = (struct bar){p->name, clocks ? p->results_per_clock : p->rate, shown[i]};
        if (clocks)
            snprintf(shown[i], NUM_TEXT, "%.1f", p->results_per_clock);
        else
            rate_text(p->rate, shown[i]);
    }
    say(r, "\n");
    say_heading(r, "results a clock and SM, %s", clocks ? "here" : "by the table");
    say_bars(r, bars, count);
}

static void say_rows(const struct pace *rows, unsigned count, struct report *r)
{
    struct table_column columns[TABLE_COLUMNS];
    struct table t;
    uint64_t mask;
    table_begin(&t, columns, facts_columns(facts, rows, count, sizeof rows[0], columns, &mask), 0);
    for (unsigned i = 0; i < count; i++) {
        facts_cells(facts, mask, &rows[i], r, &t);
        if (r->whole)
            table_note(&t, "%s", rows[i].variant->summary);
        put_variant(&rows[i], &r->variants);
    }
    say_table(r, &t);
    if (r->whole && !r->plain)
        say_rates_as_bars(rows, count, rows[0].shows_clocks, r);
}

/* The caller allocates `rows`, which are too large for the stack. */
static int all_rows(struct pace *rows, struct session *s, const struct throughput_options *o,
                    const struct lab_variant *variants, struct report *r)
{
    struct throughput_options untraced = *o;
    struct pace p = {.variant = NULL};
    unsigned count = 0;
    bool ok = true;
    untraced.lab.trace = false;
    if (o->steps % PACE_UNROLL)
        return report_fail(r,
                           "--steps: the loop takes %d at a time, so it must be a multiple of %d",
                           PACE_UNROLL, PACE_UNROLL);
    for (const struct lab_variant *v = variants; v->name; v++) {
        if ((v->tag & PACE_KIND) == RATE_F16 && !has_halves(s))
            continue;
        int failed = run_pace(&p, &untraced, v, s, r);
        launch_result_free(&p.result); /* its counters stay */
        if (failed)
            return -1;
        ok = ok && p.right;
        add_sorted(rows, count++, &p);
    }
    say_head(r, s, "each kind of arithmetic, by one block on one SM");
    say_item(r, "", "sorted by results per clock (%s)", p.source);
    if (!has_halves(s))
        say_item(r, "", "f16 is left out: arithmetic on halves came with 5.3");
    say(r, "\n");
    say_rows(rows, count, r);
    json_text(&r->result, "variant", "all");
    if (pace_ratio(&s->device->props, RATE_F32, RATE_F64))
        json_int(&r->result, "table_floats_per_double",
                 pace_ratio(&s->device->props, RATE_F32, RATE_F64));
    json_bool(&r->result, "ok", ok);
    lab_explain(r, "throughput", "all", facts, &p);
    return ok ? 0 : report_fail(r, "the results of a kind differ from plain C");
}

static int pace_all(struct session *s, const struct throughput_options *o,
                    const struct lab_variant *variants, struct report *r)
{
    struct pace *rows = calloc(MOST_ROWS, sizeof *rows);
    int rc = rows ? all_rows(rows, s, o, variants, r) : report_fail_limit(r, "out of memory");
    free(rows);
    return rc;
}

/* ---- the guides' table, and the calls --------------------------------------------------- */

static int pace_table(struct session *s, struct report *r)
{
    const struct pace card = of_card(s, r);
    say_head(r, s, "results a clock and SM, by NVIDIA's programming guides");
    say_rates(r, &s->device->props);
    lab_explain(r, "throughput", "table", facts, &card);
    return 0;
}

static int pace_calls(struct session *s, const struct lab_variant *v, struct report *r)
{
    static const struct fact of_variant[] = {{FACT(struct lab_variant, kernel)}, {.name = NULL}};
    const struct pace card = of_card(s, r);
    say_head(r, s, "what the host calls for one kind");
    lab_calls(r, "throughput", v->name, of_variant, v);
    json_text(&r->result, "variant", v->name);
    lab_explain(r, "throughput", "calls", facts, &card);
    return 0;
}

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"f32", "run_f32", "float multiply-adds", .tag = RATE_F32},
    {"f64", "run_f64", "double multiply-adds", .tag = RATE_F64},
    {"promoted", "run_promoted", "float, with 0.7 in place of 0.7f: the sums are computed in "
                                 "double",
     .tag = RATE_F32 | PACE_PROMOTED},
    {"f16", "run_f16", "half multiply-adds, two per instruction", .tag = RATE_F16},
    {"int-add", "run_int_add", "additions of 32-bit integers", .tag = RATE_INT_ADD},
    {"int-mul", "run_int_mul", "multiply-adds of 32-bit integers", .tag = RATE_INT_MUL},
    {"special", "run_rcp", "a special function, chosen by --function", .tag = RATE_SPECIAL},
    {0},
};

static const char *const functions[] = {"rcp", "rsqrt", "lg2", "ex2", "sin", "cos", NULL};
static const struct arg_spec options[] = {
    {OPTION(struct throughput_options, steps), .type = ARG_INT, .lo = 32, .hi = 16384,
     .initial = "1024", .help = "the number of steps of each chain, a multiple of 8"},
    {OPTION(struct throughput_options, function), .type = ARG_CHOICE, .choices = functions,
     .initial = "rcp", .help = "the special function"},
    {OPTION(struct throughput_options, table), .help = "show the numbers of NVIDIA's guides for "
                                                       "all cards"},
    {0},
};

static const struct lab lab = {
    .module = "throughput",
    .takes = TAKES_VARIANT | TAKES_THREADS | TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS,
    .variants = variants,
    .all_unless_told = true, /* what matters is how they differ */
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct throughput_options *o = given;
    const struct lab_variant *v = lab_variant_named(&lab, o->lab.variant);
    if (o->table)
        return pace_table(s, r);
    if (o->lab.calls)
        return pace_calls(s, v ? v : variants, r);
    if (!v)
        return pace_all(s, o, variants, r);
    return pace_one(s, o, v, r);
}

const struct command lab_throughput = {
    LAB_COMMAND(struct throughput_options),
    .name = "throughput",
    .summary = "results per clock cycle for each kind of arithmetic",
    .options = options,
};
