/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The timeline of a program with streams: one event after the other, each time the one that can
 * come first. The order of a program is in streams-order.c.
 */
#include "obs/streams.h"

#include "base/mem.h"
#include "base/philox.h"

#include <string.h>

enum { NO_OP = -1, ENGINE_IN, ENGINE_OUT, ENGINES };
static const uint64_t never = UINT64_MAX;

struct model {
    const struct stream_plan *plan;
    const struct stream_op *ops;
    const struct stream_machine *machine;
    struct stream_span *spans;
    uint32_t called;                /* operations that the host has called */
    uint64_t host;                  /* when it is free for the next call */
    uint32_t next[STREAMS_MOST];    /* of each stream: where to look for its first one not done */
    int32_t last[STREAMS_MOST];     /* and its last one that is done */
    uint64_t free_at[ENGINES];
    int32_t used_by[ENGINES];
    int32_t event[STREAM_EVENTS_MOST]; /* the recording that the host called last */
    int32_t *waited;                /* of each STREAM_WAIT_EVENT: that recording */
    bool *done;
};

/* ---- how long things take ---------------------------------------------------------------- */

static uint64_t ps_of(uint64_t bytes, uint64_t mb_s)
{
    return mb_s ? bytes * 1000000 / mb_s : 0;
}

enum { DRAWN = 1000 };

/* What the seed draws for an operation: below DRAWN. */
static uint32_t drawn(const struct model *m, uint32_t i, unsigned which)
{
    const uint64_t seed = m->machine->seed;
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)}, counter[4] = {i};
    uint32_t four[4];
    philox(key, counter, four);
    return four[which] % DRAWN;
}

/* A device may begin as late as it likes. Every other stream is later than any copy that a small
 * program waits for, so what nothing orders comes in the wrong order: the next seed takes the other
 * half of the streams. */
static uint64_t late_by(const struct model *m, uint32_t i)
{
    enum { CALLS = 200 };
    const uint64_t least = 10000000, seed = m->machine->seed; /* ps */
    if (!seed)
        return 0;
    return least / DRAWN * drawn(m, i, 1) +
           ((seed + m->ops[i].stream) % 2 ? 4 * least + CALLS * m->machine->call_ps : 0);
}

static uint64_t length_of(const struct model *m, uint32_t i)
{
    const struct stream_op *o = &m->ops[i];
    const uint64_t bytes = o->count * sizeof(uint32_t);
    uint64_t ps = 0;
    if (o->kind == STREAM_KERNEL)
        ps = o->takes;
    else if (stream_op_works(o))
        ps = ps_of(bytes, m->machine->link_mb_s);
    if (stream_op_is_staged(m->plan, o) && ps_of(bytes, m->machine->host_mb_s) > ps)
        ps = ps_of(bytes, m->machine->host_mb_s);
    if (m->machine->seed) /* half as long to half as long again */
        ps = ps / 2 + ps / DRAWN * drawn(m, i, 0);
    return stream_op_works(o) && !ps ? 1 : ps;
}

/* ---- what an operation waits for ---------------------------------------------------------- */

struct stream_start {
    uint64_t at;
    int32_t after;
    enum stream_wait why;
};

static void later(struct stream_start *s, uint64_t at, int32_t after, enum stream_wait why)
{
    if (at <= s->at)
        return;
    *s = (struct stream_start){at, after, why};
}

/* Is there work of this stream, or of all others if `not`, before operation i that is not done? */
static bool is_open(const struct model *m, uint32_t stream, bool not, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (!m->done[k] && !stream_op_is_host(&m->ops[k]) &&
            (m->ops[k].stream == stream) != not)
            return true;
    return false;
}

static int engine_of(const struct model *m, const struct stream_op *o)
{
    return o->kind == STREAM_COPY_OUT && m->machine->copy_engines > 1 ? ENGINE_OUT : ENGINE_IN;
}

/* The default stream and the others wait for each other. */
static bool wait_default(const struct model *m, uint32_t i, struct stream_start *s)
{
    const uint32_t stream = m->ops[i].stream;
    if (is_open(m, 0, stream == 0, i))
        return false;
    for (uint32_t k = 0; k < m->plan->streams; k++)
        if ((k == 0) != (stream == 0) && m->last[k] != NO_OP && (uint32_t)m->last[k] < i)
            later(s, m->spans[m->last[k]].end, m->last[k], AFTER_DEFAULT);
    return true;
}

static uint64_t places_of(const struct model *m, const struct stream_op *o)
{
    return o->blocks < m->machine->places ? o->blocks : m->machine->places;
}

/* Kernels run at once as far as there are places for their blocks. */
static void wait_places(const struct model *m, uint32_t i, struct stream_start *s)
{
    const uint64_t needed = places_of(m, &m->ops[i]);
    for (;;) {
        uint64_t taken = 0, first_end = never;
        int32_t first = NO_OP;
        for (uint32_t k = 0; k < m->called; k++) {
            const struct stream_span *other = &m->spans[k];
            if (m->ops[k].kind != STREAM_KERNEL || !m->done[k] || other->end <= s->at)
                continue;
            taken += places_of(m, &m->ops[k]);
            if (other->end < first_end) {
                first_end = other->end;
                first = (int32_t)k;
            }
        }
        if (first == NO_OP || taken + needed <= m->machine->places)
            return;
        later(s, first_end, first, AFTER_ENGINE);
    }
}

/* When could operation i begin, which is the first one open of its stream? False: not yet known. */
static bool could_start(const struct model *m, uint32_t i, struct stream_start *s)
{
    const struct stream_op *o = &m->ops[i];
    const int32_t before = m->last[o->stream];
    *s = (struct stream_start){m->spans[i].called + late_by(m, i), NO_OP, AFTER_CALL};
    if (before != NO_OP)
        later(s, m->spans[before].end, before, AFTER_STREAM);
    if (o->kind == STREAM_WAIT_EVENT && m->waited[i] != NO_OP) {
        if (!m->done[m->waited[i]])
            return false;
        later(s, m->spans[m->waited[i]].end, m->waited[i], AFTER_EVENT);
    }
    if (!wait_default(m, i, s))
        return false;
    if (o->kind == STREAM_KERNEL)
        wait_places(m, i, s);
    else if (stream_op_works(o))
        later(s, m->free_at[engine_of(m, o)], m->used_by[engine_of(m, o)], AFTER_ENGINE);
    return true;
}

/* ---- the host ----------------------------------------------------------------------------- */

/* Sets how long the host waits in its call i; false: it is not known yet. */
static bool host_waits(const struct model *m, uint32_t i, uint64_t *until, int32_t *after)
{
    const struct stream_op *o = &m->ops[i];
    for (uint32_t k = 0; k < i; k++) {
        const struct stream_op *other = &m->ops[k];
        if (stream_op_is_host(other) ||
            (o->kind == HOST_WAITS_STREAM && other->stream != o->stream))
            continue;
        if (!m->done[k])
            return false;
        if (m->spans[k].end > *until) {
            *until = m->spans[k].end;
            *after = (int32_t)k;
        }
    }
    return true;
}

/* May the host make its next call? It can't before a copy has returned that it waits in. */
static bool host_is_free(const struct model *m)
{
    const uint32_t i = m->called;
    uint64_t ignored = 0;
    int32_t none;
    if (i == m->plan->count)
        return false;
    if (i > 0 && m->spans[i - 1].returned == never)
        return false;
    const uint32_t kind = m->ops[i].kind;
    return (kind != HOST_WAITS_STREAM && kind != HOST_WAITS_ALL) ||
           host_waits(m, i, &ignored, &none);
}

/* The host stays in the call until the work is done. */
static bool returns_late(const struct model *m, const struct stream_op *o)
{
    return stream_op_works(o) && (o->waits || stream_op_is_staged(m->plan, o));
}

static void call(struct model *m)
{
    const uint32_t i = m->called++;
    const struct stream_op *o = &m->ops[i];
    struct stream_span *s = &m->spans[i];
    const uint64_t takes = o->kind >= HOST_WRITES
                               ? ps_of(o->count * sizeof(uint32_t), m->machine->touch_mb_s)
                               : m->machine->call_ps;
    *s = (struct stream_span){.called = m->host, .returned = m->host + takes, .after = NO_OP,
                              .agent = stream_op_is_host(o) ? STREAMS_MOST : o->stream};
    if (o->kind == STREAM_RECORD)
        m->event[o->event] = (int32_t)i;
    if (o->kind == STREAM_WAIT_EVENT)
        m->waited[i] = m->event[o->event];
    if (stream_op_is_host(o)) {
        s->begin = m->host;
        if (o->kind == HOST_WAITS_STREAM || o->kind == HOST_WAITS_ALL)
            host_waits(m, i, &s->returned, &s->after);
        s->end = s->returned;
        m->done[i] = true;
    }
    s->why = s->after == NO_OP ? AFTER_CALL : AFTER_STREAM;
    if (returns_late(m, o))
        s->returned = never;
    else
        m->host = s->returned;
}

/* ---- one step after the other -------------------------------------------------------------- */

static void start(struct model *m, uint32_t i, const struct stream_start *from)
{
    const struct stream_op *o = &m->ops[i];
    struct stream_span *s = &m->spans[i];
    s->begin = from->at;
    s->end = from->at + length_of(m, i);
    s->after = from->after;
    s->why = from->why;
    m->done[i] = true;
    m->last[o->stream] = (int32_t)i;
    if (stream_op_works(o) && o->kind != STREAM_KERNEL) {
        m->free_at[engine_of(m, o)] = s->end;
        m->used_by[engine_of(m, o)] = (int32_t)i;
    }
    if (s->returned == never) {
        s->returned = s->end > s->called + m->machine->call_ps ? s->end
                                                               : s->called + m->machine->call_ps;
        m->host = s->returned;
    }
}

/* The first operation of a stream that was called and is not done; count: there is none. */
static uint32_t head_of(struct model *m, uint32_t stream)
{
    uint32_t *i = &m->next[stream];
    while (*i < m->called &&
           (m->done[*i] || stream_op_is_host(&m->ops[*i]) || m->ops[*i].stream != stream))
        ++*i;
    return *i < m->called ? *i : m->plan->count;
}

/* What comes first: the host's next call, or an operation. False: nothing can. */
static bool step(struct model *m)
{
    struct stream_start best = {never, NO_OP, AFTER_CALL}, s;
    uint32_t chosen = m->plan->count;
    for (uint32_t k = 0; k < m->plan->streams; k++) {
        const uint32_t i = head_of(m, k);
        if (i == m->plan->count || !could_start(m, i, &s))
            continue;
        if (s.at < best.at || (s.at == best.at && i < chosen)) {
            best = s;
            chosen = i;
        }
    }
    if (host_is_free(m) && m->host <= best.at) {
        call(m);
        return true;
    }
    if (chosen == m->plan->count)
        return false;
    start(m, chosen, &best);
    return true;
}

static bool all_done(const struct model *m)
{
    for (uint32_t i = 0; i < m->plan->count; i++)
        if (!m->done[i])
            return false;
    return m->called == m->plan->count;
}

int streams_model(const struct stream_plan *p, const struct stream_op *ops,
                  const struct stream_machine *machine, struct stream_span *spans)
{
    struct model m = {p, ops, machine, spans, .host = 0};
    if (p->streams > STREAMS_MOST || p->events > STREAM_EVENTS_MOST || !machine->places)
        return -1;
    m.waited = mem_alloc(&allocator_libc, (p->count + (size_t)1) * sizeof *m.waited);
    m.done = mem_alloc(&allocator_libc, p->count + (size_t)1);
    for (int k = 0; k < STREAMS_MOST; k++)
        m.last[k] = NO_OP;
    for (int k = 0; k < ENGINES; k++)
        m.used_by[k] = NO_OP;
    for (int k = 0; k < STREAM_EVENTS_MOST; k++)
        m.event[k] = NO_OP;
    while (m.waited && m.done && step(&m))
        ;
    const bool good = m.waited && m.done && all_done(&m);
    mem_free(&allocator_libc, m.waited, (p->count + (size_t)1) * sizeof *m.waited);
    mem_free(&allocator_libc, m.done, p->count + (size_t)1);
    return good ? 0 : -1;
}

uint64_t streams_length(const struct stream_plan *p, const struct stream_span *spans)
{
    uint64_t length = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        length = spans[i].end > length ? spans[i].end : length;
        length = spans[i].returned > length ? spans[i].returned : length;
    }
    return length;
}
