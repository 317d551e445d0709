/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run of one variant under one schedule, which schedules a wrong one is tried under, and how
 * an answer is written. What is made of the runs is in ladder.c, ladder-one.c and ladder-wrong.c.
 */
#include "labkit/lab.h"
#include "screen/paint.h"
#include "base/rounding.h"
#include "labkit/schedule.h"
#include "labkit/transfer.h"
#include "text/explain.h"

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
    bool useful = magnitude_of(off) <= magnitude / 1000;
    bool within = magnitude_of(off) <= bound;
    got->rounded_away = within && !useful && !v->mended_by;
    got->right = within && (useful || got->rounded_away);
}

/* What follows from what the lab has found. */
static void conclude(struct attempt *got)
{
    got->ok = attempt_ok(got);
    got->value_f32 = (float)got->value;
    got->verdict = (struct verdict){
        got->right && !got->rounded_away,
        got->rounded_away ? "rounded away" : got->right ? "right" : "WRONG"};
}

const char *attempt_closed(const struct attempt *got)
{
    if (got->not_run[0])
        return got->not_run;
    return strcmp(got->fault, "unsupported-instruction") == 0
               ? "it needs an instruction that this card lacks" : NULL;
}

/* What queues at one address, and the rest, which is spread over the multiprocessors. */
static uint64_t cost_of(const struct counters *c, int multiprocessors)
{
    uint64_t spread = c->warp_instructions + c->shared_load_wavefronts + c->shared_store_wavefronts;
    return c->global_atomics + spread / (multiprocessors > 0 ? (uint64_t)multiprocessors : 1);
}

/* What is kept of the last launch has the counts and the time of all of them together. */
static void note(const struct trial *t, struct launch_result *result, struct attempt *got)
{
    snprintf(got->not_run, sizeof got->not_run, "%s", result->not_run);
    for (unsigned i = 0; i < result->fault_count && !got->fault[0]; i++)
        if (!result->faults[i].benign)
            snprintf(got->fault, sizeof got->fault, "%s", result->faults[i].kind);
    got->has_counters |= result->has_counters;
    result->launches = ++got->launches;
    if (result->has_counters) {
        counters_add(&got->counters, &result->counters);
        result->counters = got->counters;
        got->cost = cost_of(&got->counters, t->session->device->props.multiprocessors);
    } else
        got->cost = got->predicted;
    if (!result->runs)
        return;
    result->measured_s = got->median_s += result->measured_s;
    result->min_s = got->min_s += result->min_s;
    result->mean_s = got->mean_s += result->mean_s;
}

int trial_launch(const struct trial *t, const struct lab_launch *given, struct attempt *got,
                 const struct param *params)
{
    struct lab_launch l = *given;
    struct launch_result own = {0}, *result = t->result ? t->result : &own;
    l.schedule = t->schedule->name;
    l.seed = t->schedule->seed;
    l.trace = t->trace;
    l.quiet = t->quiet;
    l.counts |= t->counts;
    launch_result_free(result);
    int failed = lab_launch(t->session, &l, result, t->report, params);
    if (failed)
        return -1;
    note(t, result, got);
    launch_result_free(&own);
    return 0;
}

int trial_dot(const struct trial *t, const struct dot_job *dot, struct attempt *got)
{
    struct launch_result own = {0}, *result = t->result ? t->result : &own;
    launch_result_free(result);
    if (lab_cublas_dot(t->session, dot, t->quiet, result, t->report))
        return -1;
    note(t, result, got);
    launch_result_free(&own);
    return 0;
}

bool trial_lacks_managed(const struct trial *t, const char *without, struct attempt *got)
{
    if (!transfer_refused(BY_PAGES, &t->session->device->props))
        return false;
    snprintf(got->not_run, sizeof got->not_run,
             "managed memory needs compute capability 3.0; --variant %s does without", without);
    return true;
}

static int attempt(struct lab_run *w, const struct trial *t, struct attempt *got)
{
    if (ladder_find(w, t->variant, NULL) || w->ladder->attempt(w, t, got))
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
    if (ladder_attempt(w, &t, got))
        return -1;
    if (strcmp(got->fault, "timeout") != 0 || (v->fault && strstr(v->fault, "timeout")))
        return 0;
    return report_fault(w->report, "timeout",
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

static bool is_tried(const struct lab_run *w, const struct schedule *s)
{
    if (!s->simulated)
        return session_on_gpu(w->session);
    return strcmp(s->name, "independent") != 0 || device_drifts(&w->session->device->props);
}

struct schedule *ladder_schedules(const struct lab_run *w, size_t *room)
{
    struct schedule_range range;
    struct err ignored;
    unsigned n = 0;
    bool typed = schedule_read(w->session->settings.schedule, &range, &ignored) == 0 &&
                 range.runs > 1;
    *room = ((typed ? range.runs : USUAL) + 1) * sizeof(struct schedule);
    struct schedule *out = mem_get(&allocator_libc, *room);
    for (unsigned i = 0; out && !typed && i < USUAL; i++)
        if (is_tried(w, &usual[i]))
            out[n++] = usual[i];
    for (unsigned i = 0; out && typed && i < range.runs; i++) {
        out[i] = (struct schedule){range.name, range.first + i, "", true};
        snprintf(out[i].label, sizeof out[i].label, "%s:%llu", range.name,
                 (unsigned long long)out[i].seed);
    }
    return out; /* zeroed: it ends where no name is */
}

/* ---- facts ------------------------------------------------------------------------------ */

/* What the texts of each lab may name. */
static const struct fact run_facts[] = {
    {FACT(struct lab_run, kernel)},
    {FACT(struct lab_run, runs)},
    {FACT(struct lab_run, major)},
    {FACT(struct lab_run, minor)},
    {FACT(struct lab_run, limit)},
    {.name = "right", FACT_AT(struct lab_run, got.right)},
    {.name = "verdict", FACT_AT(struct lab_run, got.verdict)},
#define X(counter) {.name = #counter, FACT_AT(struct lab_run, got.counters.counter), .as = AS_GROUP},
    COUNTERS(X)
#undef X
    {.name = NULL},
};

int ladder_find(struct lab_run *w, const struct lab_variant *v, const struct attempt *got)
{
    const struct device_props *p = &w->session->device->props;
    w->variant = v ? v->name : "all";
    w->kernel = v && v->kernel ? v->kernel : "";
    w->runs = w->session->runs;
    w->major = p->major;
    w->minor = p->minor;
    w->limit = p->max_threads_per_block;
    w->got = got ? *got : (struct attempt){0};
    conclude(&w->got);
    return w->ladder->find(w, v);
}

void ladder_slots(struct lab_run *w, struct slots *s)
{
    const struct ladder *l = w->ladder;
    const struct fact *const tables[] = {l->task, l->facts, l->words, run_facts};
    *s = (struct slots){0};
    for (int i = 0; i < SLOT_TABLES; i++)
        if (tables[i])
            slots_facts(s, tables[i], w);
}

void ladder_text(struct lab_run *w, const char *with_slots, struct buf *out)
{
    struct slots s;
    ladder_slots(w, &s);
    slots_fill(out, with_slots, strlen(with_slots), &s, NULL);
    slots_free(&s);
}

void ladder_say(struct lab_run *w, const struct fact *facts)
{
    struct slots s;
    ladder_slots(w, &s);
    facts_say_slots(facts, w, &s, w->report);
    slots_free(&s);
}

int ladder_head(struct lab_run *w, const struct lab_variant *v)
{
    struct buf text = {0};
    if (ladder_find(w, v, NULL))
        return -1;
    ladder_text(w, v || !w->ladder->head_of_all ? w->ladder->head : w->ladder->head_of_all, &text);
    say_head(w->report, w->session, buf_text(&text));
    buf_free(&text);
    if (w->ladder->task)
        ladder_say(w, w->ladder->task);
    return 0;
}

int ladder_json(struct lab_run *w, const struct lab_variant *v, const struct attempt *got)
{
    if (ladder_find(w, v, got))
        return -1;
    if (w->ladder->task)
        facts_json(w->ladder->task, w, &w->report->result);
    if (v)
        facts_json(w->ladder->facts, w, &w->report->result);
    return 0;
}

int ladder_tell(struct lab_run *w, const struct lab_variant *v, const struct attempt *got)
{
    if (ladder_json(w, v, got))
        return -1;
    ladder_say(w, w->ladder->facts);
    return 0;
}

void ladder_explain(struct lab_run *w, const char *which)
{
    struct slots s;
    ladder_slots(w, &s);
    lab_explain_slots(w->report, w->lab->module, which, &s);
}

void ladder_try_others(const struct lab_run *w)
{
    struct slots s = {0};
    slot(&s, "lab", "%s", w->lab->module);
    say(w->report, "\n");
    explain_try(w->report, "unsupported-instruction", "variant", &s);
    slots_free(&s);
}

/* ---- values ----------------------------------------------------------------------------- */

/* By enum ladder_value: the answer, and how far it is off. */
static const struct fact values[][LADDER_VALUES] = {
    [VALUE_F32] = {{FACT_AT(struct attempt, value_f32), .as = AS_VALUE},
                   {FACT(struct attempt, error), .as = AS_ROUGH}},
    [VALUE_INT] = {{FACT_AT(struct attempt, value), .as = AS_GROUP}},
    [VALUE_ARRAY] = {{FACT_AT(struct attempt, value), .format = "%.5g"},
                     {FACT(struct attempt, wrong), .as = AS_GROUP}},
};

unsigned ladder_value_facts(const struct ladder *l, size_t at, struct fact out[LADDER_VALUES])
{
    unsigned n = l->kind == VALUE_INT ? 1 : 2;
    for (unsigned i = 0; i < n; i++) {
        out[i] = values[l->kind][i];
        out[i].name = i ? out[i].name : l->value;
        out[i].head = out[i].name;
        out[i].at += at;
        out[i].right = out[i].stays = true;
    }
    return n;
}

const char *ladder_value_text(const struct ladder *l, double v, char out[NUM_TEXT])
{
    if (l->kind == VALUE_INT)
        return num_group((int64_t)v, out);
    if (l->kind == VALUE_F32)
        return num_value((float)v, out);
    snprintf(out, NUM_TEXT, "%.5g", v);
    return out;
}
