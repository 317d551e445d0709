/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run of one variant under one schedule, its verdict, and which schedules a wrong one is tried
 * under. What is made of the runs is in ladder.c, one.c and wrong.c.
 */
#include "labkit/ladder/ladder.h"

#include "base/rounding.h"
#include "labkit/lab.h"
#include "labkit/ladder/schedule.h"
#include "labkit/times.h"
#include "labkit/transfer.h"

#include <stdio.h>
#include <string.h>

/* ---- one run ---------------------------------------------------------------------------- */

bool attempt_ok(const struct attempt *got)
{
    return got->right && !got->fault[0];
}

void attempt_sum(struct attempt *got, const struct lab_variant *v, double off, double bound,
                 double magnitude)
{
    const enum sum_verdict verdict = sum_verdict(off, bound, magnitude);
    got->rounded_away = verdict == SUM_ROUNDED_AWAY && !v->mended_by;
    got->right = verdict == SUM_RIGHT || got->rounded_away;
}

/* Of two elements that are the same, also where both are infinite or no number. */
static bool same(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

void attempt_array(struct attempt *to, const float *got, const float *expected, size_t n)
{
    enum { TOGETHER = 4096 }; /* compared first as bytes, which takes less time */
    double sum = 0;
    to->wrong = 0;
    for (size_t from = 0, end; from < n; from = end) {
        end = n - from < TOGETHER ? n : from + TOGETHER;
        if (memcmp(got + from, expected + from, (end - from) * sizeof *got) == 0)
            continue;
        for (size_t i = from; i < end; i++) {
            if (same(got[i], expected[i]))
                continue;
            double off = (double)got[i] - (double)expected[i];
            sum += off * off;
            to->wrong++;
        }
    }
    to->value = __builtin_sqrt(sum);
    to->expected = 0;
    to->error = to->value;
    to->right = to->wrong == 0;
}

/* What follows from what the lab has found. */
static void conclude(struct attempt *got)
{
    got->ok = attempt_ok(got);
    got->value_f32 = (float)got->value;
    const enum sum_verdict verdict = got->rounded_away ? SUM_ROUNDED_AWAY
                                     : got->right      ? SUM_RIGHT
                                                       : SUM_WRONG;
    got->verdict = (struct verdict){verdict == SUM_RIGHT, sum_verdict_says(verdict)};
}

const char *attempt_closed(const struct attempt *got)
{
    if (got->not_run[0])
        return got->not_run;
    return strcmp(got->fault, "unsupported-instruction") == 0
               ? "it needs an instruction that this card lacks" : NULL;
}

#define PICO 1e12

/* Where no time is modelled: what queues at one address, and the rest, which is spread over the
 * multiprocessors. */
static uint64_t cost_of(const struct counters *c, int multiprocessors)
{
    uint64_t spread = c->warp_instructions + c->shared_load_wavefronts + c->shared_store_wavefronts;
    return c->global_atomics + spread / (multiprocessors > 0 ? (uint64_t)multiprocessors : 1);
}

/* What is kept of the last launch has the counts and the time of all of them together. */
void trial_note(const struct trial *t, struct launch_result *result, struct attempt *got)
{
    snprintf(got->not_run, sizeof got->not_run, "%s", result->not_run);
    for (unsigned i = 0; i < result->fault_count && !got->fault[0]; i++)
        if (!result->faults[i].benign) {
            snprintf(got->fault, sizeof got->fault, "%s", result->faults[i].kind);
            got->fault_ends = result->faults[i].ends;
            got->at = result->faults[i].at;
        }
    got->has_counters |= result->has_counters;
    result->launches = ++got->launches;
    if (result->has_model) {
        model_add(&got->model, &result->model);
        result->model = got->model;
        got->modelled++;
    }
    got->has_model = result->has_model = got->modelled == got->launches;
    if (result->has_counters) {
        counters_add(&got->counters, &result->counters);
        result->counters = got->counters;
        got->cost = cost_of(&got->counters, t->session->device->props.multiprocessors);
    } else
        got->cost = got->predicted;
    if (got->has_model)
        got->cost = (uint64_t)(got->model.seconds * PICO + 0.5);
    if (!result->runs)
        return;
    result->measured_s = got->median_s += result->measured_s;
    result->min_s = got->min_s += result->min_s;
    result->mean_s = got->mean_s += result->mean_s;
    got->runs = result->runs;
}

/* What a launch or a call of a library left; `failed` is what the call returned. */
static int note_call(const struct trial *t, int failed, struct launch_result *result,
                     struct attempt *got)
{
    if (failed)
        return -1;
    trial_note(t, result, got);
    if (result != t->result)
        launch_result_free(result);
    return 0;
}

/* Where the result of a call goes: for the caller, or to `own`. */
static struct launch_result *result_of(const struct trial *t, struct launch_result *own)
{
    if (t->result)
        launch_result_free(t->result);
    return t->result ? t->result : own;
}

int trial_launch(const struct trial *t, const struct lab_launch *given, struct attempt *got,
                 const struct param *params)
{
    struct lab_launch l = *given;
    struct launch_result own = {0}, *result = result_of(t, &own);
    l.schedule = t->schedule->name;
    l.seed = t->schedule->seed;
    l.trace = t->trace;
    l.quiet = t->quiet;
    l.counts |= t->counts;
    return note_call(t, lab_launch(t->session, &l, result, t->report, params), result, got);
}

int trial_dot(const struct trial *t, const struct dot_job *dot, struct attempt *got)
{
    struct launch_result own = {0}, *result = result_of(t, &own);
    return note_call(t, lab_cublas_dot(t->session, dot, t->quiet, result, t->report), result, got);
}

int trial_product(const struct trial *t, const struct product_job *product, struct attempt *got)
{
    struct launch_result own = {0}, *result = result_of(t, &own);
    return note_call(t, lab_cublas_product(t->session, product, t->quiet, result, t->report),
                     result, got);
}

int trial_random(const struct trial *t, const struct random_job *job, struct attempt *got)
{
    struct launch_result own = {0}, *result = result_of(t, &own);
    return note_call(t, lab_curand_uniform(t->session, job, t->quiet, result, t->report), result,
                     got);
}

bool trial_lacks_managed(const struct trial *t, const char *without, struct attempt *got)
{
    if (!transfer_refused(BY_PAGES, &t->session->device->props))
        return false;
    snprintf(got->not_run, sizeof got->not_run,
             "managed memory needs compute capability 3.0; --variant %s does without", without);
    return true;
}

/* One run is for the answer. Its time says little: more runs of the same launches are timed. */
bool trial_keeps(const struct trial *t)
{
    return !t->variant->mended_by && session_begins_to_keep(t->session, t->report);
}

static int take_times(const struct trial *t, struct attempt *got)
{
    struct sample sample;
    if (session_sample_launches(t->session, &sample, t->report))
        return -1;
    if (!sample.count) /* the one run is all that is known */
        return 0;
    got->runs = sample.count;
    got->median_s = sample.median;
    got->min_s = sample.least;
    got->mean_s = sample.mean;
    if (t->result)
        times_to_result(&sample, t->result);
    if (!t->quiet)
        report_times(t->report, &sample);
    return 0;
}

int trial_times(const struct trial *t, int failed, struct attempt *got)
{
    if (!failed && t->session->kept_launches && !got->not_run[0] && !got->fault[0])
        failed = take_times(t, got);
    session_forget_launches(t->session);
    return failed;
}

static int attempt(struct lab_run *w, const struct trial *t, struct attempt *got)
{
    if (ladder_find(w, t->variant, NULL))
        return -1;
    const bool timed = trial_keeps(t);
    int failed = w->ladder->attempt(w, t, got);
    if (timed)
        failed = trial_times(t, failed, got);
    if (failed)
        return -1;
    conclude(got);
    return 0;
}

int ladder_attempt(struct lab_run *w, struct trial *t, struct attempt *got)
{
    struct gpu_aside aside;
    *got = (struct attempt){.cost = UINT64_MAX}; /* where nothing is launched: the host is slow */
    t->session = w->session;
    t->report = w->report;
    t->session->launched = 0;
    if (!t->schedule->simulated || !session_on_gpu(w->session))
        return attempt(w, t, got);
    if (session_put_gpu_aside(w->session, &aside, w->report))
        return -1;
    int failed = attempt(w, t, got);
    session_take_gpu_back(w->session, &aside);
    return failed;
}

int ladder_try(struct lab_run *w, const struct lab_variant *v, const struct schedule *how,
               struct attempt *got)
{
    struct trial t = {.variant = v, .schedule = how, .quiet = true};
    w->session->trying = true;
    const int failed = ladder_attempt(w, &t, got);
    w->session->trying = false;
    if (failed)
        return -1;
    if (strcmp(got->fault, "timeout") != 0 || (v->fault && strstr(v->fault, "timeout")))
        return 0;
    const struct fault ended = {.kind = "timeout", .at = got->at,
                                .has_place = got->at.file[0] != '\0'};
    return report_fault_like(w->report, &ended, "%s came to no end within the step limit or the "
                             "time limit; take a smaller n, or set a higher limit", v->name);
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

static bool is_tried(const struct lab_run *w, const struct schedule *s)
{
    if (!s->simulated)
        return session_on_gpu(w->session);
    return strcmp(s->name, "independent") != 0 || device_drifts(&w->session->device->props);
}

/* The schedule that the student has set is tried too, if the usual ones do not have it. */
static void add_own(const struct lab_run *w, const struct schedule_range *range,
                    struct schedule *out, unsigned n)
{
    const struct settings *set = &w->session->settings;
    struct schedule own = {range->name, range->seeded ? range->first : set->seed, "", true};
    if (strcmp(own.name, "lockstep") == 0 || !is_tried(w, &own))
        return;
    for (unsigned i = 0; i < n; i++)
        if (strcmp(out[i].name, own.name) == 0 && out[i].seed == own.seed)
            return;
    snprintf(own.label, sizeof own.label, "%s:%llu", own.name, (unsigned long long)own.seed);
    out[n] = own;
}

struct schedule *ladder_schedules(const struct lab_run *w, uint64_t *room)
{
    struct schedule_range range;
    struct err ignored;
    unsigned n = 0;
    const bool known = schedule_read(w->session->settings.schedule, &range, &ignored) == 0;
    const bool typed = known && range.runs > 1;
    *room = ((typed ? range.runs : USUAL + 1) + 1) * (uint64_t)sizeof(struct schedule);
    struct schedule *out = mem_alloc(&allocator_libc, *room);
    for (unsigned i = 0; out && !typed && i < USUAL; i++)
        if (is_tried(w, &usual[i]))
            out[n++] = usual[i];
    if (out && known && !typed)
        add_own(w, &range, out, n);
    for (unsigned i = 0; out && typed && i < range.runs; i++) {
        out[i] = (struct schedule){range.name, range.first + i, "", true};
        snprintf(out[i].label, sizeof out[i].label, "%s:%llu", range.name,
                 (unsigned long long)out[i].seed);
    }
    return out; /* zeroed: it ends where no name is */
}
