/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long each operation takes, by the model, and where it finds room on its engine.
 */
#include "run/run.h"

#include "base/mem.h"
#include "labkit/model.h"
#include "labkit/shape.h"

/* CUDA's documentation says that events have a resolution of about half a microsecond. */
enum { EVENT_PS = 500000 };
enum { SPANS_MOST = 128 }; /* more of them than a program has streams */

/* ---- the host -------------------------------------------------------------------------- */

void run_time_call(struct run *r)
{
    r->time.host += MODEL_CALL_PS;
}

void run_time_wait(struct run *r, uint64_t until)
{
    if (until > r->time.host)
        r->time.host = until;
}

/* ---- how long it takes ----------------------------------------------------------------- */

void run_time_begin(struct run *r, uint64_t ready)
{
    r->time.now = (struct run_span){.begin = ready, .end = ready, .share = RUN_WHOLE_ENGINE};
}

static void take(struct run *r, enum run_engine engine, uint64_t ps)
{
    r->time.now.engine = engine;
    r->time.now.end = r->time.now.begin + (ps ? ps : 1);
}

void run_time_event(struct run *r)
{
    take(r, RUN_NO_ENGINE, EVENT_PS);
}

static uint64_t link_of(const struct device_props *p)
{
    const uint64_t own = model_link_mb_s(p);
    return own ? own : MODEL_USUAL_LINK;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Pageable memory goes through a buffer of the driver, which the CPU fills or empties. */
static uint64_t link_ps(const struct run *r, const struct run_message *m, uint64_t bytes)
{
    const uint64_t ps = model_ps(bytes, link_of(&r->session.device->props));
    return run_is_pageable(r, m) ? larger(ps, model_ps(bytes, MODEL_HOST_MB_S)) : ps;
}

/* A copy within the device reads and writes its memory. */
void run_time_copy(struct run *r, const struct run_message *m)
{
    const struct device_props *p = &r->session.device->props;
    const uint64_t bytes = run_cost_bytes(m), memory = model_memory_mb_s(p);
    switch (run_cost_way(r, m)) {
    case RUN_WAY_IN: take(r, RUN_COPIES_IN, link_ps(r, m, bytes)); return;
    case RUN_WAY_OUT:
        take(r, p->copy_engines > 1 ? RUN_COPIES_OUT : RUN_COPIES_IN, link_ps(r, m, bytes));
        return;
    case RUN_WAY_WITHIN: take(r, RUN_KERNELS, model_ps(2 * bytes, memory)); return;
    case RUN_WAY_FILL: take(r, RUN_KERNELS, model_ps(bytes, memory)); return;
    case RUN_WAYS: return; /* within the host */
    }
}

static uint64_t product(const unsigned n[3]) { return (uint64_t)n[0] * n[1] * n[2]; }

/* A kernel that reads a clock takes at least as long as its clock says. It counts the instructions
 * of all blocks, one after the other, where a device has many at once. */
static uint64_t clock_ps(const struct device_props *p, uint64_t steps, uint64_t at_once)
{
    const uint64_t khz = p->clock_khz > 0 ? (uint64_t)p->clock_khz : 1000000;
    return steps / at_once * 1000000 / (khz / 1000 ? khz / 1000 : 1);
}

/* By the time model, without the launch itself: calls of the host have their own time. */
static uint64_t kernel_ps(const struct model_time *t)
{
    const double seconds = t->seconds - t->part[MODEL_LAUNCH];
    return seconds > 0 ? (uint64_t)(seconds * 1e12 + 0.5) : 0;
}

/* Of a card whose figures are not all known: by instructions and sectors alone. */
static uint64_t counted_ps(const struct device_props *p, const struct counters *c, uint64_t blocks)
{
    const uint64_t sectors = c->global_load_sectors + c->global_store_sectors;
    return larger(model_issue_ps(blocks, divide_up(c->warp_instructions, blocks), p),
                  model_ps(sectors * MODEL_SECTOR, model_memory_mb_s(p)));
}

void run_time_launch(struct run *r, struct run_kernel *k, const struct launch_want *want,
                     const struct launch_result *result)
{
    const struct device_props *p = &r->session.device->props;
    const struct counters *c = &result->counters;
    unsigned per_sm;
    const uint64_t blocks = product(want->grid);
    const uint64_t places =
        larger(blocks_at_once((unsigned)product(want->block), p, &per_sm), 1);
    uint64_t ps = result->has_model ? kernel_ps(&result->model) : counted_ps(p, c, blocks);
    if (k->kernel->info.reads_clock) {
        r->time.told_clock = true;
        r->time.clock = run_time_clock(r) + result->steps + 1;
        ps = larger(ps, clock_ps(p, result->steps, blocks < places ? blocks : places));
    }
    take(r, RUN_KERNELS, ps);
    k->device_ps += ps ? ps : 1;
    k->modelled_s += result->model.seconds;
    if (blocks < places)
        r->time.now.share = (uint32_t)larger(blocks * RUN_WHOLE_ENGINE / places, 1);
}

uint64_t run_time_clock(const struct run *r)
{
    return larger(r->time.clock, r->time.now.begin / 1000);
}

/* ---- room on the engines --------------------------------------------------------------- */

/* How much of the engine others have at that moment. */
static uint64_t used_at(const struct run_time *t, enum run_engine engine, uint64_t at)
{
    uint64_t used = 0;
    for (size_t i = 0; i < t->count; i++)
        if (t->spans[i].engine == engine && t->spans[i].begin <= at && at < t->spans[i].end)
            used += t->spans[i].share;
    return used;
}

/* Has the engine room for it, from its begin to its end? */
static bool fits(const struct run_time *t, const struct run_span *s)
{
    bool has_room = used_at(t, s->engine, s->begin) + s->share <= RUN_WHOLE_ENGINE;
    for (size_t i = 0; i < t->count && has_room; i++) {
        const struct run_span *o = &t->spans[i];
        if (o->engine == s->engine && o->begin > s->begin && o->begin < s->end)
            has_room = used_at(t, s->engine, o->begin) + s->share <= RUN_WHOLE_ENGINE;
    }
    return has_room;
}

/* The first moment after the span's begin at which another one ends. */
static uint64_t next_end(const struct run_time *t, const struct run_span *s)
{
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < t->count; i++) {
        const struct run_span *o = &t->spans[i];
        if (o->engine == s->engine && o->end > s->begin && o->end < next)
            next = o->end;
    }
    return next;
}

/* Keeps the span, in place of the one that ended first if there are many. */
static void keep(struct run_time *t, const struct run_span *s)
{
    size_t first = 0;
    if (t->count < SPANS_MOST &&
        mem_grow(&allocator_libc, (void **)&t->spans, &t->capacity, t->count,
                 sizeof *t->spans) == 0) {
        t->spans[t->count++] = *s;
        return;
    }
    for (size_t i = 1; i < t->count; i++)
        if (t->spans[i].end < t->spans[first].end)
            first = i;
    if (t->count)
        t->spans[first] = *s;
}

uint64_t run_time_end(struct run *r)
{
    struct run_time *t = &r->time;
    struct run_span *s = &t->now;
    const uint64_t length = s->end - s->begin;
    if (s->engine == RUN_NO_ENGINE)
        return s->end;
    while (!fits(t, s)) {
        s->begin = next_end(t, s);
        s->end = s->begin + length;
    }
    keep(t, s);
    return s->end;
}

void run_time_free(struct run *r)
{
    mem_free(&allocator_libc, r->time.spans, r->time.capacity * sizeof *r->time.spans);
    r->time = (struct run_time){.host = 0};
}
