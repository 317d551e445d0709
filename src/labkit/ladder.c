/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of `--variant all`: the right ones slowest first, each with what was counted, then
 * the wrong ones with the schedule that gave them away.
 */
#include "labkit/ladder.h"

#include "labkit/lab.h"
#include "screen/pen.h"
#include <stdio.h>
#include <string.h>

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

static bool is_closed(const struct row *row)
{
    return attempt_closed(&row->got) != NULL;
}

static bool as_documented(const struct row *row)
{
    if (is_closed(row))
        return true;
    return is_wrong(row) ? ladder_fails_so(row->variant, &row->got) : attempt_ok(&row->got);
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
    if (l->beside)
        columns[n++] = (struct table_column){.head = l->beside_head, .right = true};
    columns[n++] = (struct table_column){.head = l->value, .right = true};
    if (ladder_error_head(l))
        columns[n++] = (struct table_column){.head = ladder_error_head(l), .right = true,
                                             .gives_way = 9};
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

static void put_beside(const struct ladder *l, const struct lab_variant *v, struct table *t)
{
    char text[NUM_TEXT];
    if (l->beside)
        table_cell(t, "%s", l->beside(l->self, v, text));
}

static void put_ladder_row(const struct ladder *l, const struct row *row, struct table *t)
{
    const struct attempt *got = &row->got;
    char value[NUM_TEXT];
    table_cell(t, "%s", row->variant->name);
    put_beside(l, row->variant, t);
    if (is_closed(row)) {
        while (t->cells % t->count)
            table_cell(t, "%s", "");
        table_note(t, "not run: %s", attempt_closed(&row->got));
        return;
    }
    if (l->kind == VALUE_INT || l->kind == VALUE_ARRAY || num_whole(got->value))
        table_cell(t, "%s", ladder_value_text(l, got->value, value));
    else
        table_cell(t, "%.7g", got->value);
    if (l->kind != VALUE_INT)
        table_cell(t, "%s", ladder_error_text(l, got, value));
    put_columns(l, got, t);
    table_cell_in(t, attempt_ok(got) && !got->rounded_away ? INK_GOOD : INK_BAD, "%s",
                  !got->right ? "WRONG" : !attempt_ok(got) ? "LUCK" :
                  got->rounded_away ? "rounded away" : "ok");
    if (got->has_predicted)
        table_note(t, "%s; predicted %s: %s", row->variant->summary, l->columns[0].head,
                   num_group((int64_t)got->predicted, value));
    else
        table_note(t, "%s", row->variant->summary);
    if (got->untimed && got->median_s > 0 && ladder_shows(l) == LADDER_TIMES)
        table_note(t, "not timed: %s", got->untimed);
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
    unsigned n = 0, differ = 0;
    for (unsigned i = 0; i < count && n < MOST; i++) {
        if (is_wrong(&rows[i]) || is_closed(&rows[i]) || !cost_of(l, &rows[i], &bars[n], shown[n]))
            continue;
        differ += bars[n].value < bars[0].value || bars[n].value > bars[0].value;
        n++;
    }
    if (!differ || l->report->plain) /* the rows have said it */
        return;
    say(l->report, "\n");
    say_heading(l->report, "%s", shows_times(l) ? "median time" : l->columns[0].head);
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
        json_text(j, "why", attempt_closed(&row->got));
        json_end_object(j);
        return;
    }
    ladder_put_value(l, j, &row->got);
    attempt_put_ok(&row->got, j);
    if (row->got.fault[0])
        json_text(j, "fault", row->got.fault);
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
    if (row->got.has_counters)
        report_counters_json(j, &row->got.counters);
    json_end_object(j);
}

/* ---- all of them ------------------------------------------------------------------------ */

/* What didn't run comes after all that is right. Times count where they are shown: the order would
 * tell of them else. */
static bool goes_before(const struct ladder *l, const struct row *a, const struct row *b)
{
    if (is_wrong(a) != is_wrong(b))
        return is_wrong(b);
    if (is_closed(a) != is_closed(b))
        return is_closed(b);
    if (ladder_shows(l) == LADDER_TIMES && a->got.median_s > 0 && b->got.median_s > 0)
        return !is_wrong(a) && a->got.median_s > b->got.median_s;
    return !is_wrong(a) && a->got.cost > b->got.cost;
}

/* By insertion: it is stable, and there are a dozen rows. */
static void sort_rows(const struct ladder *l, struct row *rows, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        struct row row = rows[i];
        unsigned at = i;
        for (; at > 0 && goes_before(l, &row, &rows[at - 1]); at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

/* A right one once, as set; a wrong one until it fails. */
static int try_row(const struct ladder *l, struct row *row, const struct schedule *tries,
                   unsigned runs)
{
    static const struct schedule as_set = {.name = NULL};
    bool lucky = false;
    l->session->runs = is_wrong(row) ? 0 : runs;
    if (!is_wrong(row))
        return ladder_try(l, row->variant, &as_set, &row->got);
    snprintf(row->note, sizeof row->note, "right under every schedule tried");
    for (const struct schedule *s = tries; s->name; s++) {
        if (ladder_try(l, row->variant, s, &row->got))
            return -1;
        lucky |= attempt_ok(&row->got) && !row->got.not_run[0];
        if (row->got.not_run[0] || attempt_ok(&row->got))
            continue;
        snprintf(row->note, sizeof row->note, "%s%s %s %s%s",
                 row->got.fault[0] ? row->got.fault : "wrong", row->got.fault[0] ? " fault" : "",
                 s->simulated ? "under" : "on", s->label,
                 lucky ? ", right by luck before that" : "");
        if (ladder_fails_so(row->variant, &row->got))
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
                       is_wrong(odd) ? "%s is wrong on purpose, and did not fail as it should"
                                     : "%s should be right, and is not",
                       odd->variant->name);
}

int ladder_all(const struct ladder *l)
{
    enum { USUAL_RUNS = 50 }; /* each is timed so often, where times are shown at all */
    unsigned usual = l->report->volatile_on ? USUAL_RUNS : 1;
    unsigned count = 0, runs = l->session->runs ? l->session->runs : usual;
    size_t room;
    while (l->variants[count].name)
        count++;
    struct row *rows = mem_get(&allocator_libc, count * sizeof *rows);
    struct schedule *tries = ladder_schedules(l, &room);
    int failed = rows && tries ? 0 : report_fail(l->report, "out of memory; one --variant at a "
                                                            "time needs less");
    for (unsigned i = 0; i < count && !failed; i++) {
        rows[i].variant = &l->variants[i];
        failed = try_row(l, &rows[i], tries, runs);
    }
    l->session->runs = runs;
    sort_rows(l, rows, failed ? 0 : count);
    if (!failed)
        failed = tell_rows(l, rows, count);
    mem_put(&allocator_libc, rows, count * sizeof *rows);
    mem_put(&allocator_libc, tries, room);
    return failed;
}
