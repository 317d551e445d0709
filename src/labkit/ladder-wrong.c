/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A variant that is wrong on purpose, alone: what came of it under schedule after schedule, then
 * one failure in full, with what the checkers found in it and the first warp's steps.
 */
#include "labkit/lab.h"
#include "labkit/ladder.h"

#include <stdio.h>
#include <string.h>

enum { TRACE_STEPS = 12, ROWS = 8 };

/* ---- schedules -------------------------------------------------------------------------- */

/* What several schedules led to, alike. */
struct outcome {
    const struct schedule *first;
    struct attempt got;
    unsigned count;
};

struct outcomes {
    struct outcome at[ROWS];
    unsigned count, tried, failed, lucky, found;
    bool each; /* schedules are so few that each has its own row */
    bool same; /* and all led to one and the same */
};

static bool alike(const struct attempt *a, const struct attempt *b)
{
    return a->right == b->right && strcmp(a->fault, b->fault) == 0;
}

static void add_outcome(struct outcomes *o, const struct schedule *s, const struct attempt *got)
{
    unsigned i = o->each ? o->count : 0;
    o->same = !o->tried || (o->same && alike(&o->at[0].got, got) &&
                            o->at[0].got.value == got->value);
    o->tried++;
    o->failed += !attempt_ok(got);
    o->lucky += got->right;
    o->found += got->fault[0] != '\0';
    while (i < o->count && !alike(&o->at[i].got, got))
        i++;
    if (i == o->count && i < ROWS)
        o->at[o->count++] = (struct outcome){.first = s, .got = *got};
    if (i < ROWS)
        o->at[i].count++;
}

static int tell_closed(const struct ladder *l, const struct lab_variant *v,
                       const struct attempt *got)
{
    const char *why = attempt_closed(got);
    if (got->not_run[0])
        return report_fail(l->report, "%s can't run so: %s", v->name, why);
    ladder_try_others(l);
    return report_fault(l->report, got->fault, "%s can't run here: %s", v->name, why);
}

static int try_all(const struct ladder *l, const struct lab_variant *v,
                   const struct schedule *schedules, struct outcomes *o)
{
    unsigned n = 0;
    while (schedules[n].name)
        n++;
    *o = (struct outcomes){.each = n <= ROWS};
    json_array(&l->report->result, "schedules");
    for (const struct schedule *s = schedules; s->name; s++) {
        struct json *j = &l->report->result;
        struct attempt got;
        if (ladder_try(l, v, s, &got))
            return -1;
        if (attempt_closed(&got) && !s[1].name && !o->tried)
            return tell_closed(l, v, &got);
        if (attempt_closed(&got))
            continue;
        add_outcome(o, s, &got);
        json_object(j, NULL);
        json_text(j, "schedule", s->label);
        ladder_put_value(l, j, &got);
        json_bool(j, "right", got.right);
        json_bool(j, "ok", attempt_ok(&got));
        if (got.fault[0])
            json_text(j, "fault", got.fault);
        json_end_object(j);
    }
    return 0;
}

static void put_range(const struct ladder *l, const struct outcomes *o)
{
    struct json *j = &l->report->result;
    json_object(j, "range");
    json_uint(j, "runs", o->tried);
    json_uint(j, "ok", o->tried - o->failed);
    json_uint(j, "right", o->lucky);
    json_end_object(j);
}

static void tell_outcome(const struct ladder *l, const struct outcomes *o,
                         const struct outcome *out, struct table *t)
{
    char value[NUM_TEXT], error[NUM_TEXT], verdict[64];
    const struct attempt *got = &out->got;
    if (o->same && o->tried > 1)
        table_cell(t, "all %u tried", o->tried);
    else
        table_cell(t, "%s", out->first->label);
    if (!o->each)
        table_cell(t, "%u", out->count);
    table_cell(t, "%s", ladder_value_text(l, got->value, value));
    if (ladder_error_head(l))
        table_cell(t, "%s", ladder_error_text(l, got, error));
    snprintf(verdict, sizeof verdict, "%s%s%s", got->right ? "right, by luck" : "WRONG",
             got->fault[0] ? "; " : "", got->fault);
    table_cell_in(t, got->right && !got->fault[0] ? INK_PLAIN : INK_BAD, "%s", verdict);
}

static void tell_outcomes(const struct ladder *l, const struct outcomes *o)
{
    struct table_column columns[5];
    struct table table;
    int n = 0;
    columns[n++] = (struct table_column){.head = o->each || o->same ? "schedule" : "first under"};
    if (!o->each)
        columns[n++] = (struct table_column){.head = "runs", .right = true};
    columns[n++] = (struct table_column){.head = l->value, .right = true};
    if (ladder_error_head(l))
        columns[n++] = (struct table_column){.head = ladder_error_head(l), .right = true,
                                             .gives_way = 1};
    columns[n++] = (struct table_column){.head = ""};
    table_begin(&table, columns, n, 2);
    for (unsigned i = 0; i < (o->same ? 1 : o->count); i++)
        tell_outcome(l, o, &o->at[i], &table);
    say_table(l->report, &table);
}

/* ---- one failure ------------------------------------------------------------------------ */

/* The failure to look at closely: one in which something was found, else any. */
static const struct outcome *worst(const struct outcomes *o)
{
    const struct outcome *any = NULL;
    for (unsigned i = 0; i < o->count; i++) {
        if (o->at[i].first->simulated && o->at[i].got.fault[0])
            return &o->at[i];
        if (!any && !attempt_ok(&o->at[i].got))
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

static void say_shared_steps(const struct ladder *l, const struct launch_result *result,
                             const char *schedule)
{
    struct trace_step steps[TRACE_STEPS];
    struct launch_result shown = {.trace = steps};
    for (size_t i = 0; i < result->trace_count && shown.trace_count < TRACE_STEPS; i++)
        if (is_shared_step(&result->trace[i]))
            steps[shown.trace_count++] = result->trace[i];
    if (!shown.trace_count)
        return;
    say(l->report, "\n");
    say_item(l->report, "", "block 0, warp 0 under %s: its steps on what threads share", schedule);
    say_trace(l->report, &shown, TRACE_STEPS);
}

/* One failure again, with what was found in it and the first warp's steps that matter. */
static int say_failure(const struct ladder *l, const struct lab_variant *v,
                       const struct schedule *how)
{
    struct schedule simulated = *how;
    struct launch_result result = {0};
    struct attempt got;
    struct trial t = {.variant = v, .schedule = &simulated, .trace = true, .result = &result};
    simulated.simulated = true;
    int failed = ladder_attempt(l, &t, &got);
    if (!failed && l->report->fault_count) {
        say(l->report, "\n");
        say_faults(l->report);
        say_quotes(l->report, l->session);
    }
    if (!failed && !(l->show && l->show(l->self, v, &got, &result)))
        say_shared_steps(l, &result, simulated.label);
    launch_result_free(&result);
    return failed;
}

/* The last word, where errors are said. */
static int sum_up(const struct ladder *l, const struct lab_variant *v, const struct outcomes *o)
{
    char luck[64] = "";
    struct buf text;
    buf_init(&text);
    if (o->lucky)
        snprintf(luck, sizeof luck, "its %s was right in %u of %u schedules, by luck", l->value,
                 o->lucky, o->tried);
    buf_printf(&text, "%s is wrong on purpose", v->name);
    if (o->lucky && o->found)
        buf_printf(&text, ": %s, and what is wrong was found in %u", luck, o->found);
    else if (o->lucky)
        buf_printf(&text, ": %s", luck);
    else
        buf_printf(&text, ", and failed under %u of %u schedules", o->failed, o->tried);
    report_remark(l->report, "%s; --variant %s mends it", buf_text(&text), v->mended_by);
    buf_free(&text);
    return -1;
}

int ladder_wrong(const struct ladder *l, const struct lab_variant *v)
{
    size_t room;
    struct outcomes o;
    char expected[NUM_TEXT];
    struct schedule *schedules = ladder_schedules(l, &room);
    if (!schedules)
        return report_fail(l->report, "out of memory");
    int failed = l->head ? l->head(l->self, v) : 0;
    if (!failed) {
        failed = try_all(l, v, schedules, &o);
        json_end_array(&l->report->result);
    }
    if (!failed) {
        const struct outcome *bad = worst(&o);
        say_item(l->report, "", "wrong on purpose: %s; the %s should be %s", v->summary, l->value,
                 bad->got.expected_words ? bad->got.expected_words
                                         : ladder_value_text(l, bad->got.expected, expected));
        say(l->report, "\n");
        tell_outcomes(l, &o);
        put_range(l, &o);
        failed = say_failure(l, v, bad->first);
        if (!failed) {
            if (l->put) /* of the run that has just been shown */
                l->put(l->self, v, &bad->got);
            sum_up(l, v, &o);
            ladder_explain(l, v, &bad->got, v->name);
        }
    }
    mem_put(&allocator_libc, schedules, room);
    return -1;
}

