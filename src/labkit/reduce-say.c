/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer and whether it is right, then the counts that matter, then why, from the lab's help
 * with this run's numbers.
 */
#include "labkit/reduce-say.h"

#include "labkit/lab.h"

#include <stdio.h>
#include <string.h>

enum { SMALL_N = 1000 };

static struct reduce_data *data_of(struct reduction *w, const struct lab_variant *v)
{
    return v && v->mended_by ? &w->small : &w->data;
}

static int shape_of(struct reduction *w, const struct lab_variant *v, int64_t blocks,
                    int64_t threads, struct shape *shape)
{
    return reduce_choose(v, data_of(w, v)->n, blocks, threads, w->of->threads,
                         &w->session->device->props, shape, w->report);
}

static bool has_shape(const struct lab_variant *v)
{
    return v && !(v->tag & (ON_HOST | BY_CUBLAS));
}

/* As typed. -1: it doesn't fit. */
static int own_shape(struct reduction *w, const struct lab_variant *v, struct shape *shape)
{
    *shape = (struct shape){0, 0};
    return has_shape(v) ? shape_of(w, v, arg_int(w->args, "blocks"), arg_int(w->args, "threads"),
                                   shape)
                        : 0;
}

/* ---- pieces of a screen ----------------------------------------------------------------- */

static int head(void *self, const struct lab_variant *v)
{
    struct reduction *w = self;
    struct shape shape;
    char line[200], n[NUM_TEXT];
    if (own_shape(w, v, &shape))
        return -1;
    int used = snprintf(line, sizeof line, "n = %s, %.40s",
                        num_count((uint64_t)data_of(w, v)->n, n),
                        arg_text(w->args, w->of->fills[0]));
    if (w->of->fills[1])
        used += snprintf(line + used, sizeof line - (size_t)used, " by %.40s",
                         arg_text(w->args, w->of->fills[1]));
    if (shape.blocks)
        snprintf(line + used, sizeof line - (size_t)used, ", %u x %u threads", shape.blocks,
                 shape.threads);
    say_head(w->report, w->session, line);
    return 0;
}

static void say_count(struct report *r, const char *what, uint64_t n, const char *remark)
{
    char text[NUM_TEXT];
    say_item(r, what, "%11s    %s", num_group((int64_t)n, text), remark);
}

/* As num_value(), of a sum in double. */
static const char *sum_text(double v, char out[NUM_TEXT])
{
    if (num_whole(v))
        return num_group((int64_t)v, out);
    snprintf(out, NUM_TEXT, "%.10g", v);
    return out;
}

static void say_stuck(struct reduction *w, const struct reduce_data *d)
{
    char last[NUM_TEXT], value[NUM_TEXT];
    if (floats_stuck(&d->sum, (uint64_t)d->n))
        say_item(w->report, "stuck", "after %s terms a single float stands at %s: what comes "
                                     "is at most half of its last bit",
                 num_group((int64_t)d->sum.last, last),
                 num_group((int64_t)d->sum.in_order, value));
}

static void say_answer(struct reduction *w, const struct lab_variant *v,
                       const struct attempt *got, struct shape shape)
{
    char value[NUM_TEXT], exact[NUM_TEXT], rough[NUM_TEXT];
    struct buf check;
    struct report *r = w->report;
    const struct reduce_data *d = data_of(w, v);
    say_item(r, w->of->name, "%s    exact %s    error %s", num_value((float)got->value, value),
             sum_text(d->sum.exact, exact), num_rough(got->error, rough));
    say_item(r, "host", "%s in double    %s in float, in order", exact,
             num_value((float)d->sum.in_order, value));
    buf_init(&check);
    attempt_say(got, r, &check);
    buf_printf(&check, ": rounding bound %s, for %s additions %s",
               num_rough(reduce_bound(v, d, shape), rough),
               num_group((int64_t)reduce_chain(v, d->n, shape), value),
               v->tag & BY_CUBLAS ? "in any order" : "in a chain");
    if (!got->right || got->rounded_away)
        buf_puts(&check, "; too far off to be of use");
    say_item_text(r, "check", &check);
    say_stuck(w, d);
}

static void say_counts(struct reduction *w, const struct lab_variant *v,
                       const struct attempt *got)
{
    static const char *const who[] = {"one an element", "one a block", "one a block"};
    struct report *r = w->report;
    const struct counters *c = &got->counters;
    unsigned adds = (unsigned)v->tag & REDUCE_MASK;
    char remark[80], n[NUM_TEXT];
    if (!got->has_counters)
        return;
    if (adds == EACH_THREAD || adds > FEW_BLOCKS)
        snprintf(remark, sizeof remark, "%s", adds ? "`atomic` has one an element" : who[adds]);
    else
        snprintf(remark, sizeof remark, "%s; `atomic` has %s", who[adds],
                 num_group(data_of(w, v)->n, n));
    say_count(r, "atomics", c->global_atomics, remark);
    snprintf(remark, sizeof remark, "of a warp, for %s sector%s of 32 bytes",
             num_group((int64_t)c->global_load_sectors, n),
             c->global_load_sectors == 1 ? "" : "s");
    say_count(r, "loads", c->global_load_requests, remark);
    if (c->barriers)
        say_count(r, "barriers", c->barriers, "waits of a warp for its block");
    if (c->shuffles)
        say_count(r, "shuffles", c->shuffles, "of a warp");
}

static void tell(void *self, const struct lab_variant *v, const struct attempt *got)
{
    struct reduction *w = self;
    struct shape shape;
    const char *there = w->of->elsewhere ? w->of->elsewhere(v) : NULL;
    if (own_shape(w, v, &shape))
        return;
    say_answer(w, v, got, shape);
    say_counts(w, v, got);
    if (there)
        say_item(w->report, "slides", "%s ms %s", there, w->of->beside_says);
}

static void put(void *self, const struct lab_variant *v, const struct attempt *got)
{
    struct reduction *w = self;
    struct json *j = &w->report->result;
    const struct reduce_data *d = data_of(w, v);
    struct shape shape;
    json_int(j, "n", d->n);
    json_f64(j, "exact", d->sum.exact);
    json_f32(j, "in_order", d->sum.in_order);
    if (floats_stuck(&d->sum, (uint64_t)d->n))
        json_uint(j, "stuck_after", d->sum.last);
    if (!v || own_shape(w, v, &shape))
        return;
    json_text(j, "variant", v->name);
    json_f32(j, w->of->name, (float)got->value);
    json_f64(j, "error", got->error);
    json_f64(j, "bound", reduce_bound(v, d, shape));
    if (!(v->tag & BY_CUBLAS)) /* its chain is its own affair */
        json_f64(j, "chain", reduce_chain(v, d->n, shape));
    attempt_put_ok(got, j);
    if (!has_shape(v))
        return;
    json_uint(j, "blocks", shape.blocks);
    json_uint(j, "threads", shape.threads);
    if (v->tag & ODD_BLOCK)
        json_uint(j, "lost", reduce_lost(shape.threads));
}

/* How many of n elements a thread has: where they can't all have as many, the most. */
static void slot_terms(struct slots *s, uint64_t n, uint64_t threads)
{
    char text[NUM_TEXT];
    if (threads)
        slot(s, "terms", n % threads ? "up to %s" : "%s",
             num_group((int64_t)divide_up(n, threads), text));
}

/* Everything that an explanation may name. */
static void fill_slots(struct reduction *w, const struct lab_variant *v, struct shape shape,
                       const struct attempt *got, struct slots *s)
{
    char text[NUM_TEXT];
    const struct reduce_data *d = data_of(w, v);
    uint64_t threads = shape_threads(shape), halvings = 0;
    unsigned warps = (shape.threads + 31) / 32;
    for (unsigned left = shape.threads; left > 1; left = (left + 1) / 2)
        halvings++;
    slot(s, "value", "%s", num_value((float)got->value, text));
    slot(s, "blocks", "%s", num_group(shape.blocks, text));
    slot(s, "threads", "%u", shape.threads);
    slot(s, "idle", "%u", shape.threads ? shape.threads - 1 : 0);
    slot(s, "warps", "%u", warps);
    slot(s, "halvings", "%llu", (unsigned long long)halvings);
    slot(s, "waits", "%s", num_group((int64_t)(shape.blocks * warps * halvings), text));
    slot(s, "one_wait", "%s", num_group((int64_t)((uint64_t)shape.blocks * warps), text));
    slot(s, "chain", "%s", num_group((int64_t)reduce_chain(v, d->n, shape), text));
    slot_terms(s, (uint64_t)d->n, threads);
    slot(s, "fours", "%s", num_group(d->n / 4, text));
    slot(s, "lost", "%u", reduce_lost(shape.threads));
    slot(s, "kept", "%u", shape.threads - reduce_lost(shape.threads));
}

static void slots_of(void *self, const struct lab_variant *v, const struct attempt *got,
                     struct slots *s)
{
    struct reduction *w = self;
    struct shape shape;
    char text[NUM_TEXT];
    const struct reduce_data *d = data_of(w, v);
    slot(s, "n", "%s", num_group(d->n, text));
    slot(s, "small", "%d", w->small.n);
    slot(s, "runs", "%u", w->session->runs);
    bool stuck = floats_stuck(&d->sum, (uint64_t)d->n);
    slot(s, "serial", "%s", num_value((float)d->sum.in_order, text));
    if (stuck)
        slot(s, "stuck", "Here it came to a stand at %s; a tree has no such chain.", text);
    else
        slot(s, "stuck", "%s", "");
    slot(s, "exact", "%.9g", d->sum.exact);
    slot(s, "bytes", "%s", num_group((int64_t)d->n * 4, text));
    if (v && got && own_shape(w, v, &shape) == 0)
        fill_slots(w, v, shape, got, s);
}

/* ---- the ladder ------------------------------------------------------------------------- */

static int attempt(void *self, const struct trial *how, struct attempt *got)
{
    struct reduction *w = self;
    const struct lab_variant *v = how->variant;
    struct shape shape = {0, 0};
    int64_t threads = arg_int(w->args, "threads"), blocks = arg_int(w->args, "blocks");
    if (strcmp(arg_text(w->args, "variant"), "all") == 0) {
        /* A size typed goes to those that it fits; the others choose their own. */
        bool fits = !(v->tag & ODD_BLOCK) || (threads & (threads - 1)) != 0;
        threads = fits ? threads : 0;
        blocks = v->mended_by || !fits ? 0 : blocks;
    }
    if (has_shape(v) && shape_of(w, v, blocks, threads, &shape))
        return -1;
    return reduce_run(w->of->name, data_of(w, v), shape, w->on_gpu, how, got);
}

static const struct ladder_column columns[] = {
    {"atomics", offsetof(struct counters, global_atomics)},
    {"loads", offsetof(struct counters, global_load_requests)},
    {"barriers", offsetof(struct counters, barriers)},
    {"shuffles", offsetof(struct counters, shuffles)},
    {"warp ins", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static const struct host_call *calls_of(void *self, const struct lab_variant *v)
{
    const struct reduction *w = self;
    return v->tag & ON_HOST ? NULL : w->of->calls_of(v);
}

static void call_of(void *self, const struct lab_variant *v, char *out, size_t size)
{
    struct shape shape;
    if (!has_shape(v) || own_shape(self, v, &shape))
        return;
    int used = snprintf(out, size, "%s<<<%u, %u", v->kernel, shape.blocks, shape.threads);
    if (v->tag & SHARED_VALUES)
        used += snprintf(out + used, size - (size_t)used, ", %u", shape.threads * 4);
    snprintf(out + used, size - (size_t)used, ">>>");
}

static const char *beside(void *self, const struct lab_variant *v, char out[NUM_TEXT])
{
    const struct reduction *w = self;
    const char *there = w->of->elsewhere(v);
    (void)out;
    return there ? there : "-";
}

int reduction_run(const struct reduce_lab *of, struct session *s, const struct args *args,
                  const struct lab_variant *variants, struct report *r)
{
    struct reduction w = {.of = of, .session = s, .report = r, .args = args,
                          .variants = variants, .on_gpu = session_on_gpu(s)};
    int n = (int)arg_int(args, "n");
    bool all = strcmp(arg_text(args, "variant"), "all") == 0;
    int small = all || !arg_given(args, "n") ? SMALL_N : n;
    const struct old_ladder ladder = {
        .session = s, .report = r, .args = args, .variants = variants, .file = of->name,
        .value = of->name, .kind = VALUE_F32,
        .order = "slowest first: atomics queue at one address, the rest is spread out",
        .columns = columns, .calls_of = calls_of, .self = &w, .attempt = attempt, .head = head,
        .tell = tell, .put = put, .slots = slots_of, .call = call_of,
        .beside_head = of->beside_head, .beside = of->elsewhere ? beside : NULL};
    int failed = reduce_open(&w.data, s, args, n, of->fills, r) ||
                 reduce_open(&w.small, s, args, small, of->fills, r) || old_ladder_run(&ladder);
    reduce_close(&w.data);
    reduce_close(&w.small);
    return failed ? -1 : 0;
}
