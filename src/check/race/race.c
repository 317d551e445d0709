/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The race checker as an observer: each access of a warp becomes strips, cut at the lines of
 * the shadow; each is compared with what the line remembers, then remembered itself.
 *
 * The comparison goes from cheap to exact: nothing there; ordered for the whole warp; other
 * bytes; and only then lane by lane. Races are rare, so the last step may take its time.
 *
 * access.c cuts an access into strips, compare.c compares one with what is remembered,
 * quick.h has the first questions, and found.c words a finding. Here are the blocks and
 * the launch, and who is told of which event.
 */
#include "check/race/inside.h"
#include "check/race/quick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const struct allocator *const from = &allocator_libc;


/* ---- blocks ---------------------------------------------------------------------------- */

static void free_block(struct race *r, struct block_state *b)
{
    race_forget_later(r, b);
    mem_put(from, b->shared, b->shared ? r->shared_pages * sizeof *b->shared : 0);
    mem_put(from, b, sizeof *b);
}

/* Its place among the blocks of its cluster, which the first of them to start makes. */
static void join_cluster(struct race *r, struct block_state *b)
{
    const unsigned *size = r->cluster, blocks = size[0] * size[1] * size[2];
    const uint64_t number = race_cluster(r, b->order.index);
    unsigned at[3];
    finding_block(r->grid, b->order.index, at);
    struct cluster_order *c = NULL;
    for (struct block_state *o = r->blocks; o && !c; o = o->next)
        if (o->order.cluster && o->order.cluster->number == number)
            c = o->order.cluster;
    if (!c)
        c = order_cluster(&r->order, number, blocks);
    if (c)
        order_join(c, &b->order,
                   at[0] % size[0] + size[0] * (at[1] % size[1] + size[1] * (at[2] % size[2])));
}

static void start_block(struct race *r, uint64_t index)
{
    struct block_state *b = r->spare;
    if (b)
        r->spare = b->next;
    else if ((b = mem_get(from, sizeof *b)) && r->shared_pages)
        b->shared = mem_get(from, r->shared_pages * sizeof *b->shared);
    if (!b)
        return;
    order_block_begin(&r->order, &b->order, index);
    if (r->cluster[0] * r->cluster[1] * r->cluster[2] > 1)
        join_cluster(r, b);
    b->next = r->blocks;
    r->blocks = b;
}

/* A block ends, and with it its shared memory: were others of the cluster done with it? Each warp
 * and lane is asked, since what one of them knows is over before the last one ends. */
static bool end_is_known(const struct race *r, const struct block_state *b, const struct deed *d)
{
    for (unsigned warp = 0; warp < r->order.warps; warp++)
        for (unsigned lane = 0; lane < WARP; lane++)
            if (order_known(&r->order, &b->order, warp, lane, d))
                return true;
    return false;
}

/* The access at byte `at` of the block's shared memory, by a lane of another block. */
static void look_at_end(struct race *r, const struct sim_event *e, const struct block_state *b,
                        const struct earlier *o, uint64_t at)
{
    const struct deed d = {o->warp, o->lane, mark_time(o->key)};
    struct finding_side side = {.code = &r->code[mark_pc(o->key)]};
    char name[FINDING_NAME], who[64];
    bool fresh;
    if (!o->key || o->warp / r->order.warps == b->order.index || end_is_known(r, b, &d))
        return;
    finding_block(r->grid, o->warp / r->order.warps, side.block);
    finding_thread(r->block_size, o->warp % r->order.warps * WARP + o->lane, side.thread);
    struct sim_fault *f = findings_add(r->out, SIM_RACE_SHARED, &side, NULL, e->when, &fresh);
    if (!f || !fresh)
        return;
    finding_name(e->run, SIM_SHARED, at, side.code->bytes, f, name);
    finding_who(&f->at, true, who);
    finding_owner(r->grid, b->order.index, name);
    if (snprintf(f->message, sizeof f->message, "%s %s %s, which may have ended by then: no "
                 "barrier of the cluster keeps it", who, race_verb(side.code), name) < 0)
        f->message[0] = 0;
    f->cure = SIM_CURE_CLUSTER_SYNC;
}

static void strip_at_end(struct race *r, const struct sim_event *e, const struct block_state *b,
                         const struct strip *s, uint64_t line)
{
    if (!s->key || !s->lanes)
        return;
    const struct earlier o = {s->key, s->warp, (unsigned)__builtin_ctz(s->lanes), 0};
    look_at_end(r, e, b, &o, line + (uint64_t)strip_at(s, (int)o.lane));
}

static void cells_at_end(struct race *r, const struct sim_event *e, const struct block_state *b,
                         const struct cells *all, uint64_t line)
{
    for (unsigned i = 0; i < all->count; i++) {
        const struct cell *c = &all->at[i];
        const struct mark *marks[] = {&c->write, &c->read, all->older ? &all->older[i] : NULL};
        for (unsigned j = 0; j < 3; j++)
            if (marks[j] && marks[j]->key && marks[j]->lanes) {
                const struct earlier o = {marks[j]->key, marks[j]->warp,
                                          (unsigned)__builtin_ctz(marks[j]->lanes), 0};
                look_at_end(r, e, b, &o, line + ((uint64_t)i << all->shift));
            }
    }
}

static void see_end(struct race *r, const struct sim_event *e)
{
    struct block_state *b = race_block(r, e->block_index);
    for (size_t i = 0; b && b->order.cluster && b->shared && i < r->shared_pages; i++) {
        struct page *p = &b->shared[i];
        if (p->step && !page_cut(&r->shadow, p, LINE_SHIFT))
            continue;
        for (size_t at = 0; p->lines && at < PAGE; at += (size_t)1 << p->shift) {
            const struct line *l = &p->lines[at >> p->shift];
            for (unsigned k = 0; k < 2 && !l->cells.at; k++) {
                strip_at_end(r, e, b, &l->write[k], i * PAGE + at);
                strip_at_end(r, e, b, &l->read[k], i * PAGE + at);
            }
            if (l->cells.at)
                cells_at_end(r, e, b, &l->cells, i * PAGE + at);
        }
    }
}

static void end_block(struct race *r, uint64_t index)
{
    struct block_state *b = race_block(r, index);
    if (!b)
        return;
    r->blocks = b->next;
    order_block_end(&r->order, &b->order);
    for (size_t i = 0; b->shared && i < r->shared_pages; i++)
        page_clear(&r->shadow, &b->shared[i]);
    mem_put(from, b->copies, b->copies ? r->order.warps * sizeof *b->copies : 0);
    b->copies = NULL;
    b->copied = 0;
    race_void_later(r, b);
    b->wrote = 0;
    b->next = r->spare;
    r->spare = b;
}

/* ---- a launch -------------------------------------------------------------------------- */

static uint8_t says_what(const struct sim_instruction *i)
{
    static const uint8_t orders[] = {[SIM_WEAK] = 0,
                                     [SIM_VOLATILE] = PC_VOLATILE,
                                     [SIM_RELAXED] = PC_STRONG,
                                     [SIM_ACQUIRE] = PC_ACQUIRE | PC_STRONG,
                                     [SIM_RELEASE] = PC_RELEASE | PC_STRONG,
                                     [SIM_ACQ_REL] = PC_ACQUIRE | PC_RELEASE | PC_STRONG};
    const uint8_t narrow = i->scope == SIM_BLOCK_SCOPE ? PC_NARROW : 0;
    if (i->async && (i->kind == SIM_CLASS_FENCE || i->kind == SIM_CLASS_HIDDEN))
        return PC_COPY;
    if (i->kind == SIM_CLASS_FENCE)
        return i->order == SIM_ACQ_REL ? PC_FENCE | narrow : 0;
    if (i->kind != SIM_CLASS_LOAD && i->kind != SIM_CLASS_STORE && i->kind != SIM_CLASS_ATOMIC)
        return 0;
    return orders[i->order] | narrow | (i->scope == SIM_CLUSTER_SCOPE ? PC_CLUSTER : 0);
}

static void begin(struct race *r, const struct sim_event *e)
{
    uint64_t threads = (uint64_t)e->block_size[0] * e->block_size[1] * e->block_size[2];
    uint64_t warps = (threads + WARP - 1) / WARP;
    uint64_t blocks = (uint64_t)e->grid[0] * e->grid[1];
    memcpy(r->grid, e->grid, sizeof r->grid);
    memcpy(r->block_size, e->block_size, sizeof r->block_size);
    memcpy(r->cluster, e->cluster, sizeof r->cluster);
    r->code = e->code;
    r->code_count = e->count;
    r->threads = (unsigned)threads;
    r->shared_pages = (e->shared_bytes + PAGE - 1) / PAGE;
    r->says = mem_get(from, e->count + 1);
    r->off = !r->says || e->count >= 1u << PC_BITS || blocks > UINT32_MAX ||
             blocks * e->grid[2] > UINT32_MAX / warps;
    for (uint32_t i = 0; !r->off && i < e->count; i++)
        r->scoped |= (r->says[i] = says_what(&e->code[i])) & (PC_NARROW | PC_CLUSTER);
    order_begin(&r->order, (unsigned)warps);
    r->shadow.code = e->code;
    chosen_begin(&r->chosen, e->code, e->count);
}

static uint32_t existing(const struct race *r, unsigned warp)
{
    unsigned left = r->threads - warp * WARP;
    return left >= WARP ? ALL_LANES : (1u << left) - 1;
}

static void see_warp(struct race *r, const struct sim_event *e)
{
    struct block_state *b = race_block(r, e->block_index);
    struct order *o = &r->order;
    if (!b || o->failed)
        return;
    if (e->kind == SIM_EV_ACCESS) { /* nearly always */
        if (e->space == SIM_SHARED || e->space == SIM_GLOBAL || e->space == SIM_CLUSTER)
            race_see_access(r, e, b);
        return;
    }
    switch (e->kind) {
    case SIM_EV_SYNC:
        if (e->code->kind == SIM_CLASS_BARRIER) /* shuffles and votes wait, but order no memory */
            order_sync(o, &b->order, e->warp, e->mask, existing(r, e->warp));
        break;
    case SIM_EV_ARRIVE:
        if (!e->whole)
            order_arrive(o, &b->order, e->warp, e->barrier);
        break;
    case SIM_EV_BARRIER:
        order_barrier(o, &b->order, e->warp, e->barrier, e->whole);
        if (e->whole && b->copies)
            race_know_copies(r, b);
        break;
    case SIM_EV_FENCE:
        if (r->says[e->pc] & PC_COPY)
            race_see_copies(r, e, b);
        if (r->says[e->pc] & PC_FENCE)
            order_fence(o, &b->order, e->warp, e->mask, race_scope(r->says[e->pc]));
        break;
    case SIM_EV_CLUSTER_ARRIVE: order_cluster_arrive(o, &b->order, e->warp); break;
    case SIM_EV_CLUSTER:
        if (b->order.cluster)
            order_cluster_barrier(o, b->order.cluster);
        break;
    default: break;
    }
}

static void see(void *self, const struct sim_event *e)
{
    struct race *r = self;
    if (e->kind == SIM_EV_BEGIN)
        begin(r, e);
    else if (r->off)
        return;
    else if (e->kind == SIM_EV_BLOCK)
        start_block(r, e->block_index);
    else if (e->kind == SIM_EV_BLOCK_END) {
        see_end(r, e);
        end_block(r, e->block_index);
    } else
        see_warp(r, e);
}

struct race *race_open(bool strict, struct findings *out, struct kept_chunks *kept)
{
    struct race *r = mem_get(from, sizeof *r);
    if (r) {
        r->strict = strict;
        r->out = out;
        r->shadow.kept = kept;
    }
    return r;
}

bool race_partly(const struct race *r)
{
    return r->off || r->shadow.full || r->out->lost;
}

void race_close(struct race *r)
{
    if (!r)
        return;
    while (r->blocks)
        end_block(r, r->blocks->order.index);
    while (r->spare) {
        struct block_state *b = r->spare;
        r->spare = b->next;
        free_block(r, b);
    }
    shadow_end(&r->shadow);
    order_end(&r->order);
    chosen_end(&r->chosen);
    mem_put(from, r->says, r->says ? r->code_count + 1 : 0);
    mem_put(from, r, sizeof *r);
}

struct sim_observer race_observer(struct race *r)
{
    return (struct sim_observer){.wants = SIM_EV_BEGIN | SIM_EV_BLOCK | SIM_EV_BLOCK_END |
                                          SIM_EV_ACCESS | SIM_EV_SYNC | SIM_EV_ARRIVE |
                                          SIM_EV_BARRIER | SIM_EV_FENCE |
                                          SIM_EV_CLUSTER_ARRIVE | SIM_EV_CLUSTER,
                                 .see = see,
                                 .self = r};
}
