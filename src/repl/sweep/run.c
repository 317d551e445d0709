/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The runs, row by row: all curves at the first value, then all at the second. So what there is
 * when Ctrl-C ends the sweep can be compared. What a point found is taken from the JSON of its
 * command.
 */
#include "repl/sweep/sweep.h"

#include "base/json-find.h"
#include "base/mem.h"
#include "base/near.h"
#include "labkit/times.h"
#include "os/clock.h"
#include "repl/inner.h"

#include <math.h> /* its macros alone */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_RUNS = 50 };
#define GROWS_MOST 4.0 /* times as long as the row before, where what is left is estimated */

struct sweep_point *sweep_point(const struct sweep *s, unsigned x, unsigned k)
{
    return &s->point[x * s->curves + k];
}

/* ---- what to show ----------------------------------------------------------------------- */

#define X(name) #name,
const char *const sweep_names[] = {"time", COUNTERS(X) NULL};
#undef X

static bool is_counter(const char *key)
{
    for (const char *const *counter = sweep_names + 1; *counter; counter++)
        if (strcmp(*counter, key) == 0)
            return true;
    return false;
}

int sweep_read_shown(struct sweep *s, const char *list, struct err *e)
{
    for (const char *at = list;; at++) {
        const size_t n = strcspn(at, ",");
        if (s->shows == SWEEP_SHOWN)
            return fail(e, "--show takes at most %d names", SWEEP_SHOWN);
        struct sweep_shown *to = &s->shown[s->shows++];
        if (n == 0 || n >= sizeof to->key)
            return fail(e, "--show takes names with commas between them, as in time,ok");
        snprintf(to->head, sizeof to->head, "%.*s", (int)n, at);
        memcpy(to->key, to->head, sizeof to->key);
        to->time = strcmp(to->key, sweep_names[0]) == 0;
        for (const struct sweep_shown *before = s->shown; before < to; before++)
            if (strcmp(before->key, to->key) == 0)
                return fail(e, "--show has %s twice; once is enough", to->key);
        at += n;
        if (!*at)
            return 0;
    }
}

/* The value of one of these paths, and which one it was. */
static const char *first_of(struct span objects, const char *const *paths, struct span *value)
{
    for (; *paths; paths++)
        if (inner_find(objects, *paths, value))
            return *paths;
    return NULL;
}

static bool find_shown(struct span objects, struct sweep_shown *shown, struct span *value)
{
    static const char *const times[] = {"time.modelled_s", "time.median_s", "time.measured_s",
                                        NULL};
    char result[SWEEP_NAME + 16], counter[SWEEP_NAME + 16], of_time[SWEEP_NAME + 16];
    snprintf(result, sizeof result, "result.%s", shown->key);
    snprintf(counter, sizeof counter, "counters.%s", shown->key);
    snprintf(of_time, sizeof of_time, "time.%s", shown->key);
    const char *const named[] = {result, counter, of_time, shown->key, NULL};
    const char *path = first_of(objects, shown->time && !shown->known ? times : named, value);
    if (!path || begins(*value, "[") || begins(*value, "{"))
        return false;
    if (shown->time && !shown->known)
        snprintf(shown->key, sizeof shown->key, "%s", strchr(path, '.') + 1);
    shown->known = true;
    return true;
}

/* What the first right point does not have is misspelt, unless it is a time or a count: these may
 * be hidden. */
static int check_shown(const struct sweep *s, struct span objects)
{
    struct span result, name, value;
    char text[SWEEP_NAME];
    for (unsigned i = 0; i < s->shows; i++) {
        const struct sweep_shown *shown = &s->shown[i];
        struct near n = {.word = shown->key};
        if (shown->known || shown->time || is_counter(shown->key))
            continue;
        for (const char *const *known = sweep_names; *known; known++)
            near_try(&n, *known);
        for (unsigned k = 0;
             inner_find(objects, "result", &result) && json_member(result, k, &name, &value); k++) {
            snprintf(text, sizeof text, "%.*s", (int)name.n, name.at);
            near_try(&n, text);
        }
        if (n.best && n.distance == 0)
            return report_fail(
                s->report, "`%s` is a list or an object, and a table needs one value", shown->key);
        if (n.best)
            return report_fail(s->report, "the result has no `%s`: did you mean %s?", shown->key,
                               n.best);
        return report_fail(s->report, "the result has no `%s`; --json shows all of it", shown->key);
    }
    return 0;
}

/* ---- one point -------------------------------------------------------------------------- */

static void take_found(struct span value, struct sweep_found *to)
{
    struct buf text = {0};
    struct err ignored;
    json_plain(value, &text);
    to->quoted = begins(value, "\"");
    snprintf(to->text, sizeof to->text, "%s", buf_text(&text));
    if (to->quoted || num_real(to->text, &to->number, &ignored) != 0)
        to->number = (double)NAN;
    buf_free(&text);
}

static void add_text(struct span object, const char *path, const char *between, struct buf *out)
{
    struct span value;
    if (!json_at(object, path, &value))
        return;
    buf_puts(out, out->len ? between : "");
    json_plain(value, out);
}

/* An error's message; else the fault; else that the answer is wrong. */
static void put_reason(struct span object, struct buf *out)
{
    struct span faults;
    add_text(object, "error.message", "", out);
    if (!out->len && json_find(object, SPAN("faults.0"), &faults)) {
        add_text(object, "faults.0.kind", "", out);
        add_text(object, "faults.0.message", ": ", out);
        add_text(object, "faults.0.source", ", ", out);
    }
    if (!out->len)
        buf_puts(out, "the answer is wrong");
}

static int judge(struct sweep_point *p, struct span objects, const struct caught *c)
{
    struct span object, ok, value;
    struct buf reason = {0};
    const bool failed = inner_failure(objects, &object);
    p->checked = inner_find(objects, "result.ok", &ok);
    p->meant = failed && c->meant == c->errors + c->faults;
    p->state = POINT_RIGHT;
    if (failed && json_find(object, SPAN("faults.0"), &value))
        p->state = POINT_FAULT;
    else if (failed)
        p->state = p->checked && same_text(ok, "false") ? POINT_WRONG : POINT_ERROR;
    else if (p->checked && same_text(ok, "false"))
        p->state = POINT_WRONG;
    if (p->state == POINT_RIGHT)
        return 0;
    put_reason(failed ? object : SPAN("{}"), &reason);
    p->reason = strdup(buf_text(&reason));
    const bool bad = reason.failed || !p->reason;
    buf_free(&reason);
    return bad ? -1 : 0;
}

static int refuse_point(struct sweep *s, struct sweep_point *p, const char *why)
{
    p->state = POINT_ERROR;
    p->reason = strdup(why);
    return p->reason ? 0 : report_fail_limit(s->report, "out of memory");
}

/* timed: its time will be measured, and is not that of this one run. */
static int take_point(struct sweep *s, struct sweep_point *p, const struct caught *c, bool timed)
{
    if (c->shown.full || c->objects.full)
        return refuse_point(s, p, "it shows more than a command may (output-limit)");
    struct buf objects = {0};
    struct span value;
    inner_objects(c, &objects);
    const struct span all = {buf_text(&objects), objects.len};
    int rc = objects.failed ? -1 : judge(p, all, c);
    for (unsigned i = 0; i < s->shows && rc == 0; i++)
        if (!(timed && s->shown[i].time) && find_shown(all, &s->shown[i], &value))
            take_found(value, &p->found[i]);
    if (rc == 0 && inner_find(all, "time.runs", &value)) {
        struct sweep_found runs;
        take_found(value, &runs);
        s->runs = (unsigned)runs.number;
    }
    if (rc != 0)
        report_fail_limit(s->report, "out of memory");
    else if (p->state == POINT_RIGHT && !s->looked) {
        s->looked = true;
        rc = check_shown(s, all);
    }
    buf_free(&objects);
    if (rc != 0)
        s->done = 0; /* nothing is worth showing */
    return rc;
}

/* ---- measuring -------------------------------------------------------------------------- */

/* The time that is to be shown; NULL: none is. */
static struct sweep_shown *time_of(struct sweep *s)
{
    for (unsigned i = 0; i < s->shows; i++)
        if (s->shown[i].time)
            return &s->shown[i];
    return NULL;
}

/* One run is for the answer. On a GPU its launches are then timed again and again, unless the
 * command says how often it times them itself. */
static bool begin_to_keep(struct sweep *s, const char *line)
{
    struct session *session = &s->sh->session;
    if (!time_of(s) || strstr(line, "--repeat"))
        return false;
    session->runs = USUAL_RUNS;
    return session_begins_to_keep(session, s->report);
}

/* The median of these runs. A point that can't be timed has failed. */
static int measure(struct sweep *s, struct sweep_point *p)
{
    struct session *session = &s->sh->session;
    struct sweep_shown *shown = time_of(s);
    struct sweep_found *f = &p->found[shown - s->shown];
    struct report times;
    struct sample sample;
    report_init(&times);
    session->runs = USUAL_RUNS;
    session->runs_may_be_fewer = true;
    const bool timed = session_sample_launches(session, &sample, &times) == 0;
    session->runs_may_be_fewer = false;
    if (timed) {
        num_f64(sample.median, f->text);
        f->number = sample.median;
        snprintf(shown->key, sizeof shown->key, "median_s");
        shown->known = true;
        s->runs = sample.count > s->runs ? sample.count : s->runs;
        s->fewer = s->fewer || sample.count < USUAL_RUNS;
    }
    const char *why = times.error.text[0] ? times.error.text : "it could not be timed";
    const int rc = timed || session->stop ? 0 : refuse_point(s, p, why);
    report_free(&times);
    return rc;
}

/* Of a point that was cut short nothing is kept. */
static int run_point(struct sweep *s, unsigned x, unsigned k)
{
    struct buf line = {0};
    struct err e;
    struct caught c;
    struct sweep_point *p = sweep_point(s, x, k);
    int rc = sweep_put_line(s->sh, &s->line, x, k, &line, &e);
    if (rc != 0) {
        buf_free(&line);
        return report_fail_err(s->report, &e);
    }
    struct session *session = &s->sh->session;
    const bool keeps = begin_to_keep(s, buf_text(&line));
    caught_begin(&c, s->sh);
    inner_run(s->sh, buf_text(&line), &c);
    if (!session->stop && budget_end(&session->budget) == BUDGET_LEFT)
        rc = take_point(s, p, &c, keeps);
    if (keeps && rc == 0 && p->state == POINT_RIGHT && session->kept_launches)
        rc = measure(s, p);
    session->runs = 0;
    if (keeps)
        session_forget_launches(session);
    if (s->line.every && p->state == POINT_ERROR)
        p->state = POINT_NOT_RUN; /* as in a table of all variants: this one can't run here */
    s->failed += p->state > POINT_RIGHT && !p->meant;
    caught_free(&c);
    buf_free(&line);
    return rc;
}

/* ---- all points ------------------------------------------------------------------------- */

/* Seconds for what is left. Rows that grow go on growing as the last two did. */
static double time_left(const struct sweep *s, const double *row_s, unsigned x, unsigned k)
{
    double next = x ? row_s[x - 1] : 0, left = 0;
    double grows = x > 1 && row_s[x - 2] > 0 ? row_s[x - 1] / row_s[x - 2] : 1;
    if (s->line.x.scale == AXIS_LINEAR || grows < 1)
        grows = 1;
    else if (grows > GROWS_MOST)
        grows = GROWS_MOST;
    for (unsigned row = x; row < s->line.x.count; row++) {
        next *= grows;
        left += row == x ? next * (s->curves - k) / s->curves : next;
    }
    return left;
}

static void tell_part(struct sweep *s, const double *row_s, unsigned x, unsigned k)
{
    char part[80];
    const unsigned all = s->line.x.count * s->curves, now = x * s->curves + k + 1;
    snprintf(part, sizeof part, "%.20s = %.20s, %u of %u", s->line.x.name, s->line.x.value[x].label,
             now, all);
    waiting_within(s->sh, part, time_left(s, row_s, x, k));
}

static int run_row(struct sweep *s, double *row_s, unsigned x)
{
    const double began = clock_seconds();
    int rc = 0;
    s->done = x + 1;
    for (unsigned k = 0; k < s->curves && rc == 0; k++) {
        tell_part(s, row_s, x, k);
        rc = run_point(s, x, k);
        const bool more = x + 1 < s->line.x.count || k + 1 < s->curves;
        if (rc == 0 && (more || sweep_point(s, x, k)->state == POINT_NOT_RUN))
            rc = session_goes_on(&s->sh->session, "sweep fewer values", s->report);
    }
    row_s[x] = clock_seconds() - began;
    return rc;
}

static bool counts_something(const struct sweep *s)
{
    for (unsigned i = 0; i < s->shows; i++)
        if (is_counter(s->shown[i].key))
            return true;
    return false;
}

/* In a sweep over all variants, one that can't run on this device is left out; but not all. */
static int any_ran(const struct sweep *s)
{
    const unsigned all = s->done * s->curves;
    for (unsigned i = 0; i < all; i++)
        if (s->point[i].state != POINT_NOT_RUN)
            return 0;
    return report_fail(s->report, "no variant could run: %s",
                       s->point->reason ? s->point->reason : "it was stopped");
}

int sweep_run(struct sweep *s)
{
    struct settings *set = &s->sh->session.settings;
    const bool counted = set->counters;
    const size_t rows = s->line.x.count * sizeof(double);
    double *row_s = mem_alloc(&allocator_libc, rows);
    s->curves = s->line.curve.count ? s->line.curve.count : 1;
    s->point = mem_alloc(&allocator_libc, s->line.x.count * s->curves * sizeof *s->point);
    int rc = row_s && s->point ? 0 : report_fail_limit(s->report, "out of memory");
    set->counters = counted || counts_something(s);
    for (unsigned x = 0; x < s->line.x.count && rc == 0; x++)
        rc = run_row(s, row_s, x);
    set->counters = counted;
    waiting_within(s->sh, "", 0);
    mem_free(&allocator_libc, row_s, rows);
    return rc == 0 ? any_ran(s) : rc;
}

void sweep_free(struct sweep *s)
{
    const size_t points = s->point ? s->line.x.count * s->curves : 0;
    for (size_t i = 0; i < points; i++)
        free(s->point[i].reason);
    mem_free(&allocator_libc, s->point, points * sizeof *s->point);
    s->point = NULL;
    sweep_free_line(&s->line);
}
