/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables that labs share: variants slowest first, a wrong one under several schedules, host
 * calls.
 */
#include "teach/ladder.h"

#include "teach/lab.h"
#include <stdio.h>
#include <string.h>

static const struct schedule as_set = {NULL, 0, NULL, false};

/* A GPU comes first; a chance that it leaves out is brought about on a simulator. */
static const struct schedule schedules[] = {
    {"lockstep", 0, "this GPU", false},        {"lockstep", 0, "lockstep", true},
    {"random", 1, "random:1", true},           {"random", 2, "random:2", true},
    {"independent", 1, "independent:1", true}, {"independent", 2, "independent:2", true},
    {NULL, 0, NULL, false},
};

static const struct schedule *schedules_tried(const struct ladder *l)
{
    return session_on_gpu(l->session) ? schedules : schedules + 1;
}

/* ---- one row ---------------------------------------------------------------------------- */

struct row {
    const struct lab_variant *variant;
    struct attempt got;
    char note[80]; /* "wrong under random:2", or empty */
};

static bool is_wrong(const struct row *row)
{
    return row->variant->mended_by != NULL;
}

/* The card lacks an instruction that the kernel needs: that is nobody's failure. */
static bool is_closed(const struct row *row)
{
    return strcmp(row->got.fault, "unsupported-instruction") == 0;
}

static bool as_documented(const struct row *row)
{
    return is_closed(row) || row->got.ok != is_wrong(row);
}

static uint64_t counter_at(const struct counters *c, size_t offset)
{
    uint64_t v;
    memcpy(&v, (const char *)c + offset, sizeof v);
    return v;
}

/* A GPU doesn't count; its columns are times, where those are shown. */
enum ladder_shows ladder_shows(const struct ladder *l)
{
    if (!session_on_gpu(l->session) || l->session->counting)
        return LADDER_COUNTERS;
    return l->report->volatile_on ? LADDER_TIMES : LADDER_NEITHER;
}

static bool shows_counters(const struct ladder *l)
{
    return ladder_shows(l) == LADDER_COUNTERS;
}

static bool shows_times(const struct ladder *l)
{
    return ladder_shows(l) == LADDER_TIMES;
}

static void say_columns(const struct ladder *l, const struct attempt *got)
{
    struct report *r = l->report;
    if (shows_times(l) && got->median_s > 0)
        say(r, " %10.4g %10.4g %10.4g", got->median_s * 1e3, got->min_s * 1e3, got->mean_s * 1e3);
    else if (shows_times(l))
        say(r, " %10s %10s %10s", "-", "-", "-");
    for (const struct ladder_column *c = l->columns; c->head && shows_counters(l); c++) {
        if (got->has_counters)
            say(r, " %*llu", c->width, (unsigned long long)counter_at(&got->counters, c->counter));
        else
            say(r, " %*s", c->width, "-");
    }
}

static void say_heads(const struct ladder *l)
{
    say(l->report, "%-13s %9s %6s", "variant", l->value, "error");
    if (shows_times(l))
        say(l->report, " %10s %10s %10s", "median ms", "fastest", "mean");
    for (const struct ladder_column *c = l->columns; c->head && shows_counters(l); c++)
        say(l->report, " %*s", c->width, c->head);
    say(l->report, "\n");
}

static void say_ladder_row(const struct ladder *l, const struct row *row)
{
    struct report *r = l->report;
    const struct attempt *got = &row->got;
    if (is_closed(row)) {
        say(r, "%-13s not run: it needs an instruction that this card lacks\n", row->variant->name);
        return;
    }
    say(r, "%-13s %9.7g %6.0e", row->variant->name, (double)got->value, got->error);
    say_columns(l, got);
    say(r, " %s\n    %s", got->ok ? "ok" : "WRONG", row->variant->summary);
    if (got->has_predicted)
        say(r, "; %llu %s predicted", (unsigned long long)got->predicted, l->columns[0].head);
    say(r, "\n");
    if (is_wrong(row))
        say(r, "    %s; mended by %s\n", row->note, row->variant->mended_by);
}

static void put_row(const struct ladder *l, const struct row *row)
{
    struct json *j = &l->report->variants;
    json_object(j, NULL);
    json_text(j, "variant", row->variant->name);
    json_bool(j, "wrong_on_purpose", is_wrong(row));
    if (is_closed(row)) {
        json_bool(j, "not_run", true);
        json_end_object(j);
        return;
    }
    json_f32(j, l->value, row->got.value);
    json_f64(j, "error", row->got.error);
    json_bool(j, "ok", row->got.ok);
    if (is_wrong(row)) {
        json_text(j, "mended_by", row->variant->mended_by);
        json_text(j, "note", row->note);
    }
    if (row->got.has_predicted)
        json_uint(j, "predicted", row->got.predicted);
    if (row->got.median_s > 0 && l->report->volatile_on) {
        json_object(j, "time");
        json_f64(j, "min_s", row->got.min_s);
        json_f64(j, "median_s", row->got.median_s);
        json_f64(j, "mean_s", row->got.mean_s);
        json_uint(j, "runs", l->session->runs);
        json_end_object(j);
    }
    if (row->got.has_counters) {
        json_object(j, "counters");
        for (const struct counter_name *c = counter_names; c->name; c++)
            json_uint(j, c->name, counter_at(&row->got.counters, c->offset));
        json_end_object(j);
    }
    json_end_object(j);
}

/* ---- all of them ------------------------------------------------------------------------ */

static bool goes_before(const struct row *a, const struct row *b)
{
    if (is_wrong(a) != is_wrong(b))
        return is_wrong(b);
    return !is_wrong(a) && a->got.cost > b->got.cost;
}

/* By insertion: it is stable, and there are a dozen rows. */
static void sort_rows(struct row *rows, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        struct row row = rows[i];
        unsigned at = i;
        for (; at > 0 && goes_before(&row, &rows[at - 1]); at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

static int attempt(const struct ladder *l, const struct lab_variant *v,
                   const struct schedule *how, struct attempt *got)
{
    struct gpu_aside aside;
    if (!how->simulated || !session_on_gpu(l->session))
        return l->attempt(l->self, v, how, got);
    if (session_put_gpu_aside(l->session, &aside, l->report))
        return -1;
    int failed = l->attempt(l->self, v, how, got);
    session_take_gpu_back(l->session, &aside);
    return failed;
}

/* One attempt. A limit that stops it says nothing of the variant, so it stops the command. */
static int try_once(const struct ladder *l, const struct lab_variant *v, const struct schedule *how,
                    struct attempt *got)
{
    if (attempt(l, v, how, got))
        return -1;
    if (strcmp(got->fault, "timeout") != 0)
        return 0;
    return report_fault(l->report, "timeout",
                          "%s came to no end within the step limit or the time limit; take a "
                          "smaller n, or set a higher limit",
                          v->name);
}

/* A right one once, as set; a wrong one until it fails. */
static int try_row(const struct ladder *l, struct row *row, unsigned runs)
{
    l->session->runs = is_wrong(row) ? 0 : runs;
    if (!is_wrong(row))
        return try_once(l, row->variant, &as_set, &row->got);
    snprintf(row->note, sizeof row->note, "right under every schedule tried");
    const struct schedule *first = schedules_tried(l);
    for (const struct schedule *s = first; s->name; s++) {
        if (try_once(l, row->variant, s, &row->got))
            return -1;
        if (row->got.ok)
            continue;
        snprintf(row->note, sizeof row->note, "%s%s %s %s%s",
                 row->got.fault[0] ? row->got.fault : "wrong", row->got.fault[0] ? " fault" : "",
                 s->simulated ? "under" : "on", s->label,
                 s == first ? "" : ", right by luck before that");
        break;
    }
    return 0;
}

static int tell_rows(const struct ladder *l, const struct row *rows, unsigned count)
{
    const struct row *odd = NULL;
    say_heads(l);
    for (unsigned i = 0; i < count; i++) {
        if (is_wrong(&rows[i]) && (i == 0 || !is_wrong(&rows[i - 1])))
            say(l->report, "\nwrong on purpose:\n");
        say_ladder_row(l, &rows[i]);
        put_row(l, &rows[i]);
        if (!odd && !as_documented(&rows[i]))
            odd = &rows[i];
    }
    if (!odd)
        return 0;
    return report_fail(l->report,
                       is_wrong(odd) ? "%s is wrong on purpose, and yet it came out right"
                                     : "%s should be right, and its answer is not",
                       odd->variant->name);
}

int ladder_all(const struct ladder *l)
{
    enum { USUAL_RUNS = 50 }; /* each is timed so often where times are compared */
    unsigned count = 0, runs = l->session->runs ? l->session->runs : USUAL_RUNS;
    while (l->variants[count].name)
        count++;
    struct row *rows = mem_get(&allocator_libc, count * sizeof *rows);
    if (!rows)
        return report_fail(l->report, "out of memory; one --variant at a time needs less");
    int failed = 0;
    for (unsigned i = 0; i < count && !failed; i++) {
        rows[i].variant = &l->variants[i];
        failed = try_row(l, &rows[i], runs);
    }
    l->session->runs = runs;
    sort_rows(rows, failed ? 0 : count);
    if (!failed)
        failed = tell_rows(l, rows, count);
    mem_put(&allocator_libc, rows, count * sizeof *rows);
    return failed;
}

/* ---- a wrong one alone ------------------------------------------------------------------ */

int ladder_wrong(const struct ladder *l, const struct lab_variant *v, struct schedule *how,
                 struct attempt *what)
{
    unsigned tried = 0, failed = 0;
    say(l->report, "  %-15s %12s  %9s\n", "schedule", l->value, "error");
    json_array(&l->report->result, "schedules");
    for (const struct schedule *s = schedules_tried(l); s->name; s++, tried++) {
        struct attempt got;
        char value[NUM_TEXT];
        if (try_once(l, v, s, &got)) {
            *how = (struct schedule){0};
            json_end_array(&l->report->result);
            return -1;
        }
        say(l->report, "  %-15s %12s  %9.1e  %s\n", s->label, num_f32(got.value, value), got.error,
            got.ok         ? "right, by luck"
            : got.fault[0] ? got.fault
                           : "WRONG");
        json_object(&l->report->result, NULL);
        json_text(&l->report->result, "schedule", s->label);
        json_f32(&l->report->result, l->value, got.value);
        json_f64(&l->report->result, "error", got.error);
        json_bool(&l->report->result, "ok", got.ok);
        json_end_object(&l->report->result);
        if (!failed) {
            *how = *s;
            *what = got;
        }
        failed += !got.ok;
    }
    json_end_array(&l->report->result);
    return report_fail(l->report,
                       "%s is wrong on purpose, and failed under %u of %u schedules; --variant %s "
                       "mends it",
                       v->name, failed, tried, v->mended_by);
}

/* ---- calls ------------------------------------------------------------------------------ */

void say_calls(struct report *r, const struct host_call *calls, const char *argument)
{
    json_array(&r->result, "calls");
    for (unsigned i = 1; calls->call; calls++, i++) {
        char text[160];
        const char *slot_at = strstr(calls->call, "%s");
        int before = slot_at ? (int)(slot_at - calls->call) : (int)strlen(calls->call);
        snprintf(text, sizeof text, "%.*s%s%s", before, calls->call, slot_at ? argument : "",
                 slot_at ? slot_at + 2 : "");
        say(r, "%3u  %s\n", i, text);
        say(r, "       %s%s%s\n", calls->moves ? calls->moves : "", calls->moves ? "; " : "",
            calls->waits);
        json_object(&r->result, NULL);
        json_text(&r->result, "call", text);
        if (calls->moves)
            json_text(&r->result, "moves", calls->moves);
        json_text(&r->result, "waits", calls->waits);
        json_end_object(&r->result);
    }
    json_end_array(&r->result);
}
