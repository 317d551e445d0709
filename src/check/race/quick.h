/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The questions about a line that settle most accesses. They are asked of each line of each access,
 * so they are inline.
 */
#ifndef CHECK_RACE_QUICK_H
#define CHECK_RACE_QUICK_H

#include "check/race/inside.h"

/* The number of a block's cluster in the grid. */
static inline uint64_t race_cluster(const struct race *r, uint64_t block)
{
    const unsigned *size = r->cluster;
    unsigned at[3];
    if (size[0] * size[1] * size[2] <= 1)
        return block;
    finding_block(r->grid, block, at);
    uint64_t across = r->grid[0] / size[0], down = r->grid[1] / size[1];
    return at[0] / size[0] + across * (at[1] / size[1] + down * (at[2] / size[2]));
}

/* Is it ordered before all that this warp does now? False also means that one has to look
 * closer. */
static inline bool race_quick(const struct look *k, mark_key key, uint32_t warp)
{
    uint32_t there = warp - k->b->order.first_warp;
    if (there >= k->r->order.warps)
        return false;
    return key <= k->known || (there == k->at->warp && key <= k->full) ||
           (mark_copy(key) && (key & ~MARK_COPY) <= k->copied);
}

/* Of one warp: does every lane stay within its own part? Where both are evenly spaced alike, and
 * where a single lane comes back to its place. */
static inline bool race_each_its_own(const struct strip *now, const struct strip *old)
{
    int step = now->step < 0 ? -now->step : now->step, apart = now->start - old->start;
    if (now->warp != old->warp)
        return false;
    if (!(now->lanes & (now->lanes - 1))) {
        int own = old->step < 0 ? -old->step : old->step;
        return now->lanes == old->lanes || (now->bytes <= own && old->bytes <= own &&
                                            strip_at(old, lane_first(now->lanes)) == now->start);
    }
    return now->step == old->step && now->turn == old->turn && step && apart + now->bytes <= step &&
           apart >= old->bytes - step;
}

/* Are both atomic, and each at a scope that holds the other's thread? */
static inline bool race_both_atomic(const struct look *k, mark_key key, uint32_t warp)
{
    if (!k->atomic || !mark_atomic(key))
        return false;
    const struct race *r = k->r;
    unsigned scopes = r->scoped ? r->says[k->at->pc] | r->says[mark_pc(key)] : 0;
    if (!(scopes & (PC_NARROW | PC_CLUSTER)) || warp - k->b->order.first_warp < r->order.warps)
        return true;
    return !(scopes & PC_NARROW) && warp >= r->order.first_warp &&
           race_cluster(r, race_block_of(r, warp)) == race_cluster(r, k->b->order.index);
}

static inline bool race_matters(const struct look *k, const struct strip *now,
                                const struct strip *old)
{
    return old->key > k->settled && (mark_copy(old->key) || !race_each_its_own(now, old)) &&
           !race_both_atomic(k, old->key, old->warp) && !race_quick(k, old->key, old->warp);
}

static inline void race_compare_line(const struct look *k, const struct line *l, int size,
                                     const struct strip *s)
{
    if (l->cells.at) {
        race_compare_cells(k, &l->cells, s);
        return;
    }
    for (int i = 0; i < 2; i++) {
        if (race_matters(k, s, &l->write[i]))
            race_compare(k, s, &l->write[i], size);
        if (k->writes && race_matters(k, s, &l->read[i]))
            race_compare(k, s, &l->read[i], size);
    }
}

/* Can the mark be passed over? It is empty, ordered before, of this very lane, or atomic as this
 * is. */
static inline bool race_is_clear(const struct look *k, const struct mark *m, uint32_t lane_bit)
{
    return m->key <= k->settled ||
           (m->warp == k->me && m->lanes == lane_bit && !mark_copy(m->key)) ||
           race_both_atomic(k, m->key, m->warp) || race_quick(k, m->key, m->warp);
}

static inline bool race_cell_clear(const struct look *k, const struct cells *all,
                                   const struct cell *c, uint32_t bit)
{
    return race_is_clear(k, &c->write, bit) &&
           (!k->writes || (race_is_clear(k, &c->read, bit) &&
                           (!all->older || race_is_clear(k, &all->older[c - all->at], bit))));
}

/* Compares the bytes of one lane, from `at` to `end`. */
static inline void race_compare_bytes(const struct look *k, const struct cells *all, unsigned lane,
                                      int at, int end)
{
    const struct cell *c = &all->at[at >> all->shift], *last = &all->at[(end - 1) >> all->shift];
    for (; c <= last; c++)
        if (!race_cell_clear(k, all, c, 1u << lane) && race_compare_cell(k, lane, all, c, at))
            return;
}

/* Compares and remembers one cell of a lane whose access begins at byte `at`. *asks: no race of
 * this lane was found yet. */
static inline void race_pass_cell(const struct look *k, struct cells *all, struct cell *c,
                                  unsigned lane, int at, bool *asks)
{
    const struct mark m = {k->key, k->me, 1u << lane};
    if (*asks && !race_cell_clear(k, all, c, m.lanes) && race_compare_cell(k, lane, all, c, at))
        *asks = false;
    if (k->writes)
        cell_write(&k->r->shadow, all, c, &m);
    else
        cell_read(&k->r->shadow, all, c, &m);
}

/* Compares and remembers the bytes of one lane. */
static inline void race_pass_bytes(const struct look *k, struct cells *all, unsigned lane, int at,
                                   int end)
{
    struct cell *c = &all->at[at >> all->shift], *last = &all->at[(end - 1) >> all->shift];
    bool asks = true;
    do
        race_pass_cell(k, all, c, lane, at, &asks);
    while (c++ < last);
}

static inline void race_remember_bytes(const struct look *k, struct cells *all, uint32_t lanes,
                                       int at, int end)
{
    struct cell *c = &all->at[at >> all->shift], *last = &all->at[(end - 1) >> all->shift];
    const struct mark m = {k->key, k->me, lanes};
    for (; c <= last; c++)
        if (k->writes)
            cell_write(&k->r->shadow, all, c, &m);
        else
            cell_read(&k->r->shadow, all, c, &m);
}

#endif
