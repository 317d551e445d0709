/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of `--variant all`: the right ones slowest first, each with what was counted, then
 * the wrong ones with the schedule that gave them away.
 */
#include "labkit/ladder/ladder.h"

#include "labkit/lab.h"
#include "screen/pen.h"
#include <stdio.h>
#include <string.h>

/* ---- one row ---------------------------------------------------------------------------- */

struct row {
    const struct lab_variant *variant;
    const char *name, *mended_by; /* of the variant */
    const char *closed;           /* why it could not be tried; NULL: it was */
    bool wrong, not_run, timed;   /* wrong on purpose; timed: and the times may be shown */
    double modelled_ms;           /* on the simulator */
    struct attempt got;
    double median_ms, min_ms, mean_ms;
    unsigned runs;    /* that the times are of */
    char beside[40];  /* the lab's own column */
    char note[80];    /* "wrong under random:2", or empty */
    struct verdict verdict;
};

/* A GPU doesn't count; its columns are times, where those are shown. */
enum ladder_shows ladder_shows(const struct lab_run *w)
{
    if (!session_on_gpu(w->session) || w->session->counting)
        return LADDER_COUNTERS;
    return w->report->volatile_on ? LADDER_TIMES : LADDER_NEITHER;
}

static bool as_documented(const struct row *row)
{
    if (row->closed)
        return true;
    return row->wrong ? ladder_fails_so(row->variant, &row->got) : row->got.ok;
}

/* What follows from the attempt. The row stays where it is from now on. */
static int conclude(struct lab_run *w, struct row *row)
{
    const struct attempt *got = &row->got;
    struct buf beside = {0};
    row->name = row->variant->name;
    row->mended_by = row->variant->mended_by;
    row->closed = attempt_closed(got);
    row->not_run = row->closed != NULL;
    row->runs = got->runs;
    w->cut_short |= !row->wrong && got->runs && got->runs < w->session->runs;
    row->timed = got->median_s > 0 && w->report->volatile_on;
    row->modelled_ms = got->has_model ? got->model.seconds * 1e3 : 0;
    row->median_ms = got->median_s * 1e3;
    row->min_ms = got->min_s * 1e3;
    row->mean_ms = got->mean_s * 1e3;
    row->verdict = (struct verdict){got->ok && !got->rounded_away,
                                    !got->right          ? "WRONG"
                                    : !got->ok           ? "LUCK"
                                    : got->rounded_away  ? "rounded away"
                                                         : "ok"};
    if (!w->ladder->beside_head)
        return 0;
    if (ladder_find(w, row->variant, got))
        return -1;
    ladder_text(w, w->ladder->beside, &beside);
    snprintf(row->beside, sizeof row->beside, "%s", buf_text(&beside));
    buf_free(&beside);
    return 0;
}

/* ---- the facts of a row ----------------------------------------------------------------- */

static void put_time(struct json *j, const void *found)
{
    const struct row *row = found;
    json_object(j, "time");
    json_f64(j, "min_s", row->got.min_s);
    json_f64(j, "median_s", row->got.median_s);
    json_f64(j, "mean_s", row->got.mean_s);
    json_uint(j, "runs", row->runs);
    json_end_object(j);
}

static void put_modelled(struct json *j, const void *found)
{
    json_object(j, "time");
    json_f64(j, "modelled_s", ((const struct row *)found)->got.model.seconds);
    json_end_object(j);
}

static void put_counters(struct json *j, const void *found)
{
    report_counters_json(j, &((const struct row *)found)->got.counters);
}

static const struct fact closed_facts[] = {
    {.name = "variant", FACT_AT(struct row, name)},
    {.name = "wrong_on_purpose", FACT_AT(struct row, wrong)},
    {FACT(struct row, not_run)},
    {.name = "why", FACT_AT(struct row, closed)},
    {.name = NULL},
};
static const struct fact json_facts[] = {
    {.name = "ok", FACT_AT(struct row, got.ok)},
    {.name = "rounded_away", FACT_AT(struct row, got.rounded_away), .if_set = true},
    {.name = "fault", FACT_AT(struct row, got.fault), .if_set = true},
    {FACT(struct row, mended_by), .if_set = true},
    {FACT(struct row, note), .if_set = true},
    {.name = "predicted", FACT_AT(struct row, got.predicted), WHEN(struct row, got.has_predicted)},
    {.put = put_time, WHEN(struct row, timed)},
    {.put = put_modelled, WHEN(struct row, got.has_model)},
    {.put = put_counters, WHEN(struct row, got.has_counters)},
};
#define TIME_COLUMN(text, member)                                                       \
    {.head = text, FACT_AT(struct row, member), .format = "%.4g", .right = true, .stays = true, \
     WHEN(struct row, got.median_s)}
static const struct fact time_facts[] = {
    TIME_COLUMN("median ms", median_ms),
    TIME_COLUMN("fastest", min_ms),
    TIME_COLUMN("mean", mean_ms),
};
static const struct fact modelled_fact = {
    .head = "modelled ms", FACT_AT(struct row, modelled_ms), .format = "%.3g", .right = true,
    WHEN(struct row, modelled_ms)};
enum {
    JSON_FACTS = sizeof json_facts / sizeof json_facts[0],
    TIME_FACTS = sizeof time_facts / sizeof time_facts[0],
    ROW_FACTS = 40
};

/* The counts or the times; those that say least for most labs give way first. */
static unsigned add_columns(const struct lab_run *w, struct fact *out)
{
    enum ladder_shows shows = ladder_shows(w);
    unsigned n = 0;
    if (shows == LADDER_TIMES)
        for (; n < TIME_FACTS; n++)
            out[n] = time_facts[n];
    if (shows == LADDER_COUNTERS)
        out[n++] = modelled_fact;
    for (const struct ladder_column *c = w->ladder->columns; c->head && shows == LADDER_COUNTERS;
         c++)
        out[n++] = (struct fact){.head = c->head, .kind = FACT_UINT64,
                                 .at = offsetof(struct row, got.counters) + c->counter,
                                 .right = true, .stays = true, WHEN(struct row, got.has_counters),
                                 .tells = strcmp(c->head, "instr") ? NULL : "instructions are %"};
    for (unsigned k = 1; k < n; k++)
        out[k].gives_way = (int)(n - k);
    return n;
}

static void row_facts(const struct lab_run *w, struct fact out[ROW_FACTS])
{
    unsigned n = 0;
    out[n] = closed_facts[n];
    out[n].stays = true;
    out[n++].head = "variant";
    out[n] = closed_facts[n];
    n++;
    if (w->ladder->beside_head)
        out[n++] = (struct fact){.head = w->ladder->beside_head, FACT_AT(struct row, beside),
                                 .right = true, WHEN(struct row, beside)};
    unsigned values = ladder_value_facts(w->ladder, offsetof(struct row, got), out + n);
    if (w->ladder->kind == VALUE_F32)
        out[n].format = "%.7g";
    if (values > 1)
        out[n + 1].gives_way = 9;
    n += values;
    for (unsigned i = 0; i < JSON_FACTS; i++)
        out[n++] = json_facts[i];
    n += add_columns(w, out + n);
    out[n++] = (struct fact){.head = "", FACT_AT(struct row, verdict), .stays = true};
    out[n] = (struct fact){.name = NULL};
}

/* ---- the table -------------------------------------------------------------------------- */

static void say_row(const struct lab_run *w, const struct row *row, bool beside,
                    const struct fact *facts, uint64_t mask, struct table *t)
{
    const struct attempt *got = &row->got;
    char value[NUM_TEXT];
    if (row->closed) {
        table_cell(t, "%s", row->name);
        if (beside)
            table_cell(t, "%s", row->beside);
        while (t->cells % t->count)
            table_cell(t, "%s", "");
        table_note(t, "not run: %s", row->closed);
        return;
    }
    facts_cells(facts, mask, row, w->report, t);
    if (got->has_predicted)
        table_note(t, "%s; predicted %s: %s", row->variant->summary, w->ladder->columns[0].head,
                   num_group((int64_t)got->predicted, value));
    else
        table_note(t, "%s", row->variant->summary);
    if (got->untimed && got->median_s > 0 && ladder_shows(w) == LADDER_TIMES)
        table_note(t, "not timed: %s", got->untimed);
    if (row->wrong)
        table_note(t, "%s; fixed by %s", row->note, row->mended_by);
}

/* What a row of the right ones costs: its first count, or its time. */
static bool cost_of(const struct lab_run *w, const struct row *row, struct bar *bar,
                    char shown[NUM_TEXT])
{
    const struct attempt *got = &row->got;
    bar->label = row->variant->name;
    bar->shown = shown;
    if (ladder_shows(w) == LADDER_TIMES) {
        bar->value = got->median_s;
        snprintf(shown, NUM_TEXT, "%.4g ms", got->median_s * 1e3);
        return got->median_s > 0;
    }
    if (got->has_model && ladder_shows(w) == LADDER_COUNTERS) {
        bar->value = got->model.seconds;
        snprintf(shown, NUM_TEXT, "%.3g ms", got->model.seconds * 1e3);
        return true;
    }
    if (!got->has_counters || ladder_shows(w) != LADDER_COUNTERS)
        return false;
    uint64_t count = counter_at(&got->counters, w->ladder->columns[0].counter);
    bar->value = (double)count;
    num_group((int64_t)count, shown);
    return true;
}

/* The right ones again, as bars: what the order of the rows comes from. */
static void say_costs(const struct lab_run *w, const struct row *rows, unsigned count)
{
    enum { MOST = 32 };
    struct bar bars[MOST];
    char shown[MOST][NUM_TEXT];
    unsigned n = 0, differ = 0;
    bool modelled = false;
    for (unsigned i = 0; i < count && n < MOST; i++) {
        modelled |= rows[i].got.has_model;
        if (rows[i].wrong || rows[i].closed || !cost_of(w, &rows[i], &bars[n], shown[n]))
            continue;
        differ += bars[n].value < bars[0].value || bars[n].value > bars[0].value;
        n++;
    }
    if (!differ || w->report->plain) /* the rows have said it */
        return;
    say(w->report, "\n");
    say_heading(w->report, "%s",
                ladder_shows(w) == LADDER_TIMES ? "median time"
                : modelled                      ? "modelled time"
                                                : w->ladder->columns[0].head);
    say_bars(w->report, bars, n);
}

/* ---- all of them ------------------------------------------------------------------------ */

/* What didn't run comes after all that is right. Times count where they are shown: the order would
 * tell of them else. */
static bool goes_before(const struct lab_run *w, const struct row *a, const struct row *b)
{
    if (a->wrong != b->wrong)
        return b->wrong;
    if (!attempt_closed(&a->got) != !attempt_closed(&b->got))
        return attempt_closed(&b->got) != NULL;
    if (ladder_shows(w) == LADDER_TIMES && a->got.median_s > 0 && b->got.median_s > 0)
        return !a->wrong && a->got.median_s > b->got.median_s;
    return !a->wrong && a->got.cost > b->got.cost;
}

/* By insertion: it is stable, and there are a dozen rows. */
static void sort_rows(const struct lab_run *w, struct row *rows, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        struct row row = rows[i];
        unsigned at = i;
        for (; at > 0 && goes_before(w, &row, &rows[at - 1]); at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

/* A right one once, as set; a wrong one until it fails. */
static int try_row(struct lab_run *w, struct row *row, const struct schedule *tries,
                   unsigned runs)
{
    static const struct schedule as_set = {.name = NULL};
    bool lucky = false;
    w->session->runs = row->wrong ? 0 : runs;
    if (!row->wrong)
        return ladder_try(w, row->variant, &as_set, &row->got);
    snprintf(row->note, sizeof row->note, "right under every schedule tried");
    for (const struct schedule *s = tries; s->name; s++) {
        if (ladder_try(w, row->variant, s, &row->got))
            return -1;
        lucky |= row->got.ok && !row->got.not_run[0];
        if (row->got.not_run[0] || row->got.ok)
            continue;
        snprintf(row->note, sizeof row->note, "%s%s %s %s%s",
                 row->got.fault[0] ? row->got.fault : "wrong",
                 !row->got.fault[0] ? "" : row->got.fault_ends ? " fault" : " finding",
                 s->simulated ? "under" : "on", s->label,
                 lucky ? ", right by luck before that" : "");
        if (ladder_fails_so(row->variant, &row->got))
            break;
    }
    return 0;
}

static void say_rows(const struct lab_run *w, const struct row *rows, unsigned count)
{
    struct table_column columns[TABLE_COLUMNS];
    struct fact facts[ROW_FACTS];
    struct table table;
    uint64_t mask;
    bool beside = false;
    for (unsigned i = 0; i < count; i++)
        beside = beside || rows[i].beside[0];
    row_facts(w, facts);
    int n = facts_columns(facts, rows, count, sizeof *rows, columns, &mask);
    table_begin(&table, columns, n, 0);
    for (unsigned i = 0; i < count; i++) {
        struct json *j = &w->report->variants;
        if (rows[i].wrong && (i == 0 || !rows[i - 1].wrong))
            table_heading(&table, "wrong on purpose:");
        say_row(w, &rows[i], beside, facts, mask, &table);
        json_object(j, NULL);
        facts_json(rows[i].closed ? closed_facts : facts, &rows[i], j);
        if (rows[i].got.has_model && !rows[i].wrong)
            report_model_add(w->report, rows[i].name, rows[i].got.launches, &rows[i].got.model);
        json_end_object(j);
    }
    say_table(w->report, &table);
    say_costs(w, rows, count);
}

static int tell_rows(struct lab_run *w, struct row *rows, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (conclude(w, &rows[i]))
            return -1;
    say_rows(w, rows, count);
    for (unsigned i = 0; i < count; i++)
        if (!as_documented(&rows[i]))
            return report_fail(w->report,
                               rows[i].wrong
                                   ? "%s is wrong on purpose, but it did not fail as expected"
                                   : "%s should be right, and is not",
                               rows[i].name);
    return 0;
}

int ladder_all(struct lab_run *w)
{
    enum { USUAL_RUNS = 50 }; /* each is timed so often at most, where times are shown at all */
    unsigned usual = w->report->volatile_on ? USUAL_RUNS : 1;
    unsigned count = 0, runs = w->session->runs ? w->session->runs : usual;
    w->session->runs_may_be_fewer = !w->session->runs;
    uint64_t room;
    while (w->lab->variants[count].name)
        count++;
    struct row *rows = mem_alloc(&allocator_libc, count * sizeof *rows);
    struct schedule *tries = ladder_schedules(w, &room);
    int failed = rows && tries ? 0 : report_fail_limit(w->report, "out of memory; one --variant at a "
                                                            "time needs less");
    for (unsigned i = 0; i < count && !failed; i++) {
        rows[i].variant = &w->lab->variants[i];
        rows[i].wrong = rows[i].variant->mended_by != NULL;
        failed = try_row(w, &rows[i], tries, runs);
    }
    w->session->runs = runs;
    w->session->runs_may_be_fewer = false;
    sort_rows(w, rows, failed ? 0 : count);
    if (!failed)
        failed = tell_rows(w, rows, count);
    mem_free(&allocator_libc, rows, count * sizeof *rows);
    mem_free(&allocator_libc, tries, room);
    return failed;
}
