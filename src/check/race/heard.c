/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * News of mbarriers: made while threads arrive, handed out to those that wait.
 */
#include "check/race/heard.h"

#include "base/lanes.h"
#include "base/mem.h"
#include "check/race/order.h"

#include <string.h>

enum { LANES = 32, MOST_JOINED = 8 };
#define ALL_LANES UINT32_C(0xFFFFFFFF)

static const struct allocator *const from = &allocator_libc;

/* What is vouched for of a warp, lane by lane: what it did, and its cp.async. */
struct told_lanes {
    uint64_t upto[LANES], copied[LANES];
};
/* So many phases of an mbarrier are over, and with them the copies that they waited for. */
struct ended {
    uint32_t meeting, phases;
};
struct news {
    unsigned uses, warps; /* warps: of the cluster */
    struct told_lanes *told;
    struct ended *ended;
    size_t ended_count, ended_capacity;
    uint64_t number, joined[MOST_JOINED]; /* joined: what has gone into it last */
    unsigned joined_count;
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- warps of a cluster ---------------------------------------------------------------- */

unsigned heard_warps(const struct order *o, const struct block_order *b)
{
    return o->warps * (b->cluster ? b->cluster->blocks : 1);
}

static unsigned first_of(const struct order *o, const struct block_order *b)
{
    return b->cluster ? b->rank * o->warps : 0;
}

/* The number in the cluster of a warp of the grid; UINT32_MAX: it is in another cluster. */
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

uint64_t heard_number(const struct order *o, const struct block_order *b, unsigned of)
{
    const uint64_t block = b->cluster ? b->cluster->index[of / o->warps] : b->index;
    return block * o->warps + of % o->warps;
}

/* ---- news ------------------------------------------------------------------------------ */

static void let_go(struct news *n)
{
    if (!n || --n->uses)
        return;
    mem_free(from, n->told, n->told ? n->warps * sizeof *n->told : 0);
    mem_free(from, n->ended, n->ended_capacity * sizeof *n->ended);
    mem_free(from, n, sizeof *n);
}

static struct news *make_news(struct order *o, unsigned warps)
{
    struct news *n = mem_alloc(from, sizeof *n);
    if (n) {
        n->uses = 1;
        n->number = ++o->news;
        n->warps = warps;
        n->told = mem_alloc(from, warps * sizeof *n->told);
    }
    if (n && n->told)
        return n;
    let_go(n);
    o->failed = true;
    return NULL;
}

static void add_ended(struct order *o, struct news *n, struct ended e)
{
    for (size_t i = 0; i < n->ended_count; i++)
        if (n->ended[i].meeting == e.meeting) {
            if (n->ended[i].phases < e.phases)
                n->ended[i].phases = e.phases;
            return;
        }
    if (mem_grow(from, (void **)&n->ended, &n->ended_capacity, n->ended_count,
                 sizeof *n->ended) < 0)
        o->failed = true;
    else
        n->ended[n->ended_count++] = e;
}

static bool was_joined(const struct news *n, const struct news *more)
{
    for (unsigned i = 0; i < n->joined_count && i < MOST_JOINED; i++)
        if (n->joined[i] == more->number)
            return true;
    return n == more;
}

/* Takes over all that the other ones tell. */
static void join(struct order *o, struct news *n, const struct news *more)
{
    if (!more || was_joined(n, more))
        return;
    for (unsigned i = 0; i < n->warps && i < more->warps; i++)
        for (unsigned k = 0; k < LANES; k++) {
            n->told[i].upto[k] = later(n->told[i].upto[k], more->told[i].upto[k]);
            n->told[i].copied[k] = later(n->told[i].copied[k], more->told[i].copied[k]);
        }
    for (size_t i = 0; i < more->ended_count; i++)
        add_ended(o, n, more->ended[i]);
    n->joined[n->joined_count++ % MOST_JOINED] = more->number;
}

static void tell_all(struct told_lanes *t, uint64_t upto)
{
    for (unsigned k = 0; k < LANES; k++)
        t->upto[k] = later(t->upto[k], upto);
}

/* ---- mbarriers ------------------------------------------------------------------------- */

struct gathering *heard_meeting(struct order *o, struct block_order *of, uint64_t address)
{
    for (struct gathering *m = of->meetings; m; m = m->next)
        if (m->address == address)
            return m;
    struct gathering *m = mem_alloc(from, sizeof *m);
    struct news *n = m ? make_news(o, heard_warps(o, of)) : NULL;
    if (!n) {
        mem_free(from, m, m ? sizeof *m : 0);
        o->failed = true;
        return NULL;
    }
    *m = (struct gathering){
        .next = of->meetings, .address = address, .number = ++o->meetings, .growing = n};
    return of->meetings = m;
}

void heard_again(struct order *o, struct gathering *m)
{
    struct news *n = make_news(o, m->growing->warps);
    if (!n)
        return;
    let_go(m->growing);
    let_go(m->last);
    m->growing = n;
    m->last = NULL;
}

/* What the lane knows of its own warp. */
static void tell_own(const struct order *o, const struct warp_order *w, unsigned lane,
                     struct told_lanes *t)
{
    t->upto[lane] = o->now;
    for (unsigned k = 0; w->lanes && k < LANES; k++)
        t->upto[k] = later(t->upto[k], w->lanes[lane][k]);
}

static void tell_cluster(const struct order *o, const struct block_order *b, struct news *n)
{
    for (unsigned i = 0; b->cluster && i < n->warps; i++)
        tell_all(&n->told[i], b->cluster->known[i]);
    (void)o;
}

void heard_arrive(struct order *o, struct block_order *b, unsigned warp, uint32_t lanes,
                  struct block_order *of, struct gathering *m)
{
    const struct warp_order *w = &b->warps[warp];
    struct news *n = m->growing;
    struct told_lanes *own = n->told + first_of(o, b);
    for (unsigned i = 0; i < o->warps; i++)
        tell_all(&own[i], later(b->known, b->pairs ? b->pairs[(size_t)warp * o->warps + i] : 0));
    tell_all(&own[warp], w->full);
    EACH_LANE(lane, lanes)
        tell_own(o, w, lane, &own[warp]);
    tell_cluster(o, b, n);
    for (size_t i = 0; i < w->heard.count; i++)
        if (w->heard.items[i].lanes & lanes)
            join(o, n, w->heard.items[i].news);
    for (size_t i = 0; i < b->heard.count; i++)
        join(o, n, b->heard.items[i].news);
    order_share(o, of, b, warp);
}

void heard_copies(struct order *o, struct block_order *b, unsigned warp, uint32_t lanes,
                  struct gathering *m)
{
    EACH_LANE(lane, lanes)
        m->growing->told[first_of(o, b) + warp].copied[lane] = o->now;
}

/* What the next phase tells begins with all that this one told. */
void heard_end(struct order *o, struct gathering *m)
{
    struct news *next = make_news(o, m->growing->warps);
    if (!next)
        return;
    add_ended(o, m->growing, (struct ended){m->number, ++m->phases});
    m->growing->joined_count = 0;
    join(o, next, m->growing);
    next->joined_count = 0;
    let_go(m->last);
    m->last = m->growing;
    m->growing = next;
}

/* ---- who has heard --------------------------------------------------------------------- */

static void drop(struct hearings *h, size_t i)
{
    let_go(h->items[i].news);
    h->items[i] = h->items[--h->count];
}

/* Later news of an mbarrier have all that earlier ones had. */
static void hear(struct order *o, struct hearings *h, struct hearing one)
{
    for (size_t i = h->count; i-- > 0;) {
        struct hearing *old = &h->items[i];
        if (old->news == one.news) {
            old->lanes |= one.lanes;
            return;
        }
        if (old->meeting == one.meeting && !(old->lanes &= ~one.lanes))
            drop(h, i);
    }
    if (mem_grow(from, (void **)&h->items, &h->capacity, h->count, sizeof *h->items) < 0) {
        o->failed = true;
        return;
    }
    one.news->uses++;
    h->items[h->count++] = one;
}

void heard_wait(struct order *o, struct block_order *b, unsigned warp, uint32_t lanes,
                const struct gathering *m)
{
    if (m->last)
        hear(o, &b->warps[warp].heard, (struct hearing){m->last, m->number, lanes});
}

void heard_in_warp(struct order *o, struct block_order *b, unsigned warp, uint32_t lanes)
{
    struct hearings *h = &b->warps[warp].heard;
    (void)o;
    for (size_t i = 0; i < h->count; i++)
        if (h->items[i].lanes & lanes)
            h->items[i].lanes |= lanes;
}

/* A block keeps the latest of each mbarrier: the one that tells of more phases. */
static uint32_t phases_in(const struct news *n, uint32_t meeting)
{
    for (size_t i = 0; i < n->ended_count; i++)
        if (n->ended[i].meeting == meeting)
            return n->ended[i].phases;
    return 0;
}

static void hear_for_all(struct order *o, struct hearings *h, const struct hearing *one)
{
    for (size_t i = 0; i < h->count; i++)
        if (h->items[i].meeting == one->meeting &&
            phases_in(h->items[i].news, one->meeting) >= phases_in(one->news, one->meeting))
            return;
    hear(o, h, (struct hearing){one->news, one->meeting, ALL_LANES});
}

void heard_by_block(struct order *o, struct block_order *b, unsigned warp)
{
    struct hearings *h = &b->warps[warp].heard;
    for (size_t i = 0; i < h->count; i++)
        hear_for_all(o, &b->heard, &h->items[i]);
    while (h->count)
        drop(h, h->count - 1);
}

void heard_by_warp(struct order *o, struct block_order *b, unsigned warp, unsigned by)
{
    const struct hearings *h = &b->warps[by].heard;
    for (size_t i = 0; warp != by && i < h->count; i++)
        hear_for_all(o, &b->warps[warp].heard, &h->items[i]);
}

void heard_by_other(struct order *o, struct block_order *b, const struct block_order *by)
{
    for (size_t i = 0; b != by && i < by->heard.count; i++)
        hear_for_all(o, &b->heard, &by->heard.items[i]);
}

static void forget_hearings(struct hearings *h)
{
    while (h->count)
        drop(h, h->count - 1);
    mem_free(from, h->items, h->capacity * sizeof *h->items);
    *h = (struct hearings){0};
}

void heard_forget(struct order *o, struct block_order *b)
{
    for (unsigned i = 0; b->warps && i < o->warps; i++)
        forget_hearings(&b->warps[i].heard);
    forget_hearings(&b->heard);
    while (b->meetings) {
        struct gathering *m = b->meetings;
        b->meetings = m->next;
        let_go(m->growing);
        let_go(m->last);
        mem_free(from, m, sizeof *m);
    }
}

/* ---- asking ---------------------------------------------------------------------------- */

/* For each of the news that the lane knows: first its warp's, then the block's. */
#define EACH_NEWS(n, b, warp, lane)                                                          \
    for (unsigned at_ = 0; at_ < (b)->warps[warp].heard.count + (b)->heard.count; at_++)     \
        for (const struct news *n = news_at(b, warp, lane, at_); n; n = NULL)

static const struct news *news_at(const struct block_order *b, unsigned warp, unsigned lane,
                                  unsigned i)
{
    const struct hearings *own = &b->warps[warp].heard;
    if (i >= own->count)
        return b->heard.items[i - own->count].news;
    return own->items[i].lanes >> lane & 1 ? own->items[i].news : NULL;
}

bool heard_tells(const struct order *o, const struct block_order *b, unsigned warp, unsigned lane,
                 const struct deed *d)
{
    const unsigned of = number_in(o, b, d->warp);
    EACH_NEWS(n, b, warp, lane)
        if (of < n->warps && d->time <= n->told[of].upto[d->lane])
            return true;
    return false;
}

bool heard_copied(const struct order *o, const struct block_order *b, unsigned warp, unsigned lane,
                  const struct deed *d)
{
    const unsigned of = number_in(o, b, d->warp);
    EACH_NEWS(n, b, warp, lane)
        if (of < n->warps && d->time <= n->told[of].copied[d->lane])
            return true;
    return false;
}

bool heard_over(const struct block_order *b, unsigned warp, unsigned lane, uint32_t meeting,
                uint32_t phase)
{
    EACH_NEWS(n, b, warp, lane)
        if (phases_in(n, meeting) > phase)
            return true;
    return false;
}

uint64_t heard_least(const struct order *o, const struct block_order *b, unsigned warp,
                     uint32_t lanes, unsigned of, uint64_t *most)
{
    uint64_t least = 0;
    (void)o;
    *most = 0;
    EACH_NEWS(n, b, warp, lane_first(lanes)) {
        uint64_t low = UINT64_MAX;
        for (unsigned k = 0; of < n->warps && k < LANES; k++) {
            low = n->told[of].upto[k] < low ? n->told[of].upto[k] : low;
            *most = later(*most, n->told[of].upto[k]);
        }
        least = later(least, low == UINT64_MAX ? 0 : low);
    }
    return least;
}
