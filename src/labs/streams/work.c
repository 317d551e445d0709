/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The programs of streams, run and told; see work.h.
 */
#include "labs/streams/work.h"

#include "labkit/shape.h"
#include "screen/picture.h"

#include <stdio.h>
#include <string.h>

static int find(void *self, const struct lab_variant *);
static const struct schedule as_set = {.name = NULL};

/* ---- runs --------------------------------------------------------------------------------- */

static struct streams_kernel kernel_of(const struct streams_lab *w, const struct param *params)
{
    return (struct streams_kernel){
        .launch = {.module = "streams", .kernel = "streams_add", .block = {w->threads}},
        .params = params};
}

#define KERNEL_PARAMS(w) PARAMS((uint64_t)0, (uint64_t)0, (uint64_t)0, (w)->n, (w)->rounds)

static uint32_t worked(uint32_t v, int rounds)
{
    for (int r = 0; r < rounds; r++)
        v = 3 * v + 1;
    return v;
}

static void judge(const struct streams_lab *w, struct attempt *got)
{
    got->value = 0;
    got->expected = w->n;
    for (int i = 0; i < w->n; i++)
        got->value += w->z[i] == worked(w->x[i] + w->y[i], w->rounds);
    got->right = got->value == got->expected;
}

/* Is there anything that this variant could be wrong in? */
static void look(const struct streams_lab *w, int tag, struct attempt *got)
{
    const uint64_t frames = divide_up((uint64_t)w->n, w->frame);
    if (tag & WAITS_FOR_ONE && (w->streams_used < 2 || frames < 2))
        snprintf(got->not_run, sizeof got->not_run,
                 "it waits for one of several streams; take at least --streams 2 --frames 2 -n 2");
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct streams_lab *w = self;
    const struct device_props *props = &t->session->device->props;
    const struct param *params = KERNEL_PARAMS(w);
    struct streams_kernel k = kernel_of(w, params);
    look(w, t->variant->tag, got);
    if (got->not_run[0])
        return 0;
    memset(w->z, 0xff, (size_t)w->n * sizeof *w->z);
    streams_build(w, t->variant->tag, &w->streams);
    if (streams_count(&k, &w->streams, t))
        return -1;
    streams_time_kernels(&w->streams, &k, &w->machine, props);
    if (streams_run(&w->streams, &k, &w->machine, t, got))
        return -1;
    judge(w, got);
    return 0;
}

/* How long a variant takes: modelled, or measured where times may be shown. */
static int time_variant(struct streams_lab *w, const struct lab_variant *v, double *us)
{
    struct session *session = w->run.session;
    struct streams s = {.room = 0};
    const struct trial t = {.session = session, .report = w->run.report, .variant = v,
                            .schedule = &as_set, .quiet = true};
    struct attempt got = {0};
    const struct param *params = KERNEL_PARAMS(w);
    struct streams_kernel k = kernel_of(w, params);
    streams_build(w, v->tag, &s);
    int failed = streams_count(&k, &s, &t);
    streams_time_kernels(&s, &k, &w->machine, &session->device->props);
    if (!failed)
        failed = w->compared_measured
                     ? streams_run(&s, &k, &w->machine, &t, &got)
                     : streams_lay_out(&s, &w->machine, 0, w->run.report);
    if (!failed && got.not_run[0])
        failed = report_fail(w->run.report, "the variants can't be compared: %s", got.not_run);
    if (!failed)
        *us = streams_us(&s);
    streams_free(&s);
    return failed;
}

int streams_compare(struct streams_lab *w)
{
    static const char *const three[] = {"once", "frames", "streams"};
    static const char *const kernels[] = {"once", "onestream", "concurrent"};
    if (find(w, NULL))
        return -1;
    w->compared_measured = session_on_gpu(w->run.session) && w->run.report->volatile_on;
    for (int i = 0; i < COMPARED; i++) {
        w->compared[i].variant = (w->small ? kernels : three)[i];
        if (time_variant(w, lab_variant_named(w->run.lab, w->compared[i].variant),
                         &w->compared[i].us))
            return -1;
    }
    w->has_compared = true;
    return 0;
}

/* ---- what there is to say ------------------------------------------------------------------ */

static void draw_compared(struct report *r, const void *found)
{
    const struct streams_lab *w = found;
    struct bar bars[COMPARED];
    char shown[COMPARED][NUM_TEXT];
    for (int i = 0; i < COMPARED; i++) {
        snprintf(shown[i], NUM_TEXT, "%.4g us", w->compared[i].us);
        bars[i] = (struct bar){w->compared[i].variant, w->compared[i].us, shown[i]};
    }
    say(r, "\n");
    say_heading(r, "the whole program, %s", w->compared_measured ? "measured" : "modelled");
    say_bars(r, bars, COMPARED);
    if (!w->small)
        say_item(r, "elsewhere", "on a GeForce GTX 970 with 128 frames, streams take 15 %% "
                                 "(n = 2^27) to 50 %% (n = 2^20) less time than frames (a "
                                 "course's notes)");
}

/* One line says the same on a screen that is not to be --long. */
static void draw_whole(struct report *r, const void *found)
{
    if (r->whole)
        draw_compared(r, found);
}

static void put_compared(struct json *j, const void *found)
{
    static const struct fact row[] = {
        {FACT(struct compared, variant)},
        {FACT(struct compared, us)},
        {.name = NULL},
    };
    const struct streams_lab *w = found;
    facts_json_rows(row, w->compared_measured ? "measured_compared" : "modelled_compared",
                    w->compared, COMPARED, sizeof w->compared[0], j);
}

static void draw_time(struct report *r, const void *found)
{
    const struct streams_lab *w = found;
    say(r, "\n");
    say_streams(&w->streams, r);
    if (!r->whole)
        return;
    say(r, "\n");
    say_stream_engines(&w->streams, r);
}

static void put_time(struct json *j, const void *found)
{
    put_streams(&((const struct streams_lab *)found)->streams, j);
}

static const struct fact task[] = {
    {FACT(struct streams_lab, n), .as = AS_GROUP},
    {.name = "streams", FACT_AT(struct streams_lab, streams_used)},
    {FACT(struct streams_lab, frames)},
    {FACT(struct streams_lab, rounds), .as = AS_GROUP},
    {FACT(struct streams_lab, frame), .as = AS_GROUP},
    {FACT(struct streams_lab, threads)},
    {.draw = draw_compared, .put = put_compared, WHEN(struct streams_lab, all_compared)},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "score", FACT_AT(struct streams_lab, run.got.value), .as = AS_GROUP,
     .label = "check",
     .says = "{verdict}: {score} of {n} sums are the same as in plain C"},
    FACT_OK,
    {FACT(struct streams_lab, copies), .label = "calls",
     .says = "{copies} copies, {launches launch}, and the host waits {waits time}"},
    {FACT(struct streams_lab, launches)},
    {FACT(struct streams_lab, waits)},
    {.name = "races", FACT_AT(struct streams_lab, streams.races)},
    {.name = "whole_us", FACT_AT(struct streams_lab, us), .format = "%.4g",
     WHEN(struct streams_lab, has_time), .label = "time",
     .says = "{whole_us} us {modelled?modelled; {link_assumed?assumed link|link} {link:%.4g} GB/s, "
             "assumed call {call:%.4g} us|measured}; {beside}"},
    {.label = "busy", WHEN(struct streams_lab, has_time),
     .says = "copies in {in_use} % of the time, kernels {kernel_use} %, copies out {out_use} %"},
    {.name = "in_use", FACT_AT(struct streams_lab, use.in), .as = AS_PERCENT,
     WHEN(struct streams_lab, has_time)},
    {.name = "out_use", FACT_AT(struct streams_lab, use.out), .as = AS_PERCENT,
     WHEN(struct streams_lab, has_time)},
    {.name = "kernel_use", FACT_AT(struct streams_lab, use.kernels), .as = AS_PERCENT,
     WHEN(struct streams_lab, has_time)},
    {FACT(struct streams_lab, modelled)},
    {.draw = draw_time, .put = put_time, WHEN(struct streams_lab, has_time)},
    {.draw = draw_whole, .put = put_compared, WHEN(struct streams_lab, has_compared)},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {.name = "count", FACT_AT(struct streams_lab, n), .as = AS_COUNT},
    {FACT(struct streams_lab, bytes), .as = AS_GROUP},
    {.name = "link", FACT_AT(struct streams_lab, machine.link_gb_s)},
    {.name = "link_assumed", FACT_AT(struct streams_lab, machine.link_assumed)},
    {.name = "call", FACT_AT(struct streams_lab, machine.call_us)},
    {FACT(struct streams_lab, race)},
    {FACT(struct streams_lab, beside)},
    {FACT(struct streams_lab, shown)},
    {FACT(struct streams_lab, one_engine)},
    {FACT(struct streams_lab, small)},
    {FACT(struct streams_lab, few)},
    {FACT(struct streams_lab, frame_blocks)},
    {FACT(struct streams_lab, sms)},
    {.name = NULL},
};

static bool show(void *self, const struct lab_variant *v, const struct launch_result *traced)
{
    struct streams_lab *w = self;
    (void)traced;
    if (!v->mended_by)
        return false;
    say(w->run.report, "\n");
    if (w->raced)
        say_item(w->run.report, "order", "nothing makes %s", w->race);
    draw_time(w->run.report, w);
    return true;
}

/* "once 50.9, frames 57.9": the others. */
static void name_others(struct streams_lab *w)
{
    size_t at = 0;
    w->beside[0] = '\0';
    for (int i = 0; i < COMPARED && w->has_compared && at < sizeof w->beside; i++)
        if (strcmp(w->compared[i].variant, w->run.variant) != 0)
            at += (size_t)snprintf(w->beside + at, sizeof w->beside - at, "%s%s %.4g",
                                   at ? ", " : "", w->compared[i].variant, w->compared[i].us);
}

static void count_calls(struct streams_lab *w)
{
    w->launches = w->copies = w->waits = 0;
    for (uint32_t i = 0; i < w->streams.plan.count; i++) {
        const struct stream_op *o = &w->streams.ops[i];
        w->launches += o->kind == STREAM_KERNEL;
        w->copies += o->kind == STREAM_COPY_IN || o->kind == STREAM_COPY_OUT;
        w->waits += o->kind == HOST_WAITS_STREAM || o->kind == HOST_WAITS_ALL || o->waits ||
                    stream_op_is_staged(&w->streams.plan, o);
    }
}

static int find(void *self, const struct lab_variant *v)
{
    struct streams_lab *w = self;
    const struct streams_options *o = w->options;
    const struct device_props *p = &w->run.session->device->props;
    w->streams_used = o->streams;
    w->frames = o->frames;
    w->frame = (unsigned)divide_up((uint64_t)w->n, (uint64_t)o->frames);
    w->threads = o->lab.threads ? (unsigned)o->lab.threads : 256;
    w->frame_blocks = (w->frame + w->threads - 1) / w->threads;
    w->sms = (unsigned)p->multiprocessors;
    w->few = w->frame_blocks < w->sms;
    w->bytes = (uint64_t)w->n * sizeof *w->x;
    w->one_engine = w->machine.is.copy_engines < 2;
    w->all_compared = !v && w->has_compared;
    w->has_time = w->run.got.launches > 0;
    w->modelled = !w->streams.measured;
    if (w->has_time) {
        w->us = streams_us(&w->streams);
        w->use = streams_use(&w->streams);
    }
    count_calls(w);
    name_others(w);
    w->raced = streams_find_race(&w->streams, w->race, sizeof w->race);
    w->shown[0] = '\0';
    if (w->has_time)
        snprintf(w->shown, sizeof w->shown, "%.4g", (double)w->run.got.cost / 1e6);
    const struct launch_shape shape = {shape_blocks((uint64_t)w->n, w->threads, false, p),
                                       w->threads};
    return shape_fits(shape, w->n, false, p, w->run.report);
}

/* ---- calls --------------------------------------------------------------------------------- */

static unsigned put_prologue(const struct streams_lab *w, struct buf *out)
{
    const bool pinned = w->streams.plan.memory[X] == BUFFER_PINNED;
    unsigned calls = 0;
    for (int i = 0; i < 3; i++, calls += 2) {
        const char array = "xyz"[i];
        if (pinned)
            buf_printf(out, "cudaMallocHost(&h%c, %llu)\n  waits: pinned memory of the host\n",
                       array, (unsigned long long)w->bytes);
        else
            buf_printf(out, "h%c = malloc(%llu)\n  waits: pageable memory of the host\n", array,
                       (unsigned long long)w->bytes);
        buf_printf(out, "cudaMalloc(&d%c, %llu)\n  waits: the host waits for the address\n", array,
                   (unsigned long long)w->bytes);
    }
    for (uint32_t k = 1; k < w->streams.plan.streams; k++, calls++)
        buf_printf(out, "cudaStreamCreate(&s%u)\n  waits: the host waits for the stream\n", k);
    for (uint32_t k = 0; k < w->streams.plan.events; k++, calls++)
        buf_printf(out, "cudaEventCreate(&e%u)\n  waits: the host waits for the event\n", k);
    return calls;
}

static int calls(void *self, const struct lab_variant *v, struct buf *out)
{
    struct streams_lab *w = self;
    const struct param *params = KERNEL_PARAMS(w);
    const struct streams_kernel k = kernel_of(w, params);
    streams_build(w, v->tag, &w->streams);
    if (streams_lay_out(&w->streams, &w->machine, 0, w->run.report))
        return -1;
    streams_calls(&w->streams, &k, put_prologue(w, out), out);
    return 0;
}

/* ---- the ladder ---------------------------------------------------------------------------- */

static const struct ladder_column columns[] = {
    {"load sectors", offsetof(struct counters, global_load_sectors)},
    {"instr", offsetof(struct counters, warp_instructions)},
    {0},
};

const struct ladder streams_ladder = {
    .value = "score",
    .kind = VALUE_INT,
    .order = "The slowest first, by the modelled time.",
    .columns = columns,
    .head = "{variant}: z = x + y, n = {count}, {streams stream}, {frames frame}",
    .head_of_all = "z = x + y, n = {count}, {streams stream}, {frames frame}",
    .beside_head = "model us",
    .beside = "{shown}",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
    .show = show,
    .calls = calls,
};
