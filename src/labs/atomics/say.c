/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the lab `atomics` shows: the order of the threads as it follows from what each found; the
 * steps of the version that is no atomic, with what it loses.
 */
#include "labs/atomics/work.h"
#include "labkit/lab.h"

#include <stdio.h>
#include <string.h>

enum { LANES = 32, DRAWN = 8, ROWS = 12, STEPS = 18 };

static const struct ladder_column columns[] = {
    {"atomics", offsetof(struct counters, global_atomics)},
    {"instructions", offsetof(struct counters, warp_instructions)},
    {0},
};

int atomic_open(struct atomic_lab *w, struct session *s, const struct args *args,
                const struct lab_variant *variants, struct report *r)
{
    *w = (struct atomic_lab){.session = s, .report = r, .args = args, .variants = variants};
    uint64_t seed = lab_seed(s, args->options);
    return atomic_read(args, seed, &w->run, r);
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct atomic_lab *w = self;
    return atomic_launch(&w->run, t, got);
}

/* ---- the steps of load, change, store --------------------------------------------------- */

/* Of the first warp, from its trace: what each lane loaded, and what was stored over what. */
struct steps {
    const struct atomic_run *run;
    int32_t loaded[LANES], x;
    int seen[LANES], last; /* whose store a lane's load saw, and whose is there; -1: the start */
    int kept;              /* changes that are in x */
    unsigned shown;
};

static void put_step(struct steps *s, bool store, uint32_t mask, struct table *t)
{
    unsigned drawn = s->run->threads < DRAWN ? s->run->threads : DRAWN;
    if (!t || s->shown == STEPS || !(mask & ((1u << drawn) - 1)))
        return;
    s->shown++;
    table_cell(t, store ? "store" : "load");
    for (unsigned i = 0; i < drawn; i++)
        if (mask >> i & 1)
            table_cell(t, "%d",
                       store ? atomic_changed(s->run->op, s->loaded[i], s->run->in[i])
                             : s->loaded[i]);
        else
            table_cell(t, ".");
    table_cell(t, "%d", s->x);
}

static void take_step(struct steps *s, const struct trace_step *step, struct table *t)
{
    bool store = step->kind == SIM_CLASS_STORE;
    bool stays = true; /* of several at once one does: here the first lane's */
    if ((!store && step->kind != SIM_CLASS_LOAD) || step->order != SIM_VOLATILE)
        return;
    for (int i = 0; i < LANES; i++) {
        if (!(step->mask >> i & 1))
            continue;
        if (store) {
            int32_t made = atomic_changed(s->run->op, s->loaded[i], s->run->in[i]);
            s->x = stays ? made : s->x;
            s->last = stays ? i : s->last;
            stays = false;
        } else {
            s->loaded[i] = (int32_t)step->values[i];
            s->seen[i] = s->last;
        }
    }
    put_step(s, store, step->mask, t);
}

static struct steps follow(const struct atomic_run *a, const struct launch_result *result,
                           struct table *t)
{
    struct steps s = {.run = a, .x = a->start, .last = -1};
    for (size_t i = 0; i < result->trace_count; i++)
        take_step(&s, &result->trace[i], t);
    for (int i = s.last; i >= 0 && s.kept < LANES; i = s.seen[i])
        s.kept++;
    return s;
}

static void draw_steps(const struct atomic_lab *w, const char *title,
                       const struct launch_result *result)
{
    static const char *const heads[DRAWN] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    struct table_column of[DRAWN + 2] = {{.head = "thread"}};
    struct table t;
    unsigned n = w->run.threads < DRAWN ? w->run.threads : DRAWN;
    for (unsigned i = 0; i < n; i++)
        of[i + 1] =
            (struct table_column){.head = heads[i], .right = true, .gives_way = (int)(n - i)};
    of[n + 1] = (struct table_column){.head = "x", .right = true};
    say(w->report, "\n");
    say_item(w->report, "", "%s: what each loads, what it stores, and x then", title);
    table_begin(&t, of, (int)n + 2, 2);
    const struct steps s = follow(&w->run, result, &t);
    say_table(w->report, &t);
    if (s.shown == STEPS)
        say_item(w->report, "", "and so on");
    say_item(w->report, "",
             "%d of %u changes %s in x; %u %s stored over by a thread that had "
             "loaded before",
             s.kept, w->run.threads, s.kept == 1 ? "is" : "are", w->run.threads - (unsigned)s.kept,
             w->run.threads - (unsigned)s.kept == 1 ? "was" : "were");
}

/* Another order of the same steps: lanes apart, where the card lets them. Of a few seeds the first
 * that lets a part of the changes through, which one seed in some does. */
static void draw_apart(struct atomic_lab *w, const struct lab_variant *v)
{
    enum { SEEDS = 32 };
    struct launch_result result = {0};
    struct attempt got;
    bool found = false;
    w->aside = w->run;
    struct schedule apart = {.name = "independent", .simulated = true};
    struct trial t = {
        .variant = v, .schedule = &apart, .trace = true, .quiet = true, .result = &result};
    if (!device_drifts(&w->session->device->props))
        return;
    while (!found && apart.seed < SEEDS) {
        apart.seed++;
        if (ladder_attempt(w->ladder, &t, &got))
            break;
        unsigned kept = (unsigned)follow(&w->run, &result, NULL).kept;
        found = kept > 1 && kept < w->run.threads;
    }
    snprintf(apart.label, sizeof apart.label, "independent:%d", (int)apart.seed);
    if (found) {
        char title[80];
        snprintf(title, sizeof title, "lanes apart, %s", apart.label);
        draw_steps(w, title, &result);
    }
    launch_result_free(&result);
    w->run = w->aside;
}

static bool show(void *self, const struct lab_variant *v, const struct attempt *got,
                 const struct launch_result *traced)
{
    struct atomic_lab *w = self;
    (void)got;
    if (!(v->tag & ATOMIC_PLAIN) || w->run.threads > LANES) /* the trace has one warp */
        return false;
    draw_steps(w, "lanes together", traced);
    draw_apart(w, v);
    return true;
}

/* ---- the order of atomics --------------------------------------------------------------- */

static void say_order(const struct atomic_lab *w)
{
    static const struct table_column of[] = {
        {.head = "turn", .right = true},  {.head = "thread", .right = true},
        {.head = "found", .right = true}, {.head = "v", .right = true},
        {.head = "left", .right = true},  {.head = "tries", .right = true}};
    const struct atomic_run *a = &w->run;
    unsigned shown = a->threads < ROWS ? a->threads : ROWS;
    struct table t;
    table_begin(&t, of, a->all_tries ? 6 : 5, 2);
    for (unsigned i = 0; i < shown; i++) {
        unsigned k = a->order[i];
        table_cell(&t, "%u", i + 1);
        table_cell(&t, "%u", k);
        table_cell(&t, "%d", a->old[k]);
        table_cell(&t, "%d", a->in[k]);
        table_cell(&t, "%d", atomic_changed(a->op, a->old[k], a->in[k]));
        if (a->all_tries)
            table_cell(&t, "%d", a->tries[k]);
    }
    say_table(w->report, &t);
    if (shown < a->threads)
        say_item(w->report, "", "and %u more", a->threads - shown);
}

/* The same in three steps, for what it loses: run, not guessed. -1: it could not be. */
static int plain_loses(struct atomic_lab *w, int *kept)
{
    static const struct schedule together = {"lockstep", 0, "lockstep", true};
    struct launch_result result = {0};
    struct attempt got;
    w->aside = w->run;
    const struct lab_variant *v = w->variants;
    while (v->name && !(v->tag & ATOMIC_PLAIN))
        v++;
    struct trial t = {
        .variant = v, .schedule = &together, .trace = true, .quiet = true, .result = &result};
    int failed = ladder_attempt(w->ladder, &t, &got);
    w->plain = w->run;
    *kept = follow(&w->plain, &result, NULL).kept;
    launch_result_free(&result);
    w->run = w->aside;
    return failed;
}

static void say_x(const struct atomic_lab *w)
{
    const struct atomic_run *a = &w->run;
    if (atomic_has_one_answer(a))
        say_item(w->report, "x", "%d, as if the threads had gone one after the other, so:",
                 a->left);
    else if (a->op == ATOMIC_EXCH)
        say_item(w->report, "x", "%d, the v of whichever thread came last. Another order leaves "
                 "another v. This order fits what each thread found:", a->left);
    else
        say_item(w->report, "x", "%d. Another order of the threads may leave another x. This "
                 "order fits what each thread found:", a->left);
}

static void tell(void *self, const struct lab_variant *v, const struct attempt *got)
{
    struct atomic_lab *w = self;
    const struct atomic_run *a = &w->run;
    int kept;
    say_x(w);
    say_order(w);
    if (got->has_counters)
        say_item(w->report, "atomics", "%llu, all at one address, so one after the other",
                 (unsigned long long)got->counters.global_atomics);
    if (v->tag & ATOMIC_LOOP)
        say_item(w->report, "tries", "%u for %u changes: who came too late tried again",
                 a->all_tries, a->threads);
    else if (!(v->tag & ATOMIC_WIDE) && a->threads > 1 && a->threads <= LANES &&
             !plain_loses(w, &kept)) {
        say_item(w->report, "without", "x = %d by load, change, store: %u of %u changes lost",
                 w->plain.left, a->threads - (unsigned)kept, a->threads);
        json_int(&w->report->result, "plain_x", w->plain.left);
        json_uint(&w->report->result, "plain_lost", a->threads - (unsigned)kept);
    }
}

/* ---- the rest of a screen --------------------------------------------------------------- */

static int head(void *self, const struct lab_variant *v)
{
    const struct atomic_lab *w = self;
    const struct atomic_run *a = &w->run;
    const struct atomic_kind *k = &atomic_kinds[a->op];
    char text[160], all[32] = "";
    bool same = true;
    for (unsigned t = 1; t < a->threads; t++)
        same = same && a->in[t] == a->in[0];
    if (same)
        snprintf(all, sizeof all, " with v = %d", a->in[0]);
    snprintf(text, sizeof text, "%u thread%s %s%s%s%s; x = %d at first", a->threads,
             a->threads == 1 ? ":" : "s, each", k->does,
             all, v && v->tag == ATOMIC_ONE ? ", by " : "",
             v && v->tag == ATOMIC_ONE ? k->function : "", a->start);
    say_head(w->report, w->session, text);
    return 0;
}

static void put_each(struct json *j, const char *key, const int32_t *v, unsigned n)
{
    json_array(j, key);
    for (unsigned i = 0; i < n; i++)
        json_int(j, NULL, v[i]);
    json_end_array(j);
}

static void put(void *self, const struct lab_variant *v, const struct attempt *got)
{
    const struct atomic_lab *w = self;
    const struct atomic_run *a = &w->run;
    struct json *j = &w->report->result;
    json_text(j, "op", atomic_kinds[a->op].name);
    json_uint(j, "threads", a->threads);
    json_int(j, "start", a->start);
    if (!v)
        return;
    json_text(j, "variant", v->name);
    json_int(j, "x", (int64_t)got->value);
    if (!got->expected_words)
        json_int(j, "expected", (int64_t)got->expected);
    put_each(j, "in", a->in, a->threads);
    put_each(j, "old", a->old, a->threads);
    if (a->right) {
        json_array(j, "order");
        for (unsigned i = 0; i < a->threads; i++)
            json_uint(j, NULL, a->order[i]);
        json_end_array(j);
    }
    if (v->tag & ATOMIC_LOOP)
        json_uint(j, "tries", a->all_tries);
    json_bool(j, "ok", attempt_ok(got));
}

/* What x is, as a part of a sentence. */
static void put_outcome(const struct atomic_run *a, struct slots *s)
{
    if (atomic_has_one_answer(a))
        slot(s, "outcome", "%d is what all %u together make of %d", a->left, a->threads, a->start);
    else if (a->op == ATOMIC_EXCH)
        slot(s, "outcome", "%d is the v of whichever thread came last", a->left);
    else
        slot(s, "outcome", "%d is what this order made of %d; another may make something else",
             a->left, a->start);
}

static void slots(void *self, const struct lab_variant *v, const struct attempt *got,
                  struct slots *s)
{
    const struct atomic_lab *w = self;
    const struct atomic_run *a = &w->run;
    const struct atomic_kind *k = &atomic_kinds[a->op];
    (void)v;
    slot(s, "op", "%s", k->name);
    slot(s, "does", "%s", k->does);
    slot(s, "function", "%s", k->function);
    slot(s, "global", "%s", k->since.global);
    slot(s, "shared", "%s", k->since.shared);
    slot(s, "threads", "%u", a->threads);
    slot(s, "start", "%d", a->start);
    slot(s, "x", "%d", got ? (int)got->value : a->left);
    slot(s, "found", "%d", a->old[a->right ? a->order[a->threads - 1] : 0]);
    slot(s, "last", "%u", a->right ? a->order[a->threads - 1] : 0);
    slot(s, "tries", "%u", a->all_tries);
    put_outcome(a, s);
}

static void call(void *self, const struct lab_variant *v, char *out, size_t size)
{
    const struct atomic_lab *w = self;
    snprintf(out, size, "%s<<<1, %u>>>",
             v->tag == ATOMIC_ONE ? atomic_kinds[w->run.op].kernel : v->kernel, w->run.threads);
}

/* ---- the ladder ------------------------------------------------------------------------- */

struct ladder atomic_ladder(struct atomic_lab *w)
{
    static const struct host_call calls[] = {
        {"cudaMemcpy(x, &start, sizeof start, cudaMemcpyHostToDevice)", "4 bytes to the device",
         "the host waits until they are there"},
        {"%s(x, in, old)", NULL, "the host does not wait"},
        {"cudaMemcpy(&result, x, sizeof result, cudaMemcpyDeviceToHost)", "4 bytes from the device",
         "waits for the kernel, then for the bytes"},
        {0},
    };
    return (struct ladder){
        .session = w->session, .report = w->report, .args = w->args, .variants = w->variants,
        .file = "atomics", .value = "x", .kind = VALUE_INT,
        .order = "Rows go by atomics, which stand in one queue.", .columns = columns,
        .calls = calls, .self = w, .attempt = attempt, .head = head, .tell = tell, .show = show,
        .put = put, .slots = slots, .call = call};
}
