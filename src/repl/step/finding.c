/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a finding to the moment before it: the launch that had it is stepped again. The thread in
 * focus is the one whose access was found. Of a race the other thread is shown, too.
 */
#include "repl/step/expression.h"

#include "dev/checks.h"
#include "repl/step/step.h"
#include "screen/columns.h"
#include "screen/wrap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LEAD = 9 }; /* columns before a line of the source */

static struct step_focus focus_of(const struct stepped *st, const struct fault_place *p)
{
    const unsigned *grid = stepper_shape(st->stepper)->grid,
                   *block = stepper_shape(st->stepper)->block;
    const uint64_t thread =
        p->thread[0] + (uint64_t)block[0] * (p->thread[1] + (uint64_t)block[1] * p->thread[2]);
    return (struct step_focus){p->block[0] + (uint64_t)grid[0] *
                                                 (p->block[1] + (uint64_t)grid[1] * p->block[2]),
                               (unsigned)(thread / STEP_LANES), (unsigned)(thread % STEP_LANES)};
}

/* The line at which this thread is now; 0: it is not running, or no line is known. */
static int line_now(const struct stepped *st, struct step_focus f)
{
    struct step_warp w;
    if (!step_look_warp(st->stepper, f.block, f.warp, &w))
        return 0;
    const struct step_group *g = step_group_of(&w, f.lane);
    return g ? g->next->line : 0;
}

/* ---- the cell of a race ---------------------------------------------------------------------- */

/* What a line does with such memory. Where it reads and writes, it may be that of another array. */
enum cell_access { ACCESS_UNKNOWN, ACCESS_READS, ACCESS_WRITES, ACCESS_UPDATES };
static const struct {
    const char *will, *did, *word;
} accesses[] = {[ACCESS_UNKNOWN] = {"use", "used", NULL},
                [ACCESS_READS] = {"read", "read", "read"},
                [ACCESS_WRITES] = {"write", "written", "write"},
                [ACCESS_UPDATES] = {"update", "updated", "update"}};

static enum cell_access access_of(const struct sim_instruction *c)
{
    return c->kind == SIM_CLASS_LOAD     ? ACCESS_READS
           : c->kind == SIM_CLASS_STORE  ? ACCESS_WRITES
           : c->kind == SIM_CLASS_ATOMIC ? ACCESS_UPDATES
                                         : ACCESS_UNKNOWN;
}

static enum cell_access access_of_line(struct stepped *st, const struct fault_place *p, bool shared)
{
    uint32_t count;
    const struct sim_instruction *code = step_look_code(st->stepper, &count);
    enum cell_access all = ACCESS_UNKNOWN;
    for (uint32_t i = 0; i < count; i++) {
        const enum cell_access one = access_of(&code[i]);
        if (one == ACCESS_UNKNOWN || code[i].line != p->line || !code[i].file ||
            strcmp(code[i].file, p->file) != 0 ||
            (code[i].space != SIM_GENERIC && code[i].space != (shared ? SIM_SHARED : SIM_GLOBAL)))
            continue;
        if (all != ACCESS_UNKNOWN && all != one)
            return ACCESS_UNKNOWN;
        all = one;
    }
    return all;
}

/* The element that both threads use, by its name and its value here. */
struct race_cell {
    bool known, shared, has_value;
    char name[sizeof((struct fault *)NULL)->element];
    struct lane_number value;
};

static struct race_cell cell_of(struct stepped *st, const struct fault *f)
{
    struct race_cell c = {.shared = strcmp(f->kind, "race-shared") == 0};
    struct err ignored;
    char at[sizeof f->array + 24];
    if (!f->has_other || !f->element[0])
        return c;
    c.known = true;
    snprintf(c.name, sizeof c.name, "%s", f->element);
    struct lane_array a;
    if (c.shared && lane_array_named(st, f->array, &a) && a.shared && a.type_known)
        st->cell = a.address + (uint64_t)f->index * element_size(a.type) + 1;
    snprintf(at, sizeof at, "%s[%" PRId64 "]", f->array, f->index);
    c.has_value =
        lane_value(st, at, &c.value, &ignored) == LANE_RIGHT;
    return c;
}

static void say_cell(const struct race_cell *c, struct report *r)
{
    char text[NUM_TEXT];
    if (!c->has_value)
        return;
    lane_number_text(&c->value, text);
    say_wrapped(r, 0, "%s is %s now, in %s memory.", c->name, text,
                c->shared ? "shared" : "global");
}

static void put_cell(struct json *j, const struct race_cell *c, const struct fault *f)
{
    if (!c->known)
        return;
    json_object(j, "cell");
    json_text(j, "name", c->name);
    json_text(j, "array", f->array);
    json_int(j, "index", f->index);
    if (c->has_value)
        lane_number_json(j, "value", &c->value);
    json_end_object(j);
}

/* ---- the threads ----------------------------------------------------------------------------- */

/* Where the thread is, and the line of its access. */
static void say_thread(struct stepped *st, const char *which, const struct fault_place *p,
                       bool acts, const struct race_cell *c, struct report *r)
{
    const struct step_focus f = focus_of(st, p);
    const struct text_file file = sources_find(&st->sources, p->file);
    const struct span line = file.name ? trim(line_at(file.text, p->line)) : (struct span){"", 0};
    const int now = line_now(st, f);
    const struct sim_instruction *next = acts ? stepper_next(st->stepper) : NULL;
    enum cell_access does = access_of_line(st, p, c->shared);
    if (next && access_of(next) != ACCESS_UNKNOWN)
        does = access_of(next);
    struct buf text = {0};
    buf_printf(&text, "%s: block %" PRIu64 ", warp %u, lane %u ", which, f.block, f.warp, f.lane);
    if (acts)
        buf_printf(&text, "is about to %s", accesses[does].will);
    else if (now)
        buf_printf(&text, "is at line %d now, and has %s", now, accesses[does].did);
    else
        buf_printf(&text, "has ended, and has %s", accesses[does].did);
    say_wrapped(r, 2, "%s %s:", buf_text(&text), c->known ? c->name : "the memory");
    buf_free(&text);
    say(r, "  %5d  %.*s\n", p->line, (int)columns_fit(line.at, line.n, r->width - LEAD), line.at);
}

static void put_thread(struct stepped *st, struct json *j, const char *key,
                       const struct fault_place *p, const struct race_cell *c)
{
    const enum cell_access does = c->known ? access_of_line(st, p, c->shared) : ACCESS_UNKNOWN;
    const struct step_focus f = focus_of(st, p);
    const int now = line_now(st, f);
    json_object(j, key);
    json_uint(j, "block", f.block);
    json_uint(j, "warp", f.warp);
    json_uint(j, "lane", f.lane);
    json_int(j, "line", p->line);
    if (now)
        json_int(j, "now", now);
    if (accesses[does].word)
        json_text(j, "access", accesses[does].word);
    json_end_object(j);
}

/* The first finding that counts; NULL: nothing counts. */
static const struct fault *first_finding(const struct report *r)
{
    for (unsigned i = 0; i < r->fault_count; i++)
        if (!r->faults[i].benign)
            return &r->faults[i];
    return NULL;
}

bool stepping_would_find(const struct shell *sh, const struct report *r)
{
    const struct fault *f = first_finding(&sh->found.report);
    return r->launch_count == 1 && r->fault_count && f && !f->of_host && !f->in_child &&
           !sh->stepping && !sh->record.caught;
}

static int to_finding(struct stepped *st, const struct fault *f, struct report *r)
{
    const uint64_t place = f->when ? f->when - 1 : 0;
    enum step_stop stop = stepper_to_place(st->stepper, place);
    if (stepper_has_ended(st->stepper) && place)
        stop = stepper_to_place(st->stepper, stepper_place(st->stepper) - 1);
    if (f->has_place) {
        const struct step_focus focus = focus_of(st, &f->at);
        stepper_set_focus(st->stepper, focus);
        if (stop == STEP_THERE && line_now(st, focus) != f->at.line) {
            /* A fault that ends the launch counts the instruction that has it. */
            stepper_to_place(st->stepper, f->when);
            if (!stepper_set_focus(st->stepper, focus) || line_now(st, focus) != f->at.line)
                stop = stepper_to_place(st->stepper, place);
            stepper_set_focus(st->stepper, focus);
        }
    }
    const struct race_cell cell = cell_of(st, f);
    say_wrapped(r, 0, "Just before this: %s: %s.", f->kind, f->message);
    if (f->has_place && f->has_other) {
        const bool acts = line_now(st, focus_of(st, &f->at)) == f->at.line;
        say_thread(st, "This thread", &f->at, acts, &cell, r);
        say_thread(st, "The other one", &f->other, false, &cell, r);
        say_cell(&cell, r);
    }
    if (f->has_place && line_now(st, focus_of(st, &f->at)) != f->at.line)
        say_wrapped(r, 0, "This thread is not at line %d here.", f->at.line);
    json_object(&r->result, "finding");
    json_text(&r->result, "kind", f->kind);
    put_cell(&r->result, &cell, f);
    if (f->has_place)
        put_thread(st, &r->result, "thread", &f->at, &cell);
    if (f->has_other)
        put_thread(st, &r->result, "other", &f->other, &cell);
    json_end_object(&r->result);
    stepping_show(st, stop, r);
    st->cell = 0;
    return r->status == REPORT_OK ? 0 : -1;
}

/* ---- what the simulator finds ----------------------------------------------------------------------- */

static const struct sim_result *observe(void *self, const struct sim_observer *observers,
                                        unsigned count, struct err *e)
{
    const struct stepped *st = self;
    return stepper_observe(st->stepper, observers, count, e);
}

/* Runs the launch from its begin to its end with these checkers. -1: the report says why not. Free the
 * result only after 0. */
static int check_again(struct stepped *st, unsigned checks, struct launch_result *result,
                       struct report *r)
{
    struct device *d = st->device;
    const struct launch_seen seen = {stepper_shape(st->stepper)->kernel, observe, st};
    struct err e = {0}, gone = {0};
    const int rc = d->ops->check_taken(d, &seen, checks, result, &e);
    if (stepper_observed(st->stepper, &gone) == 0)
        return rc == 0 ? 0 : report_fail_err(r, &e);
    if (rc == 0)
        launch_result_free(result);
    stepping_end(st->sh);
    return report_fail_err(r, &gone);
}

/* A GPU says of a fault neither where nor when it was. What never ends has no such place. */
static bool is_to_be_found(const struct fault *f)
{
    return f->ends && !f->has_place && !f->when && strcmp(f->kind, "timeout") != 0 &&
           strcmp(f->kind, "device-lost") != 0;
}

int stepping_to_finding(struct stepped *st, const struct fault *f, struct report *r)
{
    struct launch_result result;
    if (!is_to_be_found(f))
        return to_finding(st, f, r);
    if (check_again(st, 0, &result, r) != 0)
        return -1;
    unsigned i = 0;
    while (i < result.fault_count && !(result.faults[i].ends && result.faults[i].has_place))
        i++;
    if (i == result.fault_count)
        say_wrapped(r, 0, "The simulator does not find this mistake, so the launch is at its begin.");
    const int rc = to_finding(st, i < result.fault_count ? &result.faults[i] : f, r);
    launch_result_free(&result);
    return rc;
}

/* ---- to race ---------------------------------------------------------------------------------------- */

int stepping_to_race(struct stepped *st, struct report *r)
{
    const uint64_t here = stepper_place(st->stepper);
    struct launch_result result;
    struct err e = {0};
    unsigned checks = 0, i = 0;
    if (checks_parse("race", &checks, &e) != 0)
        return report_fail_err(r, &e);
    if (check_again(st, checks, &result, r) != 0)
        return -1;
    while (i < result.fault_count && (strncmp(result.faults[i].kind, "race-", 5) != 0 ||
                                      result.faults[i].when <= here + 1))
        i++;
    if (i < result.fault_count)
        to_finding(st, &result.faults[i], r);
    else
        stepping_show(st, STEP_NOT_THERE, r);
    launch_result_free(&result);
    return r->status == REPORT_OK ? 0 : -1;
}
