/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run of one variant; a right one with its answer; host calls. And which of these, the table
 * of all or a wrong one's schedules, a command asks for.
 */
#include "teach/lab.h"
#include "teach/pen.h"
#include "teach/schedule.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct schedule as_set = {.name = NULL};

/* ---- one run ---------------------------------------------------------------------------- */

bool attempt_ok(const struct attempt *got)
{
    return got->right && !got->fault[0];
}

/* What queues at one address, and the rest, which is spread over the multiprocessors. */
static uint64_t cost_of(const struct counters *c, int multiprocessors)
{
    uint64_t spread = c->warp_instructions + c->shared_load_wavefronts + c->shared_store_wavefronts;
    return c->global_atomics + spread / (multiprocessors > 0 ? (uint64_t)multiprocessors : 1);
}

static void note(const struct trial *t, const struct launch_result *result, struct attempt *got)
{
    for (unsigned i = 0; i < result->fault_count && !got->fault[0]; i++)
        if (!result->faults[i].benign)
            snprintf(got->fault, sizeof got->fault, "%s", result->faults[i].kind);
    got->has_counters |= result->has_counters;
    if (result->has_counters) {
        counters_add(&got->counters, &result->counters);
        got->cost = cost_of(&got->counters, t->session->device->props.multiprocessors);
    } else
        got->cost = got->predicted;
    if (!result->runs)
        return;
    got->median_s += result->measured_s;
    got->min_s += result->min_s;
    got->mean_s += result->mean_s;
}

int trial_launch(const struct trial *t, const struct lab_launch *given, struct attempt *got,
                 const char *types, ...)
{
    struct lab_launch l = *given;
    struct launch_result own = {0}, *result = t->result ? t->result : &own;
    va_list ap;
    l.schedule = t->schedule->name;
    l.seed = t->schedule->seed;
    l.trace = t->trace;
    l.quiet = t->quiet;
    l.counts |= t->counts;
    launch_result_free(result);
    va_start(ap, types);
    int failed = lab_launch_v(t->session, &l, result, t->report, types, ap);
    va_end(ap);
    if (failed)
        return -1;
    note(t, result, got);
    launch_result_free(&own);
    return 0;
}

int ladder_attempt(const struct ladder *l, struct trial *t, struct attempt *got)
{
    struct gpu_aside aside;
    *got = (struct attempt){.cost = UINT64_MAX}; /* where nothing is launched: the host is slow */
    t->session = l->session;
    t->report = l->report;
    if (!t->schedule->simulated || !session_on_gpu(l->session))
        return l->attempt(l->self, t, got);
    if (session_put_gpu_aside(l->session, &aside, l->report))
        return -1;
    int failed = l->attempt(l->self, t, got);
    session_take_gpu_back(l->session, &aside);
    return failed;
}

int ladder_try(const struct ladder *l, const struct lab_variant *v, const struct schedule *how,
               struct attempt *got)
{
    struct trial t = {.variant = v, .schedule = how, .quiet = true};
    if (ladder_attempt(l, &t, got))
        return -1;
    if (strcmp(got->fault, "timeout") != 0 || (v->fault && strstr(v->fault, "timeout")))
        return 0;
    return report_fault(l->report, "timeout",
                        "%s came to no end within the step limit or the time limit; take a "
                        "smaller n, or set a higher limit", v->name);
}

/* Something that its row names was found; or nothing was, where a GPU has no checkers or the row
 * names nothing, and the answer is wrong. */
bool ladder_fails_so(const struct lab_variant *v, const struct attempt *got)
{
    if (got->fault[0])
        return v->fault && strstr(v->fault, got->fault);
    return !got->right;
}

/* ---- schedules -------------------------------------------------------------------------- */

/* A GPU comes first; a chance that it leaves out is brought about on a simulator. */
static const struct schedule usual[] = {
    {"lockstep", 0, "this GPU", false},        {"lockstep", 0, "lockstep", true},
    {"random", 1, "random:1", true},           {"random", 2, "random:2", true},
    {"independent", 1, "independent:1", true}, {"independent", 2, "independent:2", true},
};
enum { USUAL = sizeof usual / sizeof usual[0] };

static bool is_tried(const struct ladder *l, const struct schedule *s)
{
    if (!s->simulated)
        return session_on_gpu(l->session);
    return strcmp(s->name, "independent") != 0 || device_drifts(&l->session->device->props);
}

struct schedule *ladder_schedules(const struct ladder *l, size_t *room)
{
    struct schedule_range range;
    struct err ignored;
    unsigned n = 0;
    bool typed = schedule_read(l->session->settings.schedule, &range, &ignored) == 0 &&
                 range.runs > 1;
    *room = ((typed ? range.runs : USUAL) + 1) * sizeof(struct schedule);
    struct schedule *out = mem_get(&allocator_libc, *room);
    for (unsigned i = 0; out && !typed && i < USUAL; i++)
        if (is_tried(l, &usual[i]))
            out[n++] = usual[i];
    for (unsigned i = 0; out && typed && i < range.runs; i++) {
        out[i] = (struct schedule){range.name, range.first + i, "", true};
        snprintf(out[i].label, sizeof out[i].label, "%s:%llu", range.name,
                 (unsigned long long)out[i].seed);
    }
    return out; /* zeroed: it ends where no name is */
}

/* ---- values ----------------------------------------------------------------------------- */

const char *ladder_value_text(const struct ladder *l, double v, char out[NUM_TEXT])
{
    if (l->kind == VALUE_INT)
        return num_group((int64_t)v, out);
    if (l->kind == VALUE_ARRAY) {
        snprintf(out, NUM_TEXT, "%.5g", v);
        return out;
    }
    return l->kind == VALUE_F32 ? num_f32((float)v, out) : num_f64(v, out);
}

void ladder_put_value(const struct ladder *l, struct json *j, const struct attempt *got)
{
    if (l->kind == VALUE_INT)
        json_int(j, l->value, (int64_t)got->value);
    else if (l->kind == VALUE_F32)
        json_f32(j, l->value, (float)got->value);
    else
        json_f64(j, l->value, got->value);
    if (l->kind == VALUE_ARRAY)
        json_uint(j, "wrong", got->wrong);
    else if (l->kind != VALUE_INT)
        json_f64(j, "error", got->error);
}

const char *ladder_error_head(const struct ladder *l)
{
    return l->kind == VALUE_INT ? NULL : l->kind == VALUE_ARRAY ? "wrong" : "error";
}

const char *ladder_error_text(const struct ladder *l, const struct attempt *got,
                              char out[NUM_TEXT])
{
    if (l->kind == VALUE_ARRAY)
        return num_group((int64_t)got->wrong, out);
    return num_rough(got->error, out);
}

/* ---- a right one ------------------------------------------------------------------------ */

void ladder_explain(const struct ladder *l, const struct lab_variant *v,
                    const struct attempt *got, const char *which)
{
    struct slots s;
    slots_init(&s);
    if (l->slots)
        l->slots(l->self, v, got, &s);
    lab_explain(l->report, l->file, which, &s);
}

/* The same launch again; a kernel whose order is left to chance may round differently. */
static int say_repeats(const struct ladder *l, const struct lab_variant *v,
                       const struct attempt *first)
{
    int64_t repeat = arg_given(l->args, "repeat") ? arg_int(l->args, "repeat") : 1, same = 1;
    for (int64_t i = 1; i < repeat && !l->session->stop; i++) {
        struct attempt again;
        if (ladder_try(l, v, &as_set, &again))
            return -1;
        if (again.fault[0])
            return report_fault(l->report, again.fault, "run %lld of %lld ended by a %s",
                                (long long)i + 1, (long long)repeat, again.fault);
        same += again.value == first->value;
    }
    if (l->session->stop)
        return report_fail(l->report, "stopped");
    if (repeat > 1)
        say_item(l->report, "repeated", "%lld runs, %lld with the same bits", (long long)repeat,
                 (long long)same);
    return 0;
}

/* Under a range of seeds: is it right with each of them? */
static int say_each_seed(const struct ladder *l, const struct lab_variant *v,
                         const struct attempt *first)
{
    size_t room;
    struct schedule_range range;
    struct err ignored;
    unsigned tried = 0, good = 0, same = 0;
    if (schedule_read(l->session->settings.schedule, &range, &ignored) != 0 || range.runs < 2)
        return 0;
    struct schedule *all = ladder_schedules(l, &room);
    int failed = all ? 0 : report_fail(l->report, "out of memory");
    for (struct schedule *s = all; !failed && s->name && !l->session->stop; s++, tried++) {
        struct attempt got = {0};
        failed = ladder_try(l, v, s, &got);
        good += attempt_ok(&got);
        same += got.value == first->value;
    }
    mem_put(&allocator_libc, all, room);
    if (failed)
        return -1;
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
    if (l->report->status != REPORT_OK) /* stopped by a fault: there is no answer */
        return -1;
    if (l->put)
        l->put(l->self, v, got);
    if (l->tell)
        l->tell(l->self, v, got);
    if (l->draw)
        l->draw(l->self, v, result);
    int failed = say_repeats(l, v, got) || say_each_seed(l, v, got);
    lab_extras(l->session, l->args, result, l->report);
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
