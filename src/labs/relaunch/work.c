/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many launches or one, run and told; see relaunching.h.
 */
#include "labs/relaunch/work.h"

#include "labkit/lab.h"

#include <stdio.h>

enum { USUAL_THREADS = 256, WARP = 32 };

/* ---- one run ---------------------------------------------------------------------------- */

static int launch(struct relaunching *w, const struct trial *t, const uint64_t at[3],
                  struct attempt *got)
{
    const struct lab_launch l = {.module = "relaunch", .kernel = t->variant->kernel,
                                 .grid = {w->shape.blocks}, .block = {w->shape.threads}};
    if (t->variant->tag == LOOPS)
        return trial_launch(t, &l, got, PARAMS(at[0], at[1], at[2], w->v.n, w->iters));
    unsigned runs = t->session->runs;
    int failed = 0;
    if (runs > 1) /* there are launches enough: each is timed once */
        t->session->runs = 1;
    for (int k = 0; k < w->iters && !got->fault[0] && !failed; k++)
        failed = trial_launch(t, &l, got, PARAMS(at[0], at[1], at[2], w->v.n));
    t->session->runs = runs;
    return failed;
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct relaunching *w = self;
    size_t bytes = (size_t)w->v.n * sizeof(float);
    uint64_t at[3];
    got->has_predicted = true;
    got->predicted = 2 * (uint64_t)w->iters * divide_up((uint64_t)w->v.n, WARP);
    if (lab_array(t->session, bytes, "x", w->v.x, &at[0], t->report) ||
        lab_array(t->session, bytes, "y", w->v.y, &at[1], t->report) ||
        lab_array(t->session, bytes, "z", NULL, &at[2], t->report) || launch(w, t, at, got) ||
        session_fetch(t->session, w->v.z, at[2], bytes, t->report))
        return -1;
    lab_arrays_free(t->session);
    attempt_array(got, w->v.z, w->v.want, (size_t)w->v.n);
    if (got->has_counters)
        got->cost = got->counters.warp_instructions;
    return 0;
}

/* ---- what is shown ---------------------------------------------------------------------- */

static uint64_t launches_of(const struct relaunching *w, const struct lab_variant *v)
{
    return v->tag == LOOPS ? 1 : (uint64_t)w->iters;
}

static int head(void *self, const struct lab_variant *v)
{
    struct relaunching *w = self;
    char line[120], n[NUM_TEXT];
    (void)v;
    snprintf(line, sizeof line, "z = x + y, %d times, n = %s, %u x %u threads", w->iters,
             num_count((uint64_t)w->v.n, n), w->shape.blocks, w->shape.threads);
    say_head(w->report, w->session, line);
    return 0;
}

static void tell(void *self, const struct lab_variant *v, const struct attempt *got)
{
    struct relaunching *w = self;
    char text[NUM_TEXT], threads[NUM_TEXT];
    uint64_t launches = launches_of(w, v);
    say_item(w->report, "launches", "%s, of %s threads%s", num_group((int64_t)launches, text),
             num_group((int64_t)shape_threads(w->shape), threads), launches == 1 ? "" : " each");
    say_item(w->report, "check", "%s; two-norm of the error %g", got->right ? "right" : "WRONG",
             got->value);
    if (got->has_counters)
        say_item(w->report, "warps", "%s instructions",
                 num_group((int64_t)got->counters.warp_instructions, text));
}

static void put(void *self, const struct lab_variant *v, const struct attempt *got)
{
    struct relaunching *w = self;
    struct json *j = &w->report->result;
    json_int(j, "n", w->v.n);
    json_int(j, "iters", w->iters);
    json_uint(j, "blocks", w->shape.blocks);
    json_uint(j, "threads", w->shape.threads);
    if (!v)
        return;
    json_text(j, "variant", v->name);
    json_uint(j, "launches", launches_of(w, v));
    json_f64(j, "norm", got->value);
    json_bool(j, "ok", attempt_ok(got));
}

static void slots_of(void *self, const struct lab_variant *v, const struct attempt *got,
                     struct slots *s)
{
    struct relaunching *w = self;
    char text[NUM_TEXT];
    (void)v;
    (void)got;
    slot(s, "n", "%s", num_group(w->v.n, text));
    slot(s, "iters", "%s", num_group(w->iters, text));
    slot(s, "runs", "%u", w->session->runs);
    slot(s, "threads", "%s", num_group((int64_t)shape_threads(w->shape), text));
    slot(s, "started", "%s", num_group((int64_t)shape_threads(w->shape) * w->iters, text));
}

static const struct host_call *calls_of(void *self, const struct lab_variant *v)
{
    static const struct host_call each[] = {
        {"for (k = 0; k < iters; k++)", NULL, "the host goes round, not the device"},
        {"    %s(dx, dy, dz, n)", NULL, "each call returns at once: the launches queue up"},
        {"cudaDeviceSynchronize()", NULL, "the host waits for the last of them"},
        {NULL, NULL, NULL}};
    static const struct host_call one[] = {
        {"%s(dx, dy, dz, n, iters)", NULL, "one call, which returns at once"},
        {"cudaDeviceSynchronize()", NULL, "the host waits for it"},
        {NULL, NULL, NULL}};
    (void)self;
    return v->tag == LOOPS ? one : each;
}

static void call_of(void *self, const struct lab_variant *v, char *out, size_t size)
{
    const struct relaunching *w = self;
    snprintf(out, size, "%s<<<%u, %u>>>", v->kernel, w->shape.blocks, w->shape.threads);
}

/* ---- the lab ---------------------------------------------------------------------------- */

int relaunching_open(struct relaunching *w, struct session *s, const struct args *args,
                     struct report *r)
{
    *w = (struct relaunching){.session = s, .args = args, .report = r,
                              .iters = (int)arg_int(args, "iters")};
    if (vectors_open(&w->v, s, args, r))
        return -1;
    unsigned threads = arg_given(args, "threads") ? (unsigned)arg_int(args, "threads")
                                                  : USUAL_THREADS;
    w->shape.threads = threads;
    w->shape.blocks = shape_blocks((uint64_t)w->v.n, threads, false, &s->device->props);
    return shape_fits(w->shape, w->v.n, false, &s->device->props, r);
}

void relaunching_close(struct relaunching *w)
{
    vectors_close(&w->v);
}

static const struct ladder_column columns[] = {
    {"loads", offsetof(struct counters, global_load_requests)},
    {"stores", offsetof(struct counters, global_store_requests)},
    {"warp ins", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

struct old_ladder relaunching_ladder(struct relaunching *w, const struct lab_variant *variants)
{
    return (struct old_ladder){
        .session = w->session, .report = w->report, .args = w->args, .variants = variants,
        .all_unless_told = true, .file = "relaunch", .value = "norm", .kind = VALUE_ARRAY,
        .order = "most instructions first: both load and store the same",
        .columns = columns, .calls_of = calls_of, .self = w, .attempt = attempt, .head = head,
        .tell = tell, .put = put, .slots = slots_of, .call = call_of};
}
