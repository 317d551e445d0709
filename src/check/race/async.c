/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asynchronous copies and mbarriers, as the race checker sees them. This file marks the accesses of
 * a copy, and finds out whether a lane knows that the copy is complete.
 */
#include "check/race/inside.h"

#include "base/mem.h"

static const struct allocator *const from = &allocator_libc;

/* ---- starting -------------------------------------------------------------------------- */

/* The copies of each warp, `kinds` times. They are made at the first call. cp.async has one kind;
 * cp.async.bulk has two, its reads and then its writes. NULL: memory ran out. */
static struct copies *copies_of_warps(struct race *r, struct copies **all, unsigned kinds)
{
    if (!*all)
        *all = mem_alloc(from, kinds * r->order.warps * sizeof **all);
    return *all;
}

/* A copy starts now. Returns the bit that marks its accesses, or 0 if memory ran out. */
mark_key race_start_copy(struct race *r, struct block_state *b, const struct sim_at *at)
{
    if (at->code->async != SIM_ASYNC_GROUP)
        return MARK_COPY;
    if (!copies_of_warps(r, &b->copies, 1))
        return 0;
    copies_start(&b->copies[at->warp], r->order.now);
    return MARK_COPY;
}

static void record_copy(struct race *r, const struct mbarrier_order *m)
{
    if (!r->records && !(r->records = mem_alloc(from, MOST_RECORDS * sizeof *r->records))) {
        r->order.failed = true;
        return;
    }
    r->records[r->record_count++ % MOST_RECORDS] =
        (struct mbarrier_copy){r->order.now, m->number, m->phases};
}

/* A copy other than cp.async starts. Each of these copies has its own time. */
void race_see_copy(void *self, const struct sim_at *at, const struct sim_copy *c)
{
    struct race *r = self;
    struct block_state *b = race_block_at(r, at), *of;
    if (!b)
        return;
    r->other_waits = true;
    r->order.now++;
    if (c->mbarrier) {
        of = block_find(&r->blocks, c->owner);
        const struct mbarrier_order *m =
            of ? order_mbarrier(&r->order, &of->order, c->address) : NULL;
        if (m)
            record_copy(r, m);
    } else if (copies_of_warps(r, &b->bulk, 2)) {
        copies_start(&b->bulk[at->warp], r->order.now);
        copies_start(&b->bulk[r->order.warps + at->warp], r->order.now);
    } else
        r->order.failed = true;
}

/* ---- groups ---------------------------------------------------------------------------- */

void race_see_groups(struct race *r, struct block_state *b, const struct sim_at *at, bool waits,
                     unsigned left)
{
    const bool plain = at->code->async == SIM_ASYNC_GROUP;
    const bool reads = at->code->async == SIM_ASYNC_BULK_READ;
    struct copies *c = plain ? b->copies : b->bulk;
    for (unsigned kind = 0; c && kind < (plain || reads ? 1 : 2); kind++) {
        struct copies *own = &c[kind * r->order.warps + at->warp];
        if (waits)
            copies_wait(own, at->mask, left, r->order.now);
        else
            copies_commit(own, at->mask, r->order.now);
    }
    r->order.now += c != NULL;
}

/* After a barrier of the whole block, all its threads know which copies are complete. */
void race_know_copies(struct race *r, struct block_state *b)
{
    uint64_t oldest = r->order.now;
    for (unsigned i = 0; b->copies && i < r->order.warps; i++) {
        uint64_t first = copies_oldest(&b->copies[i]);
        oldest = first < oldest ? first : oldest;
    }
    b->copied = b->copies ? oldest - 1 : 0;
}

void race_end_copies(struct race *r, struct block_state *b)
{
    mem_free(from, b->copies, b->copies ? r->order.warps * sizeof *b->copies : 0);
    mem_free(from, b->bulk, b->bulk ? 2 * r->order.warps * sizeof *b->bulk : 0);
    b->copies = b->bulk = NULL;
    b->copied = 0;
}

/* ---- mbarriers ------------------------------------------------------------------------- */

/* Does the arrival release memory? A relaxed arrival does only after a fence. */
static bool releases(const struct sim_at *at, const struct block_state *b,
                     const struct sim_mbarrier *m)
{
    return !m->relaxed || b->order.warps[at->warp].fences[FOR_BLOCK].lanes & at->mask;
}

void race_see_mbarrier(void *self, const struct sim_at *at, const struct sim_mbarrier *e)
{
    struct race *r = self;
    struct block_state *b = race_block_at(r, at);
    struct block_state *of = b ? block_find(&r->blocks, e->owner) : NULL;
    struct mbarrier_order *m = of ? order_mbarrier(&r->order, &of->order, e->address) : NULL;
    if (!m)
        return;
    r->other_waits = true;
    if (e->what == SIM_MBARRIER_INIT || e->what == SIM_MBARRIER_INVAL)
        order_mbarrier_init(&r->order, m);
    else if (e->what == SIM_MBARRIER_ARRIVE && releases(at, b, e))
        order_mbarrier_arrive(&r->order, &b->order, at->warp, at->mask, &of->order, m);
    else if (e->what == SIM_MBARRIER_COPIES)
        order_mbarrier_copies(&r->order, &b->order, at->warp, at->mask, m);
    else if (e->what == SIM_MBARRIER_WAITED && !e->relaxed) {
        race_see_wait(r, at, m);
        order_mbarrier_wait(&r->order, &b->order, at->warp, at->mask, m);
        race_proxy_learn(r, b, at->warp, at->mask);
    }
    if (e->ends) {
        race_see_phase_end(r, at, b, of, m);
        order_mbarrier_end_phase(&r->order, m);
    }
    r->order.now++;
}

/* ---- whether a copy is complete -------------------------------------------------------- */

const struct mbarrier_copy *race_record_of(const struct race *r, uint64_t time)
{
    uint64_t low = r->record_count > MOST_RECORDS ? r->record_count - MOST_RECORDS : 0;
    uint64_t high = r->record_count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const struct mbarrier_copy *c = &r->records[middle % MOST_RECORDS];
        if (c->time == time)
            return c;
        if (c->time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool in_cluster(const struct race *r, const struct block_state *b, uint32_t warp)
{
    const uint64_t block = race_block_of(r, warp);
    const struct cluster_order *c = b->order.cluster;
    for (unsigned rank = 0; c && rank < c->blocks; rank++)
        if (c->index[rank] == block)
            return true;
    return block == b->order.index;
}

/* The state of a copy that completes a phase of an mbarrier. A lane may also know of the copy's
 * thread by a flag in memory. Then the flag may have said that the phase is over. */
static enum copy_state phase_copy(const struct race *r, const struct block_state *b, unsigned warp,
                                  unsigned lane, const struct lane_time *d)
{
    const struct mbarrier_copy *c = race_record_of(r, d->time);
    const bool flags = b->order.refs.count || b->order.warps[warp].refs.count;
    if (!c || !in_cluster(r, b, d->warp))
        return COPY_OVER;
    if (histories_know_phase(&b->order, warp, lane, c->mbarrier, c->phase) ||
        (flags && order_known(&r->order, &b->order, warp, lane, d)))
        return COPY_KNOWN;
    return COPY_RUNS;
}

enum copy_state race_copy(const struct race *r, const struct block_state *b, unsigned warp,
                          unsigned lane, const struct earlier *o, uint64_t *time)
{
    const struct sim_instruction *code = &r->code[mark_pc(o->key)];
    const struct lane_time d = {o->warp, o->lane, mark_time(o->key & ~MARK_COPY)};
    const uint32_t there = o->warp - b->order.first_warp;
    const bool plain = code->async == SIM_ASYNC_GROUP;
    *time = d.time;
    if (code->async == SIM_ASYNC_MBARRIER)
        return phase_copy(r, b, warp, lane, &d);
    const struct copies *c = plain ? b->copies : b->bulk;
    if (there >= r->order.warps || !c)
        return COPY_OVER;
    if (!plain && code->kind == SIM_CLASS_HIDDEN)
        c += r->order.warps;
    /* A wait at an mbarrier tells the lane at once, and before the copy's own thread waits. */
    if (plain && histories_know_copy(&r->order, &b->order, warp, lane, &d))
        return COPY_KNOWN;
    *time = copies_over(&c[there], o->lane, d.time);
    return *time ? COPY_OVER : COPY_RUNS;
}
