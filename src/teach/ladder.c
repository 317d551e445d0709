/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables that labs share: variants slowest first, a wrong one under several schedules, host
 * calls.
 */
#include "teach/ladder.h"

#include "teach/lab.h"
#include "teach/pen.h"
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

/* ---- the table -------------------------------------------------------------------------- */

/* Its columns; the counts that say least for most labs give way first. */
static int choose_columns(const struct ladder *l, struct table_column columns[TABLE_COLUMNS])
{
    static const char *const times[] = {"median ms", "fastest", "mean"};
    int n = 0, first;
    columns[n++] = (struct table_column){.head = "variant"};
    columns[n++] = (struct table_column){.head = l->value, .right = true};
    columns[n++] = (struct table_column){.head = "error", .right = true, .gives_way = 9};
    first = n;
    for (int k = 0; k < 3 && shows_times(l); k++)
        columns[n++] = (struct table_column){.head = times[k], .right = true};
    for (const struct ladder_column *c = l->columns; c->head && shows_counters(l); c++)
        columns[n++] = (struct table_column){.head = c->head, .right = true};
    for (int k = first + 1; k < n; k++)
        columns[k].gives_way = n - k;
    columns[n++] = (struct table_column){.head = ""};
    return n;
}

static void put_columns(const struct ladder *l, const struct attempt *got, struct table *t)
{
    const double times[] = {got->median_s, got->min_s, got->mean_s};
    for (int k = 0; k < 3 && shows_times(l); k++)
        if (got->median_s > 0)
            table_cell(t, "%.4g", times[k] * 1e3);
        else
            table_cell(t, "-");
    for (const struct ladder_column *c = l->columns; c->head && shows_counters(l); c++)
        if (got->has_counters)
            table_cell(t, "%llu", (unsigned long long)counter_at(&got->counters, c->counter));
        else
            table_cell(t, "-");
}

static void put_ladder_row(const struct ladder *l, const struct row *row, struct table *t)
{
    const struct attempt *got = &row->got;
    table_cell(t, "%s", row->variant->name);
    if (is_closed(row)) {
        while (t->cells % t->count)
            table_cell(t, "%s", "");
        table_note(t, "not run: it needs an instruction that this card lacks");
        return;
    }
    table_cell(t, "%.7g", (double)got->value);
    table_cell(t, "%.0e", got->error);
    put_columns(l, got, t);
    table_cell_in(t, got->ok ? INK_GOOD : INK_BAD, "%s", got->ok ? "ok" : "WRONG");
    if (got->has_predicted)
        table_note(t, "%s; %llu %s predicted", row->variant->summary,
                   (unsigned long long)got->predicted, l->columns[0].head);
    else
        table_note(t, "%s", row->variant->summary);
    if (is_wrong(row))
        table_note(t, "%s; mended by %s", row->note, row->variant->mended_by);
}

/* What a row of the right ones costs: its first count, or its time. */
static bool cost_of(const struct ladder *l, const struct row *row, struct bar *bar,
                    char shown[NUM_TEXT])
{
    const struct attempt *got = &row->got;
    bar->label = row->variant->name;
    bar->shown = shown;
    if (shows_times(l)) {
        bar->value = got->median_s;
        snprintf(shown, NUM_TEXT, "%.4g ms", got->median_s * 1e3);
        return got->median_s > 0;
    }
    if (!got->has_counters || !shows_counters(l))
        return false;
    uint64_t count = counter_at(&got->counters, l->columns[0].counter);
    bar->value = (double)count;
    num_group((int64_t)count, shown);
    return true;
}

/* The right ones again, as bars: what the order of the rows comes from. */
static void say_costs(const struct ladder *l, const struct row *rows, unsigned count)
{
    enum { MOST = 32 };
    struct bar bars[MOST];
    char shown[MOST][NUM_TEXT];
    unsigned n = 0;
    for (unsigned i = 0; i < count && n < MOST; i++)
        n += !is_wrong(&rows[i]) && !is_closed(&rows[i]) &&
             cost_of(l, &rows[i], &bars[n], shown[n]);
    if (n < 2 || l->report->plain) /* the rows have said it */
        return;
    say(l->report, "\n");
    say_in(l->report, INK_HEADING, "%s\n", shows_times(l) ? "median time" : l->columns[0].head);
    say_bars(l->report, bars, n);
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
                        "smaller n, or set a higher limit", v->name);
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
    struct table_column columns[TABLE_COLUMNS];
    struct table table;
    table_begin(&table, columns, choose_columns(l, columns), 0);
    for (unsigned i = 0; i < count; i++) {
        if (is_wrong(&rows[i]) && (i == 0 || !is_wrong(&rows[i - 1])))
            table_heading(&table, "wrong on purpose:");
        put_ladder_row(l, &rows[i], &table);
        put_row(l, &rows[i]);
        if (!odd && !as_documented(&rows[i]))
            odd = &rows[i];
    }
    say_table(l->report, &table);
    say_costs(l, rows, count);
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

static void tell_schedule(const struct ladder *l, const struct schedule *s,
                          const struct attempt *got, struct table *t)
{
    struct json *j = &l->report->result;
    char value[NUM_TEXT];
    table_cell(t, "%s", s->label);
    table_cell(t, "%s", num_f32(got->value, value));
    table_cell(t, "%.1e", got->error);
    if (got->ok)
        table_cell(t, "right, by luck");
    else
        table_cell_in(t, INK_BAD, "%s", got->fault[0] ? got->fault : "WRONG");
    json_object(j, NULL);
    json_text(j, "schedule", s->label);
    json_f32(j, l->value, got->value);
    json_f64(j, "error", got->error);
    json_bool(j, "ok", got->ok);
    json_end_object(j);
}

int ladder_wrong(const struct ladder *l, const struct lab_variant *v, struct schedule *how,
                 struct attempt *what)
{
    const struct table_column columns[] = {{.head = "schedule"},
                                           {.head = l->value, .right = true},
                                           {.head = "error", .right = true, .gives_way = 1},
                                           {.head = ""}};
    unsigned tried = 0, failed = 0;
    bool stopped = false;
    struct table table;
    table_begin(&table, columns, sizeof columns / sizeof columns[0], 2);
    json_array(&l->report->result, "schedules");
    for (const struct schedule *s = schedules_tried(l); s->name; s++, tried++) {
        struct attempt got;
        stopped = try_once(l, v, s, &got) != 0;
        if (stopped)
            break;
        tell_schedule(l, s, &got, &table);
        if (!failed) {
            *how = *s;
            *what = got;
        }
        failed += !got.ok;
    }
    json_end_array(&l->report->result);
    say_table(l->report, &table);
    if (stopped) {
        *how = (struct schedule){0};
        return -1;
    }
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
        say(r, "%3u  ", i);
        say_in(r, INK_COMMAND, "%s\n", text);
        struct buf remark;
        buf_init(&remark);
        buf_printf(&remark, "%s%s%s", calls->moves ? calls->moves : "", calls->moves ? "; " : "",
                   calls->waits);
        pen_tell(r, &remark, 7);
        json_object(&r->result, NULL);
        json_text(&r->result, "call", text);
        if (calls->moves)
            json_text(&r->result, "moves", calls->moves);
        json_text(&r->result, "waits", calls->waits);
        json_end_object(&r->result);
    }
    json_end_array(&r->result);
}
