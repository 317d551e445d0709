/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mbarriers: an arrival adds to the history of the current phase. A thread that waits for the end
 * of a phase gets the history of that phase. mbarriers.h says what a history is.
 */
#include "check/race/mbarriers.h"

#include "base/lanes.h"
#include "base/mem.h"
#include "check/race/order.h"

#include <string.h>

enum { LANES = 32, MOST_MERGED = 8 };
#define ALL_LANES UINT32_C(0xFFFFFFFF)

static const struct allocator *const from = &allocator_libc;

/* What a history has about one warp, for each lane. All that the lane did until `upto` is known.
 * Its cp.async until `copied` are complete. */
struct warp_history {
    uint64_t upto[LANES], copied[LANES];
};
/* How many phases of an mbarrier are over. The copies that these phases waited for are complete. */
struct ended_phases {
    uint32_t mbarrier, phases;
};
struct phase_history {
    unsigned uses, warps;      /* how many pointers lead here; how many warps the cluster has */
    struct warp_history *warp; /* an element for each of these warps */
    struct ended_phases *ended;
    size_t ended_count, ended_capacity;
    uint64_t number, merged[MOST_MERGED]; /* merged: numbers of the latest histories added here */
    unsigned merged_count;
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- warps of a cluster ---------------------------------------------------------------- */

unsigned order_cluster_warps(const struct order *o, const struct block_order *b)
{
    return o->warps * (b->cluster ? b->cluster->blocks : 1);
}

static unsigned first_of(const struct order *o, const struct block_order *b)
{
    return b->cluster ? b->rank * o->warps : 0;
}

/* Turns the number of a warp in the grid into its number in the cluster. UINT32_MAX: the warp is in
 * another cluster. */
static unsigned number_in(const struct order *o, const struct block_order *b, uint32_t warp)
{
    const uint64_t block = warp / o->warps;
    if (block == b->index)
        return first_of(o, b) + warp % o->warps;
    for (unsigned rank = 0; b->cluster && rank < b->cluster->blocks; rank++)
        if (b->cluster->index[rank] == block)
            return rank * o->warps + warp % o->warps;
    return UINT32_MAX;
}

uint64_t order_cluster_warp(const struct order *o, const struct block_order *b, unsigned of)
{
    const uint64_t block = b->cluster ? b->cluster->index[of / o->warps] : b->index;
    return block * o->warps + of % o->warps;
}

/* ---- histories ------------------------------------------------------------------------- */

static void drop_history(struct phase_history *history)
{
    if (!history || --history->uses)
        return;
    mem_free(from, history->warp, history->warp ? history->warps * sizeof *history->warp : 0);
    mem_free(from, history->ended, history->ended_capacity * sizeof *history->ended);
    mem_free(from, history, sizeof *history);
}

static struct phase_history *make_history(struct order *o, unsigned warps)
{
    struct phase_history *history = mem_alloc(from, sizeof *history);
    if (history) {
        history->uses = 1;
        history->number = ++o->history_count;
        history->warps = warps;
        history->warp = mem_alloc(from, warps * sizeof *history->warp);
    }
    if (history && history->warp)
        return history;
    drop_history(history);
    o->failed = true;
    return NULL;
}

static void add_ended(struct order *o, struct phase_history *history, struct ended_phases e)
{
    for (size_t i = 0; i < history->ended_count; i++)
        if (history->ended[i].mbarrier == e.mbarrier) {
            if (history->ended[i].phases < e.phases)
                history->ended[i].phases = e.phases;
            return;
        }
    if (mem_grow(from, (void **)&history->ended, &history->ended_capacity, history->ended_count,
                 sizeof *history->ended) < 0)
        o->failed = true;
    else
        history->ended[history->ended_count++] = e;
}

static bool was_merged(const struct phase_history *history, const struct phase_history *more)
{
    for (unsigned i = 0; i < history->merged_count && i < MOST_MERGED; i++)
        if (history->merged[i] == more->number)
            return true;
    return history == more;
}

/* Adds all that `more` has to `history`. */
static void merge(struct order *o, struct phase_history *history, const struct phase_history *more)
{
    if (!more || was_merged(history, more))
        return;
    for (unsigned i = 0; i < history->warps && i < more->warps; i++) {
        struct warp_history *own = &history->warp[i];
        const struct warp_history *added = &more->warp[i];
        for (unsigned k = 0; k < LANES; k++) {
            own->upto[k] = later(own->upto[k], added->upto[k]);
            own->copied[k] = later(own->copied[k], added->copied[k]);
        }
    }
    for (size_t i = 0; i < more->ended_count; i++)
        add_ended(o, history, more->ended[i]);
    history->merged[history->merged_count++ % MOST_MERGED] = more->number;
}

static void know_lanes_upto(struct warp_history *t, uint64_t upto)
{
    for (unsigned k = 0; k < LANES; k++)
        t->upto[k] = later(t->upto[k], upto);
}

/* ---- mbarriers ------------------------------------------------------------------------- */

struct mbarrier_order *order_mbarrier(struct order *o, struct block_order *of, uint64_t address)
{
    for (struct mbarrier_order *m = of->mbarriers; m; m = m->next)
        if (m->address == address)
            return m;
    struct mbarrier_order *m = mem_alloc(from, sizeof *m);
    struct phase_history *history = m ? make_history(o, order_cluster_warps(o, of)) : NULL;
    if (!history) {
        mem_free(from, m, m ? sizeof *m : 0);
        o->failed = true;
        return NULL;
    }
    *m = (struct mbarrier_order){
        .next = of->mbarriers, .address = address, .number = ++o->mbarrier_count,
        .current = history};
    return of->mbarriers = m;
}

void order_mbarrier_init(struct order *o, struct mbarrier_order *m)
{
    struct phase_history *history = make_history(o, m->current->warps);
    if (!history)
        return;
    drop_history(m->current);
    drop_history(m->completed);
    m->current = history;
    m->completed = NULL;
}

/* Adds what the lane knows about its own warp. */
static void know_own_warp(const struct order *o, const struct warp_order *w, unsigned lane,
                          struct warp_history *t)
{
    t->upto[lane] = o->now;
    for (unsigned k = 0; w->lanes && k < LANES; k++)
        t->upto[k] = later(t->upto[k], w->lanes[lane][k]);
}

static void know_cluster(const struct order *o, const struct block_order *b,
                         struct phase_history *history)
{
    for (unsigned i = 0; b->cluster && i < history->warps; i++)
        know_lanes_upto(&history->warp[i], b->cluster->known[i]);
    (void)o;
}

void order_mbarrier_arrive(struct order *o, struct block_order *b, unsigned warp, uint32_t lanes,
                           struct block_order *of, struct mbarrier_order *m)
{
    const struct warp_order *w = &b->warps[warp];
    struct phase_history *history = m->current;
    struct warp_history *own = history->warp + first_of(o, b);
    for (unsigned i = 0; i < o->warps; i++)
        know_lanes_upto(&own[i],
                        later(b->known, b->pairs ? b->pairs[(size_t)warp * o->warps + i] : 0));
    know_lanes_upto(&own[warp], w->full);
    EACH_LANE(lane, lanes)
        know_own_warp(o, w, lane, &own[warp]);
    know_cluster(o, b, history);
    for (size_t i = 0; i < w->histories.count; i++)
        if (w->histories.items[i].lanes & lanes)
            merge(o, history, w->histories.items[i].history);
    for (size_t i = 0; i < b->histories.count; i++)
        merge(o, history, b->histories.items[i].history);
    order_share(o, of, b, warp);
}

void order_mbarrier_copies(struct order *o, struct block_order *b, unsigned warp, uint32_t lanes,
                           struct mbarrier_order *m)
{
    EACH_LANE(lane, lanes)
        m->current->warp[first_of(o, b) + warp].copied[lane] = o->now;
}

/* The history of the next phase begins as a copy of the history of this phase. */
void order_mbarrier_end_phase(struct order *o, struct mbarrier_order *m)
{
    struct phase_history *next = make_history(o, m->current->warps);
    if (!next)
        return;
    add_ended(o, m->current, (struct ended_phases){m->number, ++m->phases});
    m->current->merged_count = 0;
    merge(o, next, m->current);
    next->merged_count = 0;
    drop_history(m->completed);
    m->completed = m->current;
    m->current = next;
}

/* ---- which lanes know a history -------------------------------------------------------- */

static void drop(struct known_histories *h, size_t i)
{
    drop_history(h->items[i].history);
    h->items[i] = h->items[--h->count];
}

/* A later history of an mbarrier has all that its earlier histories have. So these are dropped for
 * the lanes that know the later one. */
static void learn(struct order *o, struct known_histories *h, struct known_history one)
{
    for (size_t i = h->count; i-- > 0;) {
        struct known_history *old = &h->items[i];
        if (old->history == one.history) {
            old->lanes |= one.lanes;
            return;
        }
        if (old->mbarrier == one.mbarrier && !(old->lanes &= ~one.lanes))
            drop(h, i);
    }
    if (mem_grow(from, (void **)&h->items, &h->capacity, h->count, sizeof *h->items) < 0) {
        o->failed = true;
        return;
    }
    one.history->uses++;
    h->items[h->count++] = one;
}

void order_mbarrier_wait(struct order *o, struct block_order *b, unsigned warp, uint32_t lanes,
                         const struct mbarrier_order *m)
{
    if (m->completed)
        learn(o, &b->warps[warp].histories, (struct known_history){m->completed, m->number, lanes});
}

void histories_share_lanes(struct order *o, struct block_order *b, unsigned warp, uint32_t lanes)
{
    struct known_histories *h = &b->warps[warp].histories;
    (void)o;
    for (size_t i = 0; i < h->count; i++)
        if (h->items[i].lanes & lanes)
            h->items[i].lanes |= lanes;
}

/* How many phases of that mbarrier are over in this history. A block keeps one history of each
 * mbarrier: the one in which the most phases are over. */
static uint32_t phases_in(const struct phase_history *history, uint32_t mbarrier)
{
    for (size_t i = 0; i < history->ended_count; i++)
        if (history->ended[i].mbarrier == mbarrier)
            return history->ended[i].phases;
    return 0;
}

static void learn_for_all(struct order *o, struct known_histories *h,
                          const struct known_history *one)
{
    for (size_t i = 0; i < h->count; i++)
        if (h->items[i].mbarrier == one->mbarrier &&
            phases_in(h->items[i].history, one->mbarrier) >= phases_in(one->history, one->mbarrier))
            return;
    learn(o, h, (struct known_history){one->history, one->mbarrier, ALL_LANES});
}

void histories_share_block(struct order *o, struct block_order *b, unsigned warp)
{
    struct known_histories *h = &b->warps[warp].histories;
    for (size_t i = 0; i < h->count; i++)
        learn_for_all(o, &b->histories, &h->items[i]);
    while (h->count)
        drop(h, h->count - 1);
}

void histories_share_warp(struct order *o, struct block_order *b, unsigned warp, unsigned by)
{
    const struct known_histories *h = &b->warps[by].histories;
    for (size_t i = 0; warp != by && i < h->count; i++)
        learn_for_all(o, &b->warps[warp].histories, &h->items[i]);
}

void histories_share_cluster(struct order *o, struct block_order *b, const struct block_order *by)
{
    for (size_t i = 0; b != by && i < by->histories.count; i++)
        learn_for_all(o, &b->histories, &by->histories.items[i]);
}

/* ---- through memory -------------------------------------------------------------------- */

void histories_leave(struct order *o, struct known_histories *place, const struct block_order *b,
                     unsigned warp, uint32_t lanes)
{
    const struct known_histories *own = &b->warps[warp].histories;
    for (size_t i = 0; i < own->count; i++)
        if (own->items[i].lanes & lanes)
            learn_for_all(o, place, &own->items[i]);
    for (size_t i = 0; i < b->histories.count; i++)
        learn_for_all(o, place, &b->histories.items[i]);
}

void histories_take(struct order *o, struct block_order *b, unsigned warp, uint32_t lanes,
                    const struct known_histories *place)
{
    struct known_histories *own = &b->warps[warp].histories;
    for (size_t i = 0; i < place->count; i++) {
        struct known_history one = place->items[i];
        one.lanes = lanes;
        for (size_t k = 0; k < own->count; k++)
            if (own->items[k].mbarrier == one.mbarrier &&
                phases_in(own->items[k].history, one.mbarrier) >=
                    phases_in(one.history, one.mbarrier))
                one.lanes &= ~own->items[k].lanes;
        if (one.lanes)
            learn(o, own, one);
    }
}

void histories_drop(struct known_histories *h)
{
    while (h->count)
        drop(h, h->count - 1);
    mem_free(from, h->items, h->capacity * sizeof *h->items);
    *h = (struct known_histories){0};
}

void histories_free(struct order *o, struct block_order *b)
{
    for (unsigned i = 0; b->warps && i < o->warps; i++)
        histories_drop(&b->warps[i].histories);
    histories_drop(&b->histories);
    while (b->mbarriers) {
        struct mbarrier_order *m = b->mbarriers;
        b->mbarriers = m->next;
        drop_history(m->current);
        drop_history(m->completed);
        mem_free(from, m->waits, m->waits ? (size_t)o->warps * LANES * sizeof *m->waits : 0);
        mem_free(from, m, sizeof *m);
    }
}

/* ---- asking ---------------------------------------------------------------------------- */

/* Repeats the next statement for each history that the lane knows: first for those that its warp
 * keeps, then for those that its block keeps. */
#define EACH_HISTORY(history, b, warp, lane)                                                     \
    for (unsigned at_ = 0; at_ < (b)->warps[warp].histories.count + (b)->histories.count; at_++) \
        for (const struct phase_history *history = history_at(b, warp, lane, at_); history;      \
             history = NULL)

static const struct phase_history *history_at(const struct block_order *b, unsigned warp,
                                              unsigned lane, unsigned i)
{
    const struct known_histories *own = &b->warps[warp].histories;
    if (i >= own->count)
        return b->histories.items[i - own->count].history;
    return own->items[i].lanes >> lane & 1 ? own->items[i].history : NULL;
}

bool histories_know(const struct order *o, const struct block_order *b, unsigned warp,
                    unsigned lane, const struct lane_time *d)
{
    const unsigned of = number_in(o, b, d->warp);
    EACH_HISTORY(history, b, warp, lane)
    if (of < history->warps && d->time <= history->warp[of].upto[d->lane])
        return true;
    return false;
}

bool histories_know_copy(const struct order *o, const struct block_order *b, unsigned warp,
                         unsigned lane, const struct lane_time *d)
{
    const unsigned of = number_in(o, b, d->warp);
    EACH_HISTORY(history, b, warp, lane)
    if (of < history->warps && d->time <= history->warp[of].copied[d->lane])
        return true;
    return false;
}

bool order_mbarrier_tells(const struct order *o, const struct block_order *b,
                          const struct mbarrier_order *m, const struct lane_time *d)
{
    const unsigned of = number_in(o, b, d->warp);
    return of < m->current->warps && d->time <= m->current->warp[of].upto[d->lane];
}

bool histories_know_phase(const struct block_order *b, unsigned warp, unsigned lane,
                          uint32_t mbarrier, uint32_t phase)
{
    EACH_HISTORY(history, b, warp, lane)
    if (phases_in(history, mbarrier) > phase)
        return true;
    return false;
}

uint64_t histories_known_upto(const struct order *o, const struct block_order *b, unsigned warp,
                              uint32_t lanes, unsigned of, uint64_t *most)
{
    uint64_t least = 0;
    (void)o;
    *most = 0;
    EACH_HISTORY(history, b, warp, lane_first(lanes))
    {
        uint64_t low = UINT64_MAX;
        for (unsigned k = 0; of < history->warps && k < LANES; k++) {
            low = history->warp[of].upto[k] < low ? history->warp[of].upto[k] : low;
            *most = later(*most, history->warp[of].upto[k]);
        }
        least = later(least, low == UINT64_MAX ? 0 : low);
    }
    return least;
}
