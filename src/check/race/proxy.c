/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ordinary loads and stores reach memory by the generic proxy, bulk copies by the asynchronous
 * proxy. So a barrier alone does not make a store visible to a bulk copy: a fence.proxy.async
 * must lie on the way from the store to the copy.
 *
 * Two rules say that it does. The thread that stored has fenced after its store. Or some thread has
 * fenced when it knew of the store: mostly the thread that starts the copy, after a barrier.
 * What a thread knew at its fence is kept as times. A time may be too late. Then a missing fence is
 * not found, but a right kernel is never reported.
 *
 * Only reads of a bulk copy are looked at, and only bytes that a thread of the same grid stored
 * last. Of global memory these are the stores of the copy's own block.
 */
#include "check/race/proxy.h"

#include "base/mem.h"
#include "check/race/inside.h"

static const struct allocator *const from = &allocator_libc;

/* ---- fences ---------------------------------------------------------------------------- */

bool race_has_proxies(const struct sim_instruction *code, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (code[i].kind == SIM_CLASS_BULK)
            return true;
    return false;
}

/* The lanes of a warp. They are made at the first call. NULL: memory ran out. */
static struct proxy_lane *lanes_of(struct race *r, struct block_state *b, unsigned warp)
{
    const size_t bytes = r->order.warps * WARP * sizeof *b->proxies;
    if (!b->proxies && !(b->proxies = mem_alloc(from, bytes))) {
        r->order.failed = true;
        return NULL;
    }
    return b->proxies + (size_t)warp * WARP;
}

void race_end_proxies(struct race *r, struct block_state *b)
{
    mem_free(from, b->proxies, b->proxies ? r->order.warps * WARP * sizeof *b->proxies : 0);
    b->proxies = NULL;
}

void race_proxy_learn(struct race *r, struct block_state *b, unsigned warp, uint32_t lanes)
{
    struct proxy_lane *own = r->proxies ? lanes_of(r, b, warp) : NULL;
    EACH_LANE(lane, own ? lanes : 0)
        own[lane].learned = r->order.now;
}

/* Lanes of a warp have waited for each other. */
void race_proxy_share(struct race *r, struct block_state *b, unsigned warp, uint32_t lanes)
{
    struct proxy_lane *own = r->proxies && b->proxies ? lanes_of(r, b, warp) : NULL;
    uint64_t most = 0;
    EACH_LANE(lane, own ? lanes : 0)
        most = own[lane].learned > most ? own[lane].learned : most;
    EACH_LANE(lane, own ? lanes : 0)
        own[lane].learned = most;
}

void race_proxy_learn_all(struct race *r, struct block_state *b)
{
    for (unsigned warp = 0; r->proxies && warp < r->order.warps; warp++)
        race_proxy_learn(r, b, warp, ALL_LANES);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void race_see_proxy_fence(void *self, const struct sim_at *at)
{
    struct race *r = self;
    struct block_state *b = r->proxies ? race_block_at(r, at) : NULL;
    struct proxy_lane *own = b ? lanes_of(r, b, at->warp) : NULL;
    if (!own)
        return;
    const enum sim_space space = at->code->space;
    const uint64_t known = b->order.known, full = b->order.warps[at->warp].full;
    EACH_LANE(lane, at->mask) {
        const struct proxy_fence f = {.when = r->order.now,
                                      .block = later(known, own[lane].learned),
                                      .warp = later(full, own[lane].learned),
                                      .others = later(later(known, full), own[lane].learned)};
        if (space != SIM_GLOBAL)
            own[lane].fence[PROXY_SHARED] = f;
        if (space != SIM_SHARED)
            own[lane].fence[PROXY_GLOBAL] = f;
    }
    r->order.now++;
}

/* ---- is a store visible? --------------------------------------------------------------- */

static enum proxy_memory memory_of(const struct look *k)
{
    return k->a->space == SIM_GLOBAL ? PROXY_GLOBAL : PROXY_SHARED;
}

/* Did this lane know of the store when it fenced? Or did it store that itself? `of` is the block of
 * the lane, and `warp` is its number there. */
static bool vouches(const struct look *k, const struct block_state *of, unsigned warp,
                    unsigned lane, const struct lane_time *d)
{
    const struct proxy_fence *f = &of->proxies[warp * WARP + lane].fence[memory_of(k)];
    const uint32_t there = d->warp - of->order.first_warp;
    return there >= k->r->order.warps ? d->time <= f->others
           : there != warp            ? d->time <= f->block
           : d->lane != lane          ? d->time <= later(f->block, f->warp)
                                      : d->time <= f->when;
}

static bool any_vouches(const struct look *k, const struct block_state *of,
                        const struct lane_time *d)
{
    for (unsigned i = 0; of && of->proxies && i < k->r->order.warps * WARP; i++)
        if (vouches(k, of, i / WARP, i % WARP, d))
            return true;
    return false;
}

static struct block_state *member(const struct look *k, unsigned rank)
{
    const struct cluster_order *c = k->b->order.cluster;
    return c->member[rank] ? block_find(&k->r->blocks, c->index[rank]) : NULL;
}

/* Is the block of that warp under way? What a block that has ended fenced is no longer known. */
static bool under_way(const struct look *k, uint32_t warp)
{
    const struct cluster_order *c = k->b->order.cluster;
    const uint64_t block = race_block_of(k->r, warp);
    for (unsigned rank = 0; c && rank < c->blocks; rank++)
        if (c->index[rank] == block)
            return c->member[rank] != NULL;
    return block == k->b->order.index;
}

static bool is_visible(const struct look *k, const struct lane_time *d)
{
    const struct cluster_order *c = k->b->order.cluster;
    const struct proxy_lane *own = k->b->proxies;
    const unsigned lane = lane_first(k->at->mask);
    if (d->warp < k->r->order.first_warp || d->time <= k->b->order.all || !under_way(k, d->warp))
        return true;
    if (own && vouches(k, k->b, k->at->warp, lane, d))
        return true;
    if (own && k->a->space == SIM_GLOBAL && d->time <= own[k->at->warp * WARP + lane].learned)
        return true; /* a fence of another block may lie on the way */
    if (any_vouches(k, k->b, d))
        return true;
    for (unsigned rank = 0; c && rank < c->blocks; rank++)
        if (c->index[rank] != k->b->order.index && any_vouches(k, member(k, rank), d))
            return true;
    return false;
}

/* ---- what a copy reads ----------------------------------------------------------------- */

/* The lanes whose stores the copy does not see. Stores that nothing orders before the copy are
 * races, and compare.c has reported them. */
static uint32_t unseen_lanes(const struct look *k, mark_key key, uint32_t warp, uint32_t lanes)
{
    uint32_t unseen = 0;
    if (!key || mark_copy(key) || k->r->code[mark_pc(key)].kind == SIM_CLASS_MBARRIER)
        return 0;
    EACH_LANE(lane, lanes) {
        const struct lane_time d = {warp, lane, mark_time(key)};
        if (!is_visible(k, &d) && race_known(k, lane_first(k->at->mask), &d))
            unseen |= 1u << lane;
    }
    return unseen;
}

static void tell_unseen(const struct look *k, mark_key key, uint32_t warp, unsigned lane,
                        unsigned past)
{
    const struct earlier o = {key, warp, lane, past};
    struct look unfenced = *k;
    unfenced.unfenced = true;
    race_found(&unfenced, race_pair(k, key), lane_first(k->at->mask), &o, 1);
}

/* The first lane of a strip that wrote byte `at` of the line. WARP: none did. */
static unsigned writer_of(const struct strip *s, int at)
{
    EACH_LANE(lane, s->key ? s->lanes : 0)
        if (strip_at(s, lane) <= at && at < strip_at(s, lane) + s->bytes)
            return lane;
    return WARP;
}

/* The strips of a line. Where both wrote a byte, the first of them is the newer one. */
static void look_at_strips(const struct look *k, const struct line *l, int start, int bytes)
{
    uint32_t unseen[2], told[2] = {0};
    for (int i = 0; i < 2; i++)
        unseen[i] = unseen_lanes(k, l->write[i].key, l->write[i].warp, l->write[i].lanes);
    for (int at = start; (unseen[0] | unseen[1]) && at < start + bytes; at++) {
        int i = 0;
        unsigned lane = writer_of(&l->write[0], at);
        if (lane == WARP)
            lane = writer_of(&l->write[i = 1], at);
        if (lane == WARP || !(unseen[i] & ~told[i] & 1u << lane))
            continue;
        told[i] |= 1u << lane;
        tell_unseen(k, l->write[i].key, l->write[i].warp, lane, (unsigned)(at - start));
    }
}

static void look_at_cells(const struct look *k, const struct cells *c, int start, int bytes)
{
    const struct mark *last = NULL;
    for (int i = start >> c->shift; i <= (start + bytes - 1) >> c->shift; i++) {
        const struct mark *m = &c->at[i].write;
        const bool again = last && last->key == m->key && last->warp == m->warp &&
                           last->lanes == m->lanes;
        const uint32_t unseen = again ? 0 : unseen_lanes(k, m->key, m->warp, m->lanes);
        const int begin = i << c->shift;
        if (unseen && unseen == m->lanes)
            tell_unseen(k, m->key, m->warp, lane_first(unseen),
                        begin > start ? (unsigned)(begin - start) : 0);
        last = m;
    }
}

void race_see_bulk_read(const struct look *k, const struct line *l, int start)
{
    if (l->cells.at)
        look_at_cells(k, &l->cells, start, (int)k->a->bytes);
    else
        look_at_strips(k, l, start, (int)k->a->bytes);
}
