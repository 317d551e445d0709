/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A right variant with its answer, repeated or under each seed of a range. The command may also ask
 * for the host calls, for the table of all variants, or for the schedules of a wrong one.
 */
#include "labkit/lab.h"
#include "labkit/ladder/ladder.h"
#include "labkit/ladder/schedule.h"
#include "labkit/times.h"
#include "text/explain.h"

#include <string.h>

static const struct schedule as_set = {.name = NULL};

/* ---- a right one ------------------------------------------------------------------------ */

/* The same launch again and again; -1: one did not end well. *same: how often with these bits. */
static int try_again(struct lab_run *w, const struct lab_variant *v, const struct attempt *first,
                     int repeat, int *same)
{
    for (int i = 1; i < repeat && !w->session->stop; i++) {
        struct attempt again;
        if (ladder_try(w, v, &as_set, &again))
            return -1;
        if (again.not_run[0])
            return report_fail(w->report, "run %d of %d could not start: %s", i + 1, repeat,
                               again.not_run);
        if (again.fault[0])
            return report_fault(w->report, again.fault, "run %d of %d ended with a %s",
            i + 1, repeat,
                                again.fault);
        *same += again.value == first->value;
    }
    return w->session->stop ? report_fail(w->report, "stopped") : 0;
}

/* --repeat: a kernel whose order is left to chance may round differently. On a GPU the first
 * attempt was timed so often; each of these runs once, for its answer. */
static int say_repeats(struct lab_run *w, const struct lab_variant *v, const struct attempt *first)
{
    int repeat = w->options->repeat, same = 1;
    unsigned timed = w->session->runs;
    w->session->runs = 1;
    int failed = try_again(w, v, first, repeat, &same);
    w->session->runs = timed;
    if (!failed && repeat > 1)
        say_item(w->report, "repeated", "%d runs, %d with the same bits", repeat, same);
    return failed;
}

/* Under a range of seeds: is it right with each of them? */
static int say_each_seed(struct lab_run *w, const struct lab_variant *v,
                         const struct attempt *first)
{
    uint64_t room;
    struct schedule_range range;
    struct err ignored;
    unsigned tried = 0, good = 0, same = 0;
    bool absent = false; /* what only a GPU has */
    if (schedule_read(w->session->settings.schedule, &range, &ignored) != 0 || range.runs < 2)
        return 0;
    struct schedule *all = ladder_schedules(w, &room);
    int failed = all ? 0 : report_fail_limit(w->report, "out of memory");
    for (struct schedule *s = all; !failed && !absent && s->name && !w->session->stop;
         s++, tried++) {
        struct attempt got = {0};
        failed = ladder_try(w, v, s, &got);
        absent = got.not_run[0] != '\0';
        good += got.ok;
        same += got.value == first->value;
    }
    mem_free(&allocator_libc, all, room);
    if (failed || absent)
        return failed ? -1 : 0;
    say_item(w->report, "schedules", "%s: right in %u of %u, %u with the same bits as the first",
             w->session->settings.schedule, good, tried, same);
    json_object(&w->report->result, "range");
    json_uint(&w->report->result, "runs", tried);
    json_uint(&w->report->result, "ok", good);
    json_uint(&w->report->result, "same", same);
    json_end_object(&w->report->result);
    return good == tried ? 0 : report_fail(w->report, "%s was right in %u of %u schedules only",
                                           v->name, good, tried);
}

/* What stands under the answer. */
static int tell_one(struct lab_run *w, const struct lab_variant *v, const struct attempt *got,
                    const struct launch_result *result)
{
    if (attempt_closed(got))
        ladder_try_others(w);
    if (w->report->status != REPORT_OK) /* stopped by a fault: there is no answer */
        return -1;
    if (ladder_json(w, v, got))
        return -1;
    ladder_say(w, w->ladder->facts);
    if (w->ladder->show)
        w->ladder->show(w, v, result);
    int failed = say_repeats(w, v, got) || say_each_seed(w, v, got);
    if (w->ladder->own_times) {
        if (w->options->trace)
            say_trace(w->report, result, 0);
        lab_counters(w->session, w->options, result, w->report);
    } else
        lab_extras(w->session, w->options, result, w->report);
    if (got->untimed && got->median_s > 0 && w->report->volatile_on)
        say_item(w->report, "not timed", "%s", got->untimed);
    if (failed || w->report->status != REPORT_OK || ladder_find(w, v, got))
        return -1;
    ladder_explain(w, w->why);
    return got->right ? 0
                      : report_fail(w->report, "%s: the result is wrong", v->name);
}

static int ladder_one(struct lab_run *w, const struct lab_variant *v)
{
    struct launch_result result = {0};
    struct attempt got;
    struct trial t = {.variant = v, .schedule = &as_set, .trace = w->options->trace,
                      .result = &result};
    int failed = ladder_head(w, v);
    if (!failed)
        failed = ladder_attempt(w, &t, &got);
    if (!failed && got.not_run[0])
        failed = report_fail(w->report, "%s can't run: %s",
        v->name, got.not_run);
    if (!failed)
        failed = tell_one(w, v, &got, &result);
    launch_result_free(&result);
    return failed ? -1 : 0;
}

/* ---- what is asked for ------------------------------------------------------------------ */

static int tell_calls(struct lab_run *w, const struct lab_variant *v)
{
    struct slots s;
    if (!v->kernel)
        return report_fail(w->report, "%s runs on the host and calls no device; another --variant "
                                      "does, for example %s", v->name, w->lab->variants[0].name);
    if (ladder_head(w, v))
        return -1;
    if (w->ladder->calls) {
        struct buf text = {0};
        int failed = w->ladder->calls(w, v, &text);
        say_calls_of(w->report, &text);
        buf_free(&text);
        if (failed)
            return -1;
    }
    ladder_slots(w, &s);
    if (!w->ladder->calls)
        say_calls(w->report, w->lab->module, w->calls, &s);
    json_text(&w->report->result, "variant", v->name);
    lab_explain_calls(w->report, w->lab->module, w->calls, &s);
    return 0;
}

static int tell_all(struct lab_run *w)
{
    static const char *const why[] = {"all", "all-times", "all-plain"}; /* by ladder_shows */
    const char *file = w->lab->module, *text = why[ladder_shows(w)], *order = w->ladder->order;
    struct json *j = &w->report->result;
    struct slots s;
    size_t n;
    if (session_keeps_launches(w->session))
        return report_fail(w->report, "bench takes one --variant; with `set volatile on`, --variant "
                                      "all itself times each of them");
    if (ladder_head(w, NULL))
        return -1;
    if (order) {
        text_wrap(&w->report->screen, order, strlen(order), w->report->width, 0);
        say(w->report, "\n");
    }
    int failed = ladder_all(w);
    json_text(j, "variant", "all");
    if (ladder_json(w, NULL, NULL))
        return -1;
    json_bool(j, "ok", !failed);
    if (failed)
        return -1;
    ladder_slots(w, &s);
    explain_why(w->report, file, help_section(file, "why", text, &n) ? text : "all", &s);
    explain_try(w->report, file, "all", &s);
    return 0;
}

bool lab_runs_all(const struct lab_options *o)
{
    return strcmp(o->variant, "all") == 0;
}

int ladder_run(const struct ladder *l, struct lab_run *w)
{
    const struct lab_options *o = w->options;
    w->ladder = l;
    const struct lab_variant *v = lab_variant_named(w->lab, o->variant);
    if (!v && o->calls && !o->variant_given)
        v = w->lab->variants;
    if (!v)
        return tell_all(w);
    if (o->calls)
        return tell_calls(w, v);
    return v->mended_by ? ladder_wrong(w, v) : ladder_one(w, v);
}
