/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a finding to the moment before it: the launch that had it is stepped again. The thread in
 * focus is the one whose access was found. Of a race the other thread is shown, too.
 */
#include "repl/step/stepping.h"

#include "dev/checks.h"
#include "repl/step/step.h"
#include "screen/columns.h"
#include "screen/wrap.h"

#include <inttypes.h>
#include <string.h>

enum { LEAD = 9 }; /* columns before a line of the source */

static struct step_focus focus_of(const struct stepped *st, const struct fault_place *p)
{
    const unsigned *grid = stepper_shape(st->stepper)->grid, *block = stepper_shape(st->stepper)->block;
    const uint64_t thread = p->thread[0] + (uint64_t)block[0] * (p->thread[1] + (uint64_t)block[1] * p->thread[2]);
    return (struct step_focus){p->block[0] + (uint64_t)grid[0] * (p->block[1] + (uint64_t)grid[1] * p->block[2]),
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

/* Where the thread is, and the line of its access. */
static void say_thread(struct stepped *st, const char *which, const struct fault_place *p, bool acts,
                       struct report *r)
{
    const struct step_focus f = focus_of(st, p);
    const struct text_file file = sources_find(&st->sources, p->file);
    const struct span line = file.name ? trim(line_at(file.text, p->line)) : (struct span){"", 0};
    const int now = line_now(st, f);
    struct buf text = {0};
    buf_printf(&text, "%s: block %" PRIu64 ", warp %u, lane %u ", which, f.block, f.warp, f.lane);
    if (acts)
        buf_puts(&text, "is about to execute:");
    else if (now)
        buf_printf(&text, "is at line %d now, and has executed:", now);
    else
        buf_puts(&text, "has ended, and has executed:");
    say_wrapped(r, 2, "%s", buf_text(&text));
    buf_free(&text);
    say(r, "  %5d  %.*s\n", p->line, (int)columns_fit(line.at, line.n, r->width - LEAD), line.at);
}

static void put_thread(struct stepped *st, struct json *j, const char *key,
                       const struct fault_place *p)
{
    const struct step_focus f = focus_of(st, p);
    const int now = line_now(st, f);
    json_object(j, key);
    json_uint(j, "block", f.block);
    json_uint(j, "warp", f.warp);
    json_uint(j, "lane", f.lane);
    json_int(j, "line", p->line);
    if (now)
        json_int(j, "now", now);
    json_end_object(j);
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
    say_wrapped(r, 0, "Just before this: %s: %s.", f->kind, f->message);
    if (f->has_place && f->has_other) {
        say_thread(st, "This thread", &f->at, line_now(st, focus_of(st, &f->at)) == f->at.line, r);
        say_thread(st, "The other one", &f->other, false, r);
    }
    if (f->has_place && line_now(st, focus_of(st, &f->at)) != f->at.line)
        say_wrapped(r, 0, "This thread is not at line %d here.", f->at.line);
    json_object(&r->result, "finding");
    json_text(&r->result, "kind", f->kind);
    if (f->has_place)
        put_thread(st, &r->result, "thread", &f->at);
    if (f->has_other)
        put_thread(st, &r->result, "other", &f->other);
    json_end_object(&r->result);
    return stepping_show(st, stop, r);
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
