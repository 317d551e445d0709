/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A variant that is wrong on purpose, alone: what came of it under schedule after schedule, then
 * one failure in full, with what the checkers found in it and the first warp's steps.
 */
#include "labkit/lab.h"
#include "labkit/ladder/ladder.h"

#include <stdio.h>
#include <string.h>

enum { TRACE_STEPS = 12, ROWS = 8 };

/* ---- schedules -------------------------------------------------------------------------- */

/* What several schedules led to, alike. */
struct outcome {
    const struct schedule *first;
    const char *schedule; /* as it is shown */
    struct attempt got;
    unsigned count;
};

struct outcomes {
    struct outcome at[ROWS];
    unsigned count, tried, failed, lucky, found;
    bool each; /* schedules are so few that each has its own row */
    bool same; /* and all led to one and the same */
    char all[32]; /* "all 6 tried" */
    struct buf labels; /* "tried: lockstep, random:1" */
};

/* The facts of an outcome, for JSON and for the table. */
enum { OUTCOME_FACTS = 8 };
static void outcome_facts(const struct lab_run *w, const struct outcomes *o,
                          struct fact out[OUTCOME_FACTS])
{
    unsigned n = 0;
    out[n++] = (struct fact){FACT(struct outcome, schedule), .stays = true,
                             .head = o->each || o->same ? "schedule" : "first under"};
    out[n++] = (struct fact){.name = "runs", FACT_AT(struct outcome, count), .only = FACT_IN_TEXT,
                             .head = o->each ? NULL : "runs", .right = true};
    n += ladder_value_facts(w->ladder, offsetof(struct outcome, got), out + n);
    out[n - 1].gives_way = w->ladder->kind != VALUE_INT;
    out[n++] = (struct fact){.name = "right", FACT_AT(struct outcome, got.right)};
    out[n++] = (struct fact){.name = "ok", FACT_AT(struct outcome, got.ok)};
    out[n++] = (struct fact){.name = "fault", FACT_AT(struct outcome, got.fault), .if_set = true};
    out[n] = (struct fact){.name = NULL};
}

static bool alike(const struct attempt *a, const struct attempt *b)
{
    return a->right == b->right && strcmp(a->fault, b->fault) == 0;
}

static void add_outcome(struct outcomes *o, const struct outcome *one)
{
    const struct attempt *got = &one->got;
    unsigned i = o->each ? o->count : 0;
    o->same = !o->tried || (o->same && alike(&o->at[0].got, got) &&
                            o->at[0].got.value == got->value);
    o->tried++;
    o->failed += !got->ok;
    o->lucky += got->right;
    o->found += got->fault[0] != '\0';
    while (i < o->count && !alike(&o->at[i].got, got))
        i++;
    if (i == o->count && i < ROWS)
        o->at[o->count++] = *one;
    if (i < ROWS)
        o->at[i].count++;
}

static int tell_closed(const struct lab_run *w, const struct lab_variant *v,
                       const struct attempt *got)
{
    const char *why = attempt_closed(got);
    if (got->not_run[0])
        return report_fail(w->report, "%s can't run: %s", v->name, why);
    ladder_try_others(w);
    return report_fault(w->report, got->fault, "%s can't run here: %s", v->name, why);
}

static int try_all(struct lab_run *w, const struct lab_variant *v,
                   const struct schedule *schedules, struct outcomes *o)
{
    struct json *j = &w->report->result;
    struct fact facts[OUTCOME_FACTS];
    unsigned n = 0;
    while (schedules[n].name)
        n++;
    *o = (struct outcomes){.each = n <= ROWS};
    outcome_facts(w, o, facts);
    for (const struct schedule *s = schedules; s->name; s++) {
        struct outcome one = {.first = s, .schedule = s->label};
        if (ladder_try(w, v, s, &one.got))
            return -1;
        if (attempt_closed(&one.got) && !s[1].name && !o->tried)
            return tell_closed(w, v, &one.got);
        if (attempt_closed(&one.got))
            continue;
        add_outcome(o, &one);
        buf_printf(&o->labels, "%s%s", o->labels.len ? ", " : "tried: ", s->label);
        json_object(j, NULL);
        facts_json(facts, &one, j);
        json_end_object(j);
    }
    return 0;
}

static void put_range(const struct lab_run *w, const struct outcomes *o)
{
    struct json *j = &w->report->result;
    json_object(j, "range");
    json_uint(j, "runs", o->tried);
    json_uint(j, "ok", o->tried - o->failed);
    json_uint(j, "right", o->lucky);
    json_end_object(j);
}

static void tell_outcomes(const struct lab_run *w, struct outcomes *o)
{
    struct table_column columns[TABLE_COLUMNS];
    struct fact facts[OUTCOME_FACTS];
    struct table table;
    uint64_t mask;
    outcome_facts(w, o, facts);
    int n = facts_columns(facts, o->at, o->count, sizeof o->at[0], columns, &mask);
    columns[n++] = (struct table_column){.head = ""};
    if (o->same && o->tried > 1) {
        snprintf(o->all, sizeof o->all, "all %u tried", o->tried);
        o->at[0].schedule = o->all;
    }
    table_begin(&table, columns, n, 2);
    for (unsigned i = 0; i < (o->same ? 1 : o->count); i++) {
        const struct attempt *got = &o->at[i].got;
        facts_cells(facts, mask, &o->at[i], w->report, &table);
        table_cell_in(&table, got->ok ? INK_PLAIN : INK_BAD, "%s%s%s",
                      got->right ? "right, by luck" : "WRONG", got->fault[0] ? "; " : "",
                      got->fault);
    }
    say_table(w->report, &table);
    if (o->same && o->tried > 1)
        say_item_text(w->report, "", &o->labels);
}

/* ---- one failure ------------------------------------------------------------------------ */

/* The failure to look at closely: one in which something was found, else any. */
static const struct outcome *worst(const struct outcomes *o)
{
    const struct outcome *any = NULL;
    for (unsigned i = 0; i < o->count; i++) {
        if (o->at[i].first->simulated && o->at[i].got.fault[0])
            return &o->at[i];
        if (!any && !o->at[i].got.ok)
            any = &o->at[i];
    }
    return any ? any : &o->at[0];
}

/* The steps that touch what threads share: memory, other lanes, barriers. */
static bool is_shared_step(const struct trace_step *step)
{
    switch (step->kind) {
    case SIM_CLASS_LOAD:
    case SIM_CLASS_STORE:
        return step->space == SIM_GLOBAL || step->space == SIM_SHARED ||
               step->order == SIM_VOLATILE;
    case SIM_CLASS_ATOMIC:
    case SIM_CLASS_SHUFFLE:
    case SIM_CLASS_BARRIER:
    case SIM_CLASS_ARRIVE: return true;
    default: return false;
    }
}

/* Is the thread in the warp that is traced, the first of block 0? */
static bool in_first_warp(const struct fault_place *p, const struct lab_run *w)
{
    const unsigned *size = w->report->launches[0].block;
    return !p->block[0] && !p->block[1] && !p->block[2] &&
           p->thread[0] + size[0] * (p->thread[1] + size[1] * p->thread[2]) < 32;
}

/* Did the traced warp take part in what went wrong? Where that is not known, it may have. */
static bool warp_takes_part(const struct lab_run *w)
{
    const struct report *r = w->report;
    bool apart = r->fault_count && r->launch_count;
    for (unsigned i = 0; apart && i < r->fault_count; i++) {
        const struct fault *f = &r->faults[i];
        apart = f->has_place && !in_first_warp(&f->at, w) &&
                !(f->has_other && in_first_warp(&f->other, w));
    }
    return !apart;
}

/* What the steps' accesses go to: of those that are no barriers or shuffles. */
static const char *memory_of(const struct trace_step *steps, size_t count)
{
    bool shared = false, global = false;
    for (size_t i = 0; i < count; i++) {
        shared |= steps[i].space == SIM_SHARED;
        global |= steps[i].space == SIM_GLOBAL;
    }
    return shared && global ? "memory" : shared ? "shared memory" : "global memory";
}

static void say_shared_steps(const struct lab_run *w, const struct launch_result *result,
                             const char *schedule)
{
    struct trace_step steps[TRACE_STEPS];
    struct launch_result shown = {.trace = steps};
    for (size_t i = 0; i < result->trace_count && shown.trace_count < TRACE_STEPS; i++)
        if (is_shared_step(&result->trace[i]))
            steps[shown.trace_count++] = result->trace[i];
    if (!shown.trace_count || !warp_takes_part(w))
        return;
    say(w->report, "\n");
    say_item(w->report, "", "block 0, warp 0 under %s: accesses to %s (help schedule)", schedule,
             memory_of(steps, shown.trace_count));
    say_trace(w->report, &shown, TRACE_STEPS);
}

/* One failure again, with what was found in it and the first warp's steps that matter. */
static int say_failure(struct lab_run *w, const struct lab_variant *v,
                       const struct schedule *how)
{
    struct schedule simulated = *how;
    struct launch_result result = {0};
    struct attempt got;
    struct trial t = {.variant = v, .schedule = &simulated, .trace = true, .result = &result};
    simulated.simulated = true;
    w->shown = &simulated;
    int failed = ladder_attempt(w, &t, &got);
    if (!failed && w->report->fault_count) {
        say(w->report, "\n");
        say_faults(w->report);
        say_quotes(w->report, w->session);
    }
    failed = failed || ladder_find(w, v, &got);
    if (!failed && !(w->ladder->show && w->ladder->show(w, v, &result)))
        say_shared_steps(w, &result, simulated.label);
    w->shown = NULL;
    launch_result_free(&result);
    return failed;
}

/* The last word, where errors are said. */
static int sum_up(const struct lab_run *w, const struct lab_variant *v, const struct outcomes *o)
{
    char luck[64] = "";
    struct buf text = {0};
    if (o->lucky)
        snprintf(luck, sizeof luck, "its %s was right in %u of %u schedules, by luck",
                 w->ladder->value, o->lucky, o->tried);
    buf_printf(&text, "%s is wrong on purpose", v->name);
    if (o->lucky && o->found)
        buf_printf(&text, ": %s, and what is wrong was found in %u", luck, o->found);
    else if (o->lucky)
        buf_printf(&text, ": %s", luck);
    else
        buf_printf(&text, ", and failed under %u of %u schedules", o->failed, o->tried);
    w->report->as_meant = true;
    report_remark(w->report, "%s; --variant %s fixes it", buf_text(&text), v->mended_by);
    buf_free(&text);
    return -1;
}

int ladder_wrong(struct lab_run *w, const struct lab_variant *v)
{
    uint64_t room;
    struct outcomes o = {0};
    char expected[NUM_TEXT];
    struct schedule *schedules = ladder_schedules(w, &room);
    if (!schedules)
        return report_fail_limit(w->report, "out of memory");
    int failed = ladder_head(w, v);
    if (!failed) {
        json_array(&w->report->result, "schedules");
        failed = try_all(w, v, schedules, &o);
        json_end_array(&w->report->result);
    }
    if (!failed) {
        const struct outcome *bad = worst(&o);
        const struct attempt *got = &bad->got;
        say_item(w->report, "", "wrong on purpose: %s; %s%s should be %s", v->summary,
                 w->ladder->value[1] ? "the " : "", w->ladder->value,
                 got->expected_words ? got->expected_words
                                     : ladder_value_text(w->ladder, got->expected, expected));
        say(w->report, "\n");
        tell_outcomes(w, &o);
        put_range(w, &o);
        if (!say_failure(w, v, bad->first) && !ladder_json(w, v, got)) {
            sum_up(w, v, &o);
            ladder_explain(w, v->name);
        }
    }
    buf_free(&o.labels);
    mem_free(&allocator_libc, schedules, room);
    return -1;
}
