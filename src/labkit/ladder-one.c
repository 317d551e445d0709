/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A right variant with its answer, repeated or under each seed of a range; host calls. And which
 * of these, the table of all or a wrong one's schedules, a command asks for.
 */
#include "labkit/lab.h"
#include "labkit/ladder.h"
#include "screen/pen.h"
#include "labkit/schedule.h"

#include <stdio.h>
#include <string.h>

static const struct schedule as_set = {.name = NULL};

/* ---- a right one ------------------------------------------------------------------------ */

void ladder_explain(const struct ladder *l, const struct lab_variant *v,
                    const struct attempt *got, const char *which)
{
    struct slots s;
    slots_init(&s);
    if (l->slots)
        l->slots(l->self, v, got, &s);
    lab_explain_slots(l->report, l->file, which, &s);
}

void ladder_try_others(const struct ladder *l)
{
    struct slots s;
    slots_init(&s);
    slot(&s, "lab", "%s", l->file);
    say(l->report, "\n");
    explain_try(l->report, "unsupported-instruction", "variant", &s);
    slots_free(&s);
}

/* The same launch again and again; -1: one did not end well. *same: how often with these bits. */
static int try_again(const struct ladder *l, const struct lab_variant *v,
                     const struct attempt *first, int64_t repeat, int64_t *same)
{
    for (int64_t i = 1; i < repeat && !l->session->stop; i++) {
        struct attempt again;
        if (ladder_try(l, v, &as_set, &again))
            return -1;
        if (again.not_run[0])
            return report_fail(l->report, "run %lld of %lld could not be: %s", (long long)i + 1,
                               (long long)repeat, again.not_run);
        if (again.fault[0])
            return report_fault(l->report, again.fault, "run %lld of %lld ended by a %s",
                                (long long)i + 1, (long long)repeat, again.fault);
        *same += again.value == first->value;
    }
    return l->session->stop ? report_fail(l->report, "stopped") : 0;
}

/* --repeat: a kernel whose order is left to chance may round differently. On a GPU the first
 * attempt was timed so often; each of these runs once, for its answer. */
static int say_repeats(const struct ladder *l, const struct lab_variant *v,
                       const struct attempt *first)
{
    int64_t repeat = arg_given(l->args, "repeat") ? arg_int(l->args, "repeat") : 1, same = 1;
    unsigned timed = l->session->runs;
    l->session->runs = 1;
    int failed = try_again(l, v, first, repeat, &same);
    l->session->runs = timed;
    if (!failed && repeat > 1)
        say_item(l->report, "repeated", "%lld runs, %lld with the same bits", (long long)repeat,
                 (long long)same);
    return failed;
}

/* Under a range of seeds: is it right with each of them? */
static int say_each_seed(const struct ladder *l, const struct lab_variant *v,
                         const struct attempt *first)
{
    size_t room;
    struct schedule_range range;
    struct err ignored;
    unsigned tried = 0, good = 0, same = 0;
    bool absent = false; /* what only a GPU has */
    if (schedule_read(l->session->settings.schedule, &range, &ignored) != 0 || range.runs < 2)
        return 0;
    struct schedule *all = ladder_schedules(l, &room);
    int failed = all ? 0 : report_fail(l->report, "out of memory");
    for (struct schedule *s = all; !failed && !absent && s->name && !l->session->stop;
         s++, tried++) {
        struct attempt got = {0};
        failed = ladder_try(l, v, s, &got);
        absent = got.not_run[0] != '\0';
        good += attempt_ok(&got);
        same += got.value == first->value;
    }
    mem_put(&allocator_libc, all, room);
    if (failed || absent)
        return failed ? -1 : 0;
    say_item(l->report, "schedules", "%s: right in %u of %u, %u with the same bits as the first",
             l->session->settings.schedule, good, tried, same);
    json_object(&l->report->result, "range");
    json_uint(&l->report->result, "runs", tried);
    json_uint(&l->report->result, "ok", good);
    json_uint(&l->report->result, "same", same);
    json_end_object(&l->report->result);
    return good == tried ? 0 : report_fail(l->report, "%s was right in %u of %u schedules only",
                                           v->name, good, tried);
}

/* What stands under the answer. */
static int tell_one(const struct ladder *l, const struct lab_variant *v, const struct attempt *got,
                    const struct launch_result *result)
{
    if (attempt_closed(got))
        ladder_try_others(l);
    if (l->report->status != REPORT_OK) /* stopped by a fault: there is no answer */
        return -1;
    if (l->put)
        l->put(l->self, v, got);
    if (l->tell)
        l->tell(l->self, v, got);
    if (l->show)
        l->show(l->self, v, got, result);
    int failed = say_repeats(l, v, got) || say_each_seed(l, v, got);
    lab_extras(l->session, l->args->options, result, l->report);
    if (got->untimed && got->median_s > 0 && l->report->volatile_on)
        say_item(l->report, "not timed", "%s", got->untimed);
    if (failed || l->report->status != REPORT_OK)
        return -1;
    ladder_explain(l, v, got, v->name);
    return got->right ? 0
                      : report_fail(l->report, "%s: the %s is not what it should be", v->name,
                                    l->value);
}

int ladder_one(const struct ladder *l, const struct lab_variant *v)
{
    struct launch_result result = {0};
    struct attempt got;
    struct trial t = {.variant = v, .schedule = &as_set, .trace = arg_flag(l->args, "trace"),
                      .result = &result};
    int failed = l->head ? l->head(l->self, v) : 0;
    if (!failed)
        failed = ladder_attempt(l, &t, &got);
    if (!failed && got.not_run[0])
        failed = report_fail(l->report, "%s can't run so: %s", v->name, got.not_run);
    if (!failed)
        failed = tell_one(l, v, &got, &result);
    launch_result_free(&result);
    return failed ? -1 : 0;
}

/* ---- host calls ------------------------------------------------------------------------- */

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

static int tell_calls(const struct ladder *l, const struct lab_variant *v)
{
    char kernel[160];
    const struct host_call *calls = l->calls_of ? l->calls_of(l->self, v) : l->calls;
    if (!calls || !v->kernel)
        return report_fail(l->report, "%s runs on the host and calls no device; another --variant "
                                      "does, for example %s", v->name, l->variants[0].name);
    if (l->head && l->head(l->self, v))
        return -1;
    snprintf(kernel, sizeof kernel, "%s<<<B, T>>>", v->kernel);
    if (l->call)
        l->call(l->self, v, kernel, sizeof kernel);
    say_calls(l->report, calls, kernel);
    json_text(&l->report->result, "variant", v->name);
    ladder_explain(l, v, NULL, "calls");
    return 0;
}

/* ---- what is asked for ------------------------------------------------------------------ */

static int tell_all(const struct ladder *l)
{
    static const char *const why[] = {"all", "all-times", "all-plain"}; /* by ladder_shows */
    struct slots s;
    if (l->head && l->head(l->self, NULL))
        return -1;
    if (l->order) {
        text_wrap(&l->report->screen, l->order, strlen(l->order), l->report->width, 0);
        say(l->report, "\n");
    }
    int failed = ladder_all(l);
    json_text(&l->report->result, "variant", "all");
    if (l->put)
        l->put(l->self, NULL, NULL);
    json_bool(&l->report->result, "ok", !failed);
    if (failed)
        return -1;
    slots_init(&s);
    if (l->slots)
        l->slots(l->self, NULL, NULL, &s);
    size_t n;
    const char *text = why[ladder_shows(l)];
    explain_why(l->report, l->file, help_section(l->file, "why", text, &n) ? text : "all", &s);
    explain_try(l->report, l->file, "all", &s);
    slots_free(&s);
    return 0;
}

int ladder_run(const struct ladder *l)
{
    const char *name = arg_text(l->args, "variant");
    const struct lab_variant *v = l->variants;
    if (strcmp(name, "all") == 0 || (l->all_unless_told && !arg_given(l->args, "variant") &&
                                     !arg_flag(l->args, "calls")))
        return tell_all(l);
    while (v->name && strcmp(v->name, name) != 0)
        v++;
    if (arg_flag(l->args, "calls"))
        return tell_calls(l, v);
    return v->mended_by ? ladder_wrong(l, v) : ladder_one(l, v);
}
