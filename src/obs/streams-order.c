/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order that a program with streams can rely on, by vector clocks: of each operation they have,
 * for the host and for each stream, how many of its operations are surely over before.
 */
#include "obs/streams.h"

#include "base/mem.h"

#include <string.h>

enum { HOST = STREAMS_MOST, AGENTS };

struct vector { uint32_t at[AGENTS]; };

static void join(struct vector *to, const struct vector *from)
{
    for (int k = 0; k < AGENTS; k++)
        to->at[k] = from->at[k] > to->at[k] ? from->at[k] : to->at[k];
}

struct stream_order {
    const struct stream_plan *plan;
    const struct stream_op *ops;
    struct vector host, stream[STREAMS_MOST];
    struct vector *event;
    struct vector *is; /* of each operation */
    uint32_t *agent;   /* and who does it */
};

/* A stream's work comes after what the host has waited for, and the default stream's after all. */
static void put_in_stream(struct stream_order *o, uint32_t i)
{
    const struct stream_op *op = &o->ops[i];
    struct vector *v = &o->stream[op->stream];
    join(v, &o->host);
    for (uint32_t k = 0; k < o->plan->streams; k++)
        if (op->stream == 0 || k == 0)
            join(v, &o->stream[k]);
    if (op->kind == STREAM_WAIT_EVENT)
        join(v, &o->event[op->event]);
    v->at[op->stream]++;
    o->is[i] = *v;
    o->agent[i] = op->stream;
    if (op->kind == STREAM_RECORD)
        o->event[op->event] = *v;
    if (op->waits || (op->kind == STREAM_COPY_OUT && stream_op_is_staged(o->plan, op)))
        join(&o->host, v);
}

static void put_on_host(struct stream_order *o, uint32_t i)
{
    const struct stream_op *op = &o->ops[i];
    for (uint32_t k = 0; k < o->plan->streams; k++)
        if (op->kind == HOST_WAITS_ALL || (op->kind == HOST_WAITS_STREAM && k == op->stream))
            join(&o->host, &o->stream[k]);
    o->host.at[HOST]++;
    o->is[i] = o->host;
    o->agent[i] = HOST;
}

/* ---- who reaches what ---------------------------------------------------------------------- */

enum { NOTHING, READS, WRITES };

/* What operation i does with an array in the host's memory or in the device's. */
static int access_of(const struct stream_order *o, uint32_t i, uint32_t array, bool on_host)
{
    const struct stream_op *op = &o->ops[i];
    const bool mapped = o->plan->memory[array] == BUFFER_MAPPED;
    switch (op->kind) {
    case STREAM_KERNEL:
        if (on_host != mapped)
            return NOTHING;
        return op->writes >> array & 1 ? WRITES : op->reads >> array & 1 ? READS : NOTHING;
    case STREAM_COPY_IN:
    case STREAM_COPY_OUT:
        if (op->array != array)
            return NOTHING;
        if (on_host && op->kind == STREAM_COPY_IN && stream_op_is_staged(o->plan, op))
            return NOTHING; /* the CPU has read it when the call returns */
        return (op->kind == STREAM_COPY_OUT) == on_host ? WRITES : READS;
    case HOST_WRITES: return on_host && op->array == array ? WRITES : NOTHING;
    case HOST_READS: return on_host && op->array == array ? READS : NOTHING;
    default: return NOTHING;
    }
}

static bool meet(const struct stream_op *a, const struct stream_op *b)
{
    return a->first < b->first + b->count && b->first < a->first + a->count;
}

static bool is_before(const struct stream_order *o, uint32_t a, uint32_t b)
{
    return o->is[b].at[o->agent[a]] >= o->is[a].at[o->agent[a]];
}

static int64_t count_races(const struct stream_order *o, struct stream_race *first, int32_t *with)
{
    int64_t races = 0;
    for (uint32_t array = 0; array < o->plan->arrays; array++)
        for (int on_host = 0; on_host < 2; on_host++)
            for (uint32_t b = 1; b < o->plan->count; b++) {
                const int late = access_of(o, b, array, on_host);
                for (uint32_t a = 0; a < b && late != NOTHING; a++) {
                    const int early = access_of(o, a, array, on_host);
                    if (early == NOTHING || (early == READS && late == READS) ||
                        !meet(&o->ops[a], &o->ops[b]) || is_before(o, a, b))
                        continue;
                    if (!races++ || b < first->second)
                        *first = (struct stream_race){a, b, array, on_host};
                    if (with && with[b] < (int32_t)a)
                        with[b] = (int32_t)a;
                }
            }
    return races;
}

int64_t streams_races(const struct stream_plan *p, const struct stream_op *ops,
                      struct stream_race *first, int32_t *with)
{
    struct stream_order o = {.plan = p, .ops = ops};
    const size_t n = p->count + (size_t)1, events = p->events + (size_t)1;
    int64_t races = -1;
    if (p->streams > STREAMS_MOST || p->events > STREAM_EVENTS_MOST)
        return -1;
    o.is = mem_alloc(&allocator_libc, n * sizeof *o.is);
    o.agent = mem_alloc(&allocator_libc, n * sizeof *o.agent);
    o.event = mem_alloc(&allocator_libc, events * sizeof *o.event);
    for (uint32_t i = 0; with && i < p->count; i++)
        with[i] = -1;
    for (uint32_t i = 0; o.is && o.agent && o.event && i < p->count; i++)
        (stream_op_is_host(&ops[i]) ? put_on_host : put_in_stream)(&o, i);
    if (o.is && o.agent && o.event)
        races = count_races(&o, first, with);
    mem_free(&allocator_libc, o.is, n * sizeof *o.is);
    mem_free(&allocator_libc, o.agent, n * sizeof *o.agent);
    mem_free(&allocator_libc, o.event, events * sizeof *o.event);
    return races;
}
