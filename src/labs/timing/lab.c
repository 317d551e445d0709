/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timing: the same work, timed in four ways. It is run once and checked against the same loop in
 * C. What each clock holds follows from what comes before what, in clocks.c. Only a GPU has
 * seconds.
 */
#include "labs/timing/clocks.h"

#include "labkit/lab.h"
#include "labkit/ladder/ladder.h"

#include <stdio.h>
#include <string.h>

struct timing_options {
    struct lab_options lab;
    int n, rounds;
};

struct timed {
    struct session *session;
    struct report *report;
    const struct timing_options *options;
    const struct lab_variant *variants;
    unsigned blocks, threads;
    struct launch_result result;
};

static uint32_t worked(uint32_t x, int rounds)
{
    for (int k = 0; k < rounds; k++)
        x = (x * UINT32_C(1664525) + UINT32_C(1013904223)) ^ (x >> 15);
    return x;
}

/* Run the kernel once. On a GPU another launch warms up before. */
static int measure(struct timed *w, uint32_t *h)
{
    const size_t bytes = (size_t)w->options->n * sizeof *h;
    const struct lab_launch l = {.module = "timing",
                                 .kernel = "work",
                                 .grid = {w->blocks, 1, 1},
                                 .block = {w->threads, 1, 1},
                                 .trace = w->options->lab.trace};
    struct lab_launch warm = l;
    uint64_t x;
    warm.quiet = true;
    for (int i = 0; i < w->options->n; i++)
        h[i] = (uint32_t)i;
    if (lab_array(w->session, bytes, "x", h, &x, w->report))
        return -1;
    if (session_on_gpu(w->session)) {
        if (lab_launch(w->session, &warm, &w->result, w->report, PARAMS(x, w->options->n, 1)))
            return -1;
        launch_result_free(&w->result);
        if (session_store(w->session, x, h, bytes, w->report))
            return -1;
    }
    return lab_launch(w->session, &l, &w->result, w->report,
                      PARAMS(x, w->options->n, w->options->rounds)) ||
           session_fetch(w->session, h, x, bytes, w->report);
}

static int run_work(struct timed *w)
{
    uint32_t *h = mem_alloc(&allocator_libc, (size_t)w->options->n * sizeof *h);
    if (!h)
        return report_fail_limit(w->report, "out of memory; take a smaller n");
    int failed = measure(w, h);
    for (int i = 0; i < w->options->n && !failed && w->report->status == REPORT_OK; i++)
        if (h[i] != worked((uint32_t)i, w->options->rounds))
            failed = report_fail(w->report, "element %d differs from the loop in C", i);
    mem_free(&allocator_libc, h, (size_t)w->options->n * sizeof *h);
    return failed || w->report->status != REPORT_OK ? -1 : 0;
}

/* ---- what is shown ---------------------------------------------------------------------- */

static bool has_times(const struct timed *w)
{
    return session_on_gpu(w->session) && w->report->volatile_on && w->result.host.wait > 0;
}

/* What is said of one clock. */
struct clock_row {
    const char *variant, *starts, *stops, *counts, *mended_by;
    bool wrong_on_purpose, holds_kernel, holds_launch_call, cpu_time, has_times;
    struct verdict holds;
    const char *holds_call; /* "in part": the first event may come before the launch call ends */
    double seconds, ms;
};

static const struct fact facts[] = {
    {FACT(struct clock_row, variant), .head = "variant"},
    {FACT(struct clock_row, wrong_on_purpose)},
    {FACT(struct clock_row, starts)},
    {FACT(struct clock_row, stops)},
    {FACT(struct clock_row, counts)},
    {FACT(struct clock_row, holds_kernel)},
    {FACT_AT(struct clock_row, holds), .head = "includes the kernel"},
    {FACT(struct clock_row, holds_launch_call)},
    {FACT_AT(struct clock_row, holds_call), .head = "includes the launch"},
    {FACT(struct clock_row, cpu_time)},
    {FACT(struct clock_row, mended_by), .if_set = true},
    {FACT(struct clock_row, seconds), WHEN(struct clock_row, has_times)},
    {FACT_AT(struct clock_row, ms), .format = "%.4g", WHEN(struct clock_row, has_times),
     .head = "ms", .right = true},
    {.name = NULL},
};

static struct clock_row row_of(const struct timed *w, const struct lab_variant *v)
{
    const struct clock_kind *k = clock_named(v->name);
    const bool holds = clock_holds_kernel(k);
    const double seconds = clock_measured(k, &w->result);
    return (struct clock_row){
        v->name, k->starts, k->stops, k->counts, v->mended_by, .wrong_on_purpose = v->mended_by,
        .holds_kernel = holds, .holds_launch_call = clock_holds_call(k), .cpu_time = k->cpu,
        .holds_call = clock_holds_call(k) ? "yes" : "in part",
        .has_times = has_times(w), .seconds = seconds, .ms = seconds * 1e3,
        .holds = {holds && !k->cpu,
                  !holds ? "not for sure" : k->cpu ? "if the host does not sleep" : "yes"}};
}

/* The table, and the same to JSON. */
static void tell_rows(const struct timed *w, const struct lab_variant *one)
{
    struct report *r = w->report;
    struct table_column columns[TABLE_COLUMNS];
    struct clock_row first = row_of(w, w->variants);
    struct table t;
    uint64_t mask;
    table_begin(&t, columns, facts_columns(facts, &first, 1, sizeof first, columns, &mask), 0);
    for (const struct lab_variant *v = w->variants; v->name; v++) {
        const struct clock_row row = row_of(w, v);
        if (one && v != one)
            continue;
        if (v->mended_by && !v[-1].mended_by && !one)
            table_heading(&t, "wrong on purpose:");
        facts_cells(facts, mask, &row, r, &t);
        if (one || r->whole)
            table_note(&t, "from %s to %s: %s%s%s", row.starts, row.stops, row.counts,
                       v->mended_by ? "; fixed by " : "", v->mended_by ? v->mended_by : "");
        if (one) {
            facts_json(facts, &row, &r->result);
            continue;
        }
        json_object(&r->variants, NULL);
        facts_json(facts, &row, &r->variants);
        json_end_object(&r->variants);
    }
    say_table(r, &t);
}

static const struct fact work_facts[] = {
    {FACT(struct timing_options, n), .as = AS_GROUP},
    {FACT(struct timing_options, rounds), .as = AS_GROUP},
    {.name = NULL},
};

static void tell(const struct timed *w, const struct lab_variant *one)
{
    struct report *r = w->report;
    char n[NUM_TEXT], head[120];
    snprintf(head, sizeof head, "work<<<%u, %u>>>(x, n, %d), n = %s", w->blocks, w->threads,
             w->options->rounds, num_group(w->options->n, n));
    say_head(r, w->session, head);
    facts_json(work_facts, w->options, &r->result);
    if (!one)
        json_text(&r->result, "variant", "all");
    tell_rows(w, one);
    json_bool(&r->result, "ok", !one || !one->mended_by);
    say(r, "\n");
    say_clocks(r, one ? clock_named(one->name) : NULL);
    if (!has_times(w))
        say_item(r, "",
                 session_on_gpu(w->session)
                     ? "`set volatile on` shows the times"
                     : "One possible order, which was not measured. Only a GPU can measure times.");
    if (one || r->whole)
        say_item(r, "elsewhere",
                 "by events, three kernels that add up 10,000,000 ones: 0.987, "
                 "0.639, 0.891 ms; by the shell's time, a whole program: 1.079 "
                 "s on the wall, 1.055 of a processor (a course's slides, 2023)");
    lab_extras(w->session, &w->options->lab, &w->result, r);
    lab_explain(r, "timing", one ? one->name : "all", work_facts, w->options);
}

/* Show one clock, or all with NULL. -1: the report says why, also for a clock that is wrong on
 * purpose. */
static int timed_run(struct timed *w, const struct lab_variant *one)
{
    int failed = run_work(w);
    if (!failed)
        tell(w, one);
    launch_result_free(&w->result);
    if (failed)
        return -1;
    w->report->as_meant = one && one->mended_by;
    if (w->report->as_meant)
        return report_fail(w->report,
                           "%s is wrong on purpose: it does not show the time of the kernel; "
                           "--variant %s fixes it",
                           one->name, one->mended_by);
    return 0;
}

/* ---- host calls ------------------------------------------------------------------------- */

/* What the texts of the calls may name. */
static const struct fact launch_facts[] = {
    {FACT(struct timed, blocks)},
    {FACT(struct timed, threads)},
    {.name = NULL},
};

/* --calls */
static int timed_calls(struct timed *w, const struct lab_variant *one)
{
    if (!one)
        return report_fail(w->report, "--calls needs one clock: write timing --variant events "
                                      "--calls, or wall-sync, wall, clock");
    say_head(w->report, w->session, one->name);
    lab_calls(w->report, "timing", one->name, launch_facts, w);
    json_text(&w->report->result, "variant", one->name);
    lab_explain_calls(w->report, "timing", one->name, &(struct slots){0});
    return 0;
}

/* ---- the command ------------------------------------------------------------------------ */

enum { MOST_N = 1 << 22, MOST_ROUNDS = 1 << 20, MOST_WORK = 1 << 30 };

static const struct lab_variant variants[] = {
    {"events", "work", "events in the stream, timed by the device", .tag = 0},
    {"wall-sync", "work", "wall-clock time, read after the host has waited", .tag = 0},
    {"wall", "work", "wall-clock time, read when the launch returns", "wall-sync", NULL, 0},
    {"clock", "work", "clock(): processor time, not wall-clock time", "wall-sync", NULL,
     0},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct timing_options, n), .type = ARG_INT, .lo = 1, .hi = MOST_N, .initial = "1024",
     .help = "the number of threads"},
    {OPTION(struct timing_options, rounds), .value = "R", .type = ARG_INT, .lo = 1,
     .hi = MOST_ROUNDS, .initial = "200", .help = "the rounds of the loop of each thread"},
    {0},
};

static const struct lab lab = {
    .module = "timing",
    .takes = TAKES_VARIANT | TAKES_THREADS | TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS,
    .variants = variants,
    .all_unless_told = true, /* what matters is how they differ */
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct timing_options *o = given;
    struct timed w = {.session = s, .report = r, .options = o, .variants = variants,
                      .threads = o->lab.threads_given ? (unsigned)o->lab.threads : 256};
    const struct lab_variant *one = lab_variant_named(&lab, o->lab.variant); /* NULL for all */
    if ((int64_t)o->n * o->rounds > MOST_WORK)
        return report_fail(r, "%d threads with %d rounds take the host too long to check; for n = "
                              "%d take at most --rounds %d",
                           o->n, o->rounds, o->n, MOST_WORK / o->n);
    w.blocks = ((unsigned)o->n + w.threads - 1) / w.threads;
    return o->lab.calls ? timed_calls(&w, one) : timed_run(&w, one);
}

const struct command lab_timing = {
    LAB_COMMAND(struct timing_options),
    .name = "timing",
    .summary = "the time of the same work, measured in four ways",
    .options = options,
};
