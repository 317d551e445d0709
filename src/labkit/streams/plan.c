/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of a program's calls, and the machine that the model has it run on.
 */
#include "labkit/streams/streams.h"

#include "labkit/model.h"
#include "labkit/shape.h"

#include <stdio.h>
#include <string.h>

/* ---- the list ----------------------------------------------------------------------------- */

void streams_free(struct streams *s)
{
    mem_free(&allocator_libc, s->ops, s->room * sizeof *s->ops);
    mem_free(&allocator_libc, s->spans, s->plan.count * sizeof *s->spans);
    mem_free(&allocator_libc, s->with, s->plan.count * sizeof *s->with);
    *s = (struct streams){.room = 0};
}

uint32_t streams_array(struct streams *s, const char *name, enum host_memory memory,
                       uint64_t size, uint32_t *data, uint64_t total)
{
    const uint32_t i = s->plan.arrays;
    if (i == STREAM_ARRAYS) {
        s->broken = true;
        return 0;
    }
    s->plan.memory[i] = memory;
    s->plan.size[i] = size;
    s->plan.total[i] = total;
    s->names[i] = name;
    s->data[i] = data;
    return s->plan.arrays++;
}

void streams_add(struct streams *s, struct stream_op op)
{
    if (s->plan.count == STREAM_OPS_MOST || s->broken) {
        s->broken = true;
        return;
    }
    if (s->plan.count == s->room) {
        const size_t room = s->room ? 2 * s->room : 64;
        struct stream_op *ops = mem_resize(&allocator_libc, s->ops, s->room * sizeof *ops,
                                           room * sizeof *ops);
        if (!ops) {
            s->broken = true;
            return;
        }
        s->ops = ops;
        s->room = room;
    }
    if (op.stream >= s->plan.streams)
        s->plan.streams = op.stream + 1;
    s->ops[s->plan.count++] = op;
}

uint32_t streams_event(struct streams *s)
{
    if (s->plan.events == STREAM_EVENTS_MOST) {
        s->broken = true;
        return 0;
    }
    return s->plan.events++;
}

/* ---- the machine -------------------------------------------------------------------------- */

static uint64_t mb_s(double gb_s)
{
    return (uint64_t)(gb_s * 1000 + 0.5);
}

int streams_machine(struct streams_machine *m, const struct stream_assumed *a,
                    const struct device_props *p, unsigned threads, struct report *r)
{
    const double most = 1e6, least = 1e-3;
    unsigned per_sm;
    if (a->link != 0 && !(a->link >= least && a->link <= most))
        return report_fail(r, "--link is from %g to %g GB/s, or 0 for this card's own", least,
                           most);
    if (!(a->host_rate >= least && a->host_rate <= most))
        return report_fail(r, "--host-rate is from %g to %g GB/s", least, most);
    if (!(a->call >= 0 && a->call <= most))
        return report_fail(r, "--call is from 0 to %g us", most);
    *m = (struct streams_machine){
        .is = {.copy_engines = p->copy_engines > 0 ? (unsigned)p->copy_engines : 1,
               .link_mb_s = a->link > 0 ? mb_s(a->link) : model_link_mb_s(p),
               .host_mb_s = mb_s(a->host_rate),
               .call_ps = (uint64_t)(a->call * 1e6 + 0.5),
               .places = blocks_at_once(threads, p, &per_sm)},
        .engines_assumed = p->copy_engines <= 0};
    m->link_assumed = !m->is.link_mb_s;
    if (m->link_assumed)
        m->is.link_mb_s = MODEL_USUAL_LINK;
    if (!m->is.places)
        m->is.places = 1;
    m->link_gb_s = (double)m->is.link_mb_s / 1e3;
    m->host_gb_s = a->host_rate;
    m->call_us = a->call;
    return 0;
}

/* ---- kernels ------------------------------------------------------------------------------ */

static uint64_t ps_of_sectors(uint64_t sectors, uint64_t rate_mb_s)
{
    return model_ps(sectors * MODEL_SECTOR, rate_mb_s);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The busiest SM issues the instructions of its blocks; or memory, or the link, takes longer. */
static uint64_t kernel_ps(const struct streams *s, const struct stream_op *o,
                          const struct streams_kernel *k, const struct streams_machine *m,
                          const struct device_props *p)
{
    const uint64_t memory = model_memory_mb_s(p), link = m->is.link_mb_s;
    const uint64_t loads = k->load_sectors * o->blocks, stores = k->store_sectors * o->blocks;
    bool in = false, out = false;
    for (uint32_t i = 0; i < s->plan.arrays; i++) {
        const bool mapped = s->plan.memory[i] == BUFFER_MAPPED;
        in |= mapped && (o->reads >> i & 1);
        out |= mapped && (o->writes >> i & 1);
    }
    uint64_t ps = larger(model_issue_ps(o->blocks, k->instructions, p),
                         ps_of_sectors((in ? 0 : loads) + (out ? 0 : stores), memory));
    return larger(ps, larger(in ? ps_of_sectors(loads, link) : 0,
                             out ? ps_of_sectors(stores, link) : 0));
}

void streams_time_kernels(struct streams *s, const struct streams_kernel *k,
                          const struct streams_machine *m, const struct device_props *p)
{
    for (uint32_t i = 0; i < s->plan.count; i++)
        if (s->ops[i].kind == STREAM_KERNEL)
            s->ops[i].takes = kernel_ps(s, &s->ops[i], k, m, p);
}

/* ---- what follows ------------------------------------------------------------------------- */

int streams_lay_out(struct streams *s, const struct streams_machine *m, uint64_t seed,
                    struct report *r)
{
    struct stream_machine machine = m->is;
    machine.seed = seed;
    if (s->broken)
        return report_fail(r, "the list of calls is too long; take fewer streams or frames");
    if (!s->spans)
        s->spans = mem_alloc(&allocator_libc, s->plan.count * sizeof *s->spans);
    if (!s->with)
        s->with = mem_alloc(&allocator_libc, s->plan.count * sizeof *s->with);
    if (!s->spans || !s->with)
        return report_fail_limit(r, "out of memory; take fewer streams or frames");
    s->races = streams_races(&s->plan, s->ops, &s->race, s->with);
    if (s->races < 0 || streams_model(&s->plan, s->ops, &machine, s->spans))
        return report_fail_limit(r, "out of memory; take fewer streams or frames");
    s->measured = false;
    return 0;
}

double streams_us(const struct streams *s)
{
    return (double)streams_length(&s->plan, s->spans) / 1e6;
}

/* How long at least one of them is under way, from the first begin to the last end. A measured one
 * may be too short for the clock: it takes no time. */
static double busy(const struct streams *s, enum stream_op_kind kind)
{
    uint64_t sum = 0, until = 0;
    for (;;) { /* the next stretch begins where the earliest span after the last one begins */
        uint64_t from = UINT64_MAX, to;
        for (uint32_t i = 0; i < s->plan.count; i++) {
            const struct stream_span *at = &s->spans[i];
            const uint64_t begin = at->begin > until ? at->begin : until;
            if (s->ops[i].kind == kind && at->end > begin && begin < from)
                from = begin;
        }
        if (from == UINT64_MAX)
            return (double)sum / 1e6;
        to = from;
        for (bool grew = true; grew;) {
            grew = false;
            for (uint32_t i = 0; i < s->plan.count; i++)
                if (s->ops[i].kind == kind && s->spans[i].begin <= to && s->spans[i].end > to) {
                    to = s->spans[i].end;
                    grew = true;
                }
        }
        sum += to - from;
        until = to;
    }
}

struct streams_use streams_use(const struct streams *s)
{
    const double all = streams_us(s);
    if (!(all > 0))
        return (struct streams_use){0, 0, 0};
    return (struct streams_use){busy(s, STREAM_COPY_IN) / all, busy(s, STREAM_COPY_OUT) / all,
                                busy(s, STREAM_KERNEL) / all};
}
