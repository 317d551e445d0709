/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a sweep found: tables with a row for each value, what failed, and plots; or bars where the
 * values are words. And the same as JSON.
 */
#include "repl/sweep/sweep.h"

#include "base/mem.h"
#include "labkit/run.h"
#include "screen/columns.h"
#include "screen/pen.h"
#include "screen/wrap.h"

#include <math.h> /* its macros alone */
#include <stdio.h>
#include <string.h>

enum { CELL = SWEEP_TEXT + 16, GAP = 2, INDENT = 2, REASON = 300, ROWS = 13 };

#define FLAT 0.1 /* times that differ by less than this part are a flat curve */

const char *sweep_state_name(enum sweep_state state)
{
    static const char *const names[] = {"not run", "ok", "wrong", "fault", "error"};
    return names[state];
}

bool sweep_curve_ran(const struct sweep *s, unsigned k)
{
    for (unsigned x = 0; x < s->done; x++)
        if (sweep_point(s, x, k)->state != POINT_NOT_RUN)
            return true;
    return false;
}

const char *sweep_curve_name(const struct sweep *s, unsigned k)
{
    return s->line.curve.count ? s->line.curve.value[k].label : s->line.inner;
}

/* A few values are listed; of many the ends are told. */
static void put_values_of(const struct sweep_values *x, struct buf *out)
{
    enum { FEW = 4 };
    buf_printf(out, "%s = %s", x->name, x->value[0].label);
    for (unsigned i = 1; i < x->count && x->count <= FEW; i++)
        buf_printf(out, ", %s", x->value[i].label);
    if (x->count > FEW)
        buf_printf(out, " to %s", x->value[x->count - 1].label);
}

void sweep_title(const struct sweep *s, struct buf *out)
{
    const struct sweep_values *x = &s->line.x;
    buf_printf(out, "%s, ", s->line.inner);
    if (x->words)
        buf_printf(out, "by %s", x->name);
    else
        put_values_of(x, out);
    if (s->line.curve.count)
        buf_printf(out, "%s %s", x->words ? " and" : ", by", s->line.curve.name);
}

/* ---- tables ----------------------------------------------------------------------------- */

/* Where the only thing to show is not known, how the point ended. */
static void value_text(const struct sweep *s, const struct sweep_shown *shown,
                       const struct sweep_point *p, const struct sweep_found *f, char out[CELL])
{
    char number[NUM_TEXT];
    if (!f->text[0])
        snprintf(out, CELL, "%s",
                 p->state == POINT_RIGHT && !shown->known && s->shows == 1
                     ? p->checked ? "right" : "done"
                     : "-");
    else if (!isfinite(f->number))
        snprintf(out, CELL, "%s", f->text);
    else if (shown->time)
        snprintf(out, CELL, "%s", num_seconds(f->number, number));
    else if (num_whole(f->number))
        snprintf(out, CELL, "%s", num_group((int64_t)f->number, number));
    else
        snprintf(out, CELL, "%s", f->text);
}

static void cell_text(const struct sweep *s, unsigned x, unsigned k, unsigned i, char out[CELL])
{
    const struct sweep_point *p = sweep_point(s, x, k);
    char value[CELL];
    value_text(s, &s->shown[i], p, &p->found[i], value);
    if (p->state <= POINT_RIGHT)
        snprintf(out, CELL, "%s", p->state == POINT_NOT_RUN ? "-" : value);
    else if (strcmp(value, "-") == 0)
        snprintf(out, CELL, "%s", sweep_state_name(p->state));
    else
        snprintf(out, CELL, "%s %.*s", sweep_state_name(p->state), CELL - 8, value);
}

/* One column: a curve, or one of several things of the only curve. */
struct sweep_column {
    unsigned curve, shown;
    const char *head;
    int wide;
};

static struct sweep_column column_of(const struct sweep *s, unsigned curve, unsigned shown)
{
    struct sweep_column c = {curve, shown,
                             s->curves > 1 ? sweep_curve_name(s, curve) : s->shown[shown].head, 0};
    char cell[CELL];
    c.wide = columns_of_text(c.head);
    for (unsigned x = 0; x < s->done; x++) {
        cell_text(s, x, curve, shown, cell);
        c.wide = columns_of_text(cell) > c.wide ? columns_of_text(cell) : c.wide;
    }
    return c;
}

static int values_wide(const struct sweep *s)
{
    int wide = columns_of_text(s->line.x.name);
    for (unsigned x = 0; x < s->done; x++) {
        const int label = columns_of_text(s->line.x.value[x].label);
        wide = label > wide ? label : wide;
    }
    return wide;
}

static void say_columns_of(const struct sweep *s, const struct sweep_column *c, unsigned count)
{
    struct table_column heads[SWEEP_CURVES + 1] = {
        {.head = s->line.x.name, .right = !s->line.x.words}};
    struct table t;
    char cell[CELL];
    for (unsigned k = 0; k < count; k++)
        heads[k + 1] = (struct table_column){.head = c[k].head, .right = true};
    table_begin(&t, heads, (int)count + 1, INDENT);
    for (unsigned x = 0; x < s->done; x++) {
        table_cell(&t, "%s", s->line.x.value[x].label);
        for (unsigned k = 0; k < count; k++) {
            cell_text(s, x, c[k].curve, c[k].shown, cell);
            const bool failed = sweep_point(s, x, c[k].curve)->state > POINT_RIGHT;
            table_cell_in(&t, failed ? INK_BAD : INK_PLAIN, "%s", cell);
        }
    }
    say_table(s->report, &t);
}

/* As many tables as the width asks for. */
static void say_columns_in_parts(const struct sweep *s, const struct sweep_column *c,
                                 unsigned count)
{
    const int first = INDENT + values_wide(s);
    for (unsigned from = 0; from < count;) {
        unsigned to = from;
        int wide = first;
        while (to < count &&
               (to == from || s->report->plain || wide + GAP + c[to].wide <= s->report->width))
            wide += GAP + c[to++].wide;
        say(s->report, from ? "\n" : "");
        say_columns_of(s, c + from, to - from);
        from = to;
    }
}

static void say_tables(const struct sweep *s)
{
    struct sweep_column c[SWEEP_CURVES];
    if (s->curves == 1) {
        for (unsigned i = 0; i < s->shows; i++)
            c[i] = column_of(s, 0, i);
        say_columns_in_parts(s, c, s->shows);
        return;
    }
    for (unsigned i = 0; i < s->shows; i++) {
        unsigned count = 0;
        for (unsigned k = 0; k < s->curves; k++)
            if (sweep_curve_ran(s, k))
                c[count++] = column_of(s, k, i);
        say(s->report, i ? "\n" : "");
        say_heading(s->report, "%s by %s", s->shown[i].head, s->line.curve.name);
        say_columns_in_parts(s, c, count);
    }
}

/* ---- what failed, and what times are ---------------------------------------------------- */

static void count_curve(const struct sweep *s, unsigned k, unsigned *failed, unsigned *first)
{
    *failed = 0;
    for (unsigned x = s->done; x-- > 0;)
        if (sweep_point(s, x, k)->reason) {
            ++*failed;
            *first = x;
        }
}

/* A line for each curve that has points which failed: the first of them, and why. */
static void say_failures(const struct sweep *s)
{
    struct buf text = {0};
    for (unsigned k = 0; k < s->curves; k++) {
        unsigned failed, first = 0;
        count_curve(s, k, &failed, &first);
        if (!failed)
            continue;
        const struct sweep_point *p = sweep_point(s, first, k);
        buf_clear(&text);
        if (s->curves > 1)
            buf_printf(&text, "%s: ", sweep_curve_name(s, k));
        buf_puts(&text, sweep_state_name(p->state));
        if (sweep_curve_ran(s, k))
            buf_printf(&text, " at %s = %s", s->line.x.name, s->line.x.value[first].label);
        if (failed > 1 && sweep_curve_ran(s, k))
            buf_printf(&text, " and %u more value%s", failed - 1, failed == 2 ? "" : "s");
        buf_printf(&text, ": %.*s", REASON, p->reason);
        say_wrapped(s->report, INDENT, "%s", buf_text(&text));
    }
    report_said(s->report, &text);
}

static void say_checks(const struct sweep *s)
{
    unsigned checked = 0, right = 0;
    for (unsigned i = 0; i < s->done * s->curves; i++) {
        checked += s->point[i].checked;
        right += s->point[i].checked && s->point[i].state == POINT_RIGHT;
    }
    if (checked && right == checked && !s->failed)
        say_item(s->report, "check", right == 1 ? "%u answer, right" : "%u answers, all right",
                 right);
    else if (checked)
        say_item(s->report, "check", "%u of %u answers right", right, s->done * s->curves);
}

static void say_about_times(const struct sweep *s)
{
    const struct sweep_shown *time = NULL;
    for (unsigned i = 0; i < s->shows; i++)
        time = s->shown[i].time ? &s->shown[i] : time;
    if (!time)
        return;
    const bool gpu = session_on_gpu(&s->sh->session);
    if (strcmp(time->key, "modelled_s") == 0)
        say_item(s->report, "time", "modelled by the simulator, not measured (help time)");
    else if (time->known && s->runs > 1)
        say_item(s->report, "time", "measured: each is the median of %u runs%s", s->runs,
                 s->fewer ? ", or of fewer where they take long" : "");
    else if (time->known)
        say_item(s->report, "time", "measured, in one run each");
    else if (gpu && !s->report->volatile_on)
        say_item(s->report, "time",
                 "hidden, since a GPU's times differ in each run; `set volatile on` shows them");
    else
        say_item(s->report, "time", "not known for these commands");
}

/* ---- plots ------------------------------------------------------------------------------ */

/* Next to a logarithmic axis of x, or from FAR times the least value on, a logarithmic axis shows
 * more. 0 has no place on it. */
static enum axis_scale scale_of(enum axis_scale x, const double *y, unsigned count, bool *zeros)
{
    enum { FAR = 4 };
    double least = 0, greatest = 0;
    *zeros = false;
    for (unsigned i = 0; i < count; i++) {
        if (y[i] < 0)
            return AXIS_LINEAR;
        *zeros = *zeros || y[i] == 0;
        if (!isfinite(y[i]) || !(y[i] > 0))
            continue;
        least = greatest > 0 && least < y[i] ? least : y[i];
        greatest = greatest > y[i] ? greatest : y[i];
    }
    return least > 0 && (x != AXIS_LINEAR || greatest >= FAR * least) ? AXIS_TENS : AXIS_LINEAR;
}

/* A curve of wrong answers is never drawn as if they were right. */
static void name_curve(const struct sweep *s, unsigned k, char label[SWEEP_LABEL])
{
    unsigned failed, first = 0, right = 0;
    for (unsigned x = 0; x < s->done; x++)
        right += sweep_point(s, x, k)->state == POINT_RIGHT;
    count_curve(s, k, &failed, &first);
    failed = right ? 0 : failed;
    snprintf(label, SWEEP_LABEL, "%.*s%s%s", SWEEP_TEXT, sweep_curve_name(s, k), failed ? ", " : "",
             failed ? sweep_state_name(sweep_point(s, first, k)->state) : "");
}

/* Its curves, without those that never ran. Returns how many points have a number. */
static unsigned fill_curves(const struct sweep *s, unsigned shown, struct sweep_plot *p)
{
    const unsigned rows = s->done;
    unsigned points = 0;
    for (unsigned x = 0; x < rows; x++)
        p->numbers[x] = s->line.x.words ? x + 1 : s->line.x.value[x].number;
    for (unsigned k = 0; k < s->curves; k++) {
        double *y = p->numbers + (size_t)(k + 1) * rows;
        for (unsigned x = 0; x < rows; x++) {
            const struct sweep_found *f = &sweep_point(s, x, k)->found[shown];
            y[x] = f->text[0] ? f->number : (double)NAN;
            points += isfinite(y[x]) != 0;
        }
        if (!sweep_curve_ran(s, k))
            continue;
        const unsigned to = p->plot.count++;
        name_curve(s, k, p->label[to]);
        p->series[to] = (struct plot_series){p->label[to], p->numbers, y, rows, !s->line.x.words};
    }
    return points;
}

int sweep_plot(const struct sweep *s, unsigned shown, struct sweep_plot *p)
{
    const struct sweep_shown *of = &s->shown[shown];
    const bool modelled = strcmp(of->key, "modelled_s") == 0;
    *p = (struct sweep_plot){.room = s->done * (s->curves + 1) * sizeof(double)};
    p->numbers = mem_alloc(&allocator_libc, p->room);
    if (!p->numbers)
        return report_fail_limit(s->report, "out of memory");
    p->any = fill_curves(s, shown, p) > 0;
    snprintf(p->y_label, sizeof p->y_label, "%s%s", of->head,
             of->time ? modelled ? ", modelled" : ", measured" : "");
    p->plot.x_label = s->line.x.name;
    p->plot.y_label = p->y_label;
    p->plot.x_scale = s->line.x.scale;
    p->plot.y_scale =
        scale_of(s->line.x.scale, p->numbers + s->done, s->done * s->curves, &p->zeros);
    p->plot.y_seconds = of->time;
    p->plot.y_part = of->time ? FLAT : 0;
    p->plot.series = p->series;
    p->plot.rows = ROWS;
    return 0;
}

void sweep_plot_free(struct sweep_plot *p)
{
    mem_free(&allocator_libc, p->numbers, p->room);
    p->numbers = NULL;
}

static void say_words(const struct sweep *s, unsigned shown, const struct sweep_plot *p)
{
    struct bar bars[SWEEP_VALUES];
    char text[SWEEP_VALUES][24];
    unsigned count = 0;
    for (unsigned x = 0; x < s->done; x++) {
        char cell[CELL];
        if (!isfinite(p->series[0].y[x]))
            continue;
        cell_text(s, x, 0, shown, cell);
        snprintf(text[count], sizeof text[count], "%.23s", cell);
        bars[count] = (struct bar){s->line.x.value[x].label, p->series[0].y[x], text[count]};
        count++;
    }
    say(s->report, "\n");
    say_heading(s->report, "%s", p->y_label);
    say_bars(s->report, bars, count);
}

static void say_plots(const struct sweep *s)
{
    struct sweep_plot p;
    for (unsigned i = 0; i < s->shows; i++) {
        if (sweep_plot(s, i, &p) != 0)
            return;
        if (p.any && s->line.x.words && s->curves == 1) {
            say_words(s, i, &p);
        } else if (p.any && !s->line.x.words && s->done > 1) {
            say(s->report, "\n");
            say_plot(s->report, &p.plot);
            if (p.zeros && p.plot.y_scale != AXIS_LINEAR)
                say_wrapped(s->report, INDENT,
                            "  Values of 0 have no place on a logarithmic axis.");
        }
        sweep_plot_free(&p);
    }
}

void sweep_show(struct sweep *s)
{
    struct buf title = {0};
    sweep_title(s, &title);
    say_head(s->report, &s->sh->session, buf_text(&title));
    report_said(s->report, &title);
    say_tables(s);
    say_failures(s);
    say_checks(s);
    say_about_times(s);
    say_plots(s);
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void put_value(struct json *j, const char *key, const struct sweep_values *v, unsigned i)
{
    if (v->words)
        json_text(j, key, v->value[i].text);
    else if (num_whole(v->value[i].number))
        json_int(j, key, (int64_t)v->value[i].number);
    else
        json_f64(j, key, v->value[i].number);
}

static void put_values(struct json *j, const struct sweep_values *v, unsigned count)
{
    json_array(j, "values");
    for (unsigned i = 0; i < count; i++)
        put_value(j, NULL, v, i);
    json_end_array(j);
}

static void put_found(struct json *j, const struct sweep_shown *shown, const struct sweep_found *f)
{
    if (!f->text[0])
        return;
    if (f->quoted)
        json_text(j, shown->key, f->text);
    else
        json_raw(j, shown->key, f->text, strlen(f->text));
}

static void put_point(struct sweep *s, struct json *j, unsigned x, unsigned k)
{
    const struct sweep_point *p = sweep_point(s, x, k);
    struct buf line = {0};
    struct err ignored;
    json_object(j, NULL);
    put_value(j, "value", &s->line.x, x);
    if (sweep_put_line(s->sh, &s->line, x, k, &line, &ignored) == 0)
        json_text(j, "command", buf_text(&line));
    json_text(j, "status",
              p->state == POINT_NOT_RUN ? "not run"
              : p->state == POINT_WRONG ? "error"
                                        : sweep_state_name(p->state));
    if (p->checked)
        json_bool(j, "ok", p->state == POINT_RIGHT);
    if (p->meant)
        json_bool(j, "wrong_on_purpose", true);
    json_object(j, "found");
    for (unsigned i = 0; i < s->shows; i++)
        put_found(j, &s->shown[i], &p->found[i]);
    json_end_object(j);
    if (p->reason)
        json_text(j, "reason", p->reason);
    json_end_object(j);
    buf_free(&line);
}

void sweep_json(struct sweep *s)
{
    struct json *j = &s->report->result;
    json_text(j, "command", s->line.inner);
    json_text(j, "option", s->line.x.name);
    put_values(j, &s->line.x, s->line.x.count);
    if (s->line.curve.count)
        json_text(j, "curve_option", s->line.curve.name);
    json_array(j, "shown");
    for (unsigned i = 0; i < s->shows; i++)
        if (!s->shown[i].time || s->shown[i].known)
            json_text(j, NULL, s->shown[i].key);
    json_end_array(j);
    json_array(j, "curves");
    for (unsigned k = 0; k < s->curves; k++) {
        json_object(j, NULL);
        json_text(j, "name", s->line.curve.count ? s->line.curve.value[k].text : s->line.inner);
        json_array(j, "points");
        for (unsigned x = 0; x < s->done; x++)
            put_point(s, j, x, k);
        json_end_array(j);
        json_end_object(j);
    }
    json_end_array(j);
    json_uint(j, "failed", s->failed);
    json_bool(j, "ok", s->failed == 0 && s->done == s->line.x.count);
}
