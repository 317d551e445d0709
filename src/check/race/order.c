/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Barriers, synchronisations of lanes, fences, and the places where threads leave word.
 */
#include "check/race/order.h"

#include "base/lanes.h"
#include "base/mem.h"

#include <string.h>

enum { LANES = 32, BARRIERS = 16, MOST_REFERENCES = 256, DEEPEST = 2, WIDEST = 8,
       CROWDED = 16, MOST_WORDS = 8192 };
#define ALL_LANES UINT32_C(0xFFFFFFFF)

static const struct allocator *const from = &allocator_libc;

/* What one warp, or one block, has vouched for at a place. */
struct release {
    uint64_t who;   /* warp * 2, or block * 2 + 1; plus 1, so that 0 is none */
    uint64_t first; /* when it first did */
    uint64_t upto;  /* of those lanes */
    uint64_t full;  /* of all lanes */
    uint32_t lanes;
};

struct place {
    uint64_t address, owner; /* owner: a block's number + 1, or 0: everyone's */
    struct release *words; /* open hash by who */
    size_t word_count, word_slots;
    struct references refs; /* what those who left word had read elsewhere */
    struct known_histories histories; /* and learned at mbarriers; only at a place of a block */
    uint64_t reads; /* when word of reads was left last */
    bool tells_all; /* there was no room for more words: it counts as telling everything */
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static size_t hash(uint64_t key, size_t slots)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (slots - 1);
}

/* ---- places ---------------------------------------------------------------------------- */

/* A place in the hash, beside what it is found by. */
struct place_slot {
    uint64_t address, owner;
    struct place *place;
};

static struct place_slot *place_slot(struct place_slot *slots, size_t count, uint64_t address,
                                     uint64_t owner)
{
    size_t i = hash(address + owner, count);
    while (slots[i].place && (slots[i].address != address || slots[i].owner != owner))
        i = (i + 1) & (count - 1);
    return &slots[i];
}

/* NULL: nobody has left word there. Who takes word at a place often leaves some next. */
static struct place *place_at(struct order *o, uint64_t address, uint64_t owner)
{
    struct place *p = o->found;
    if (p && p->address == address && p->owner == owner)
        return p;
    p = o->place_count ? place_slot(o->places, o->place_slots, address, owner)->place : NULL;
    o->found = p ? p : o->found;
    return p;
}

static int widen_places(struct order *o)
{
    size_t wider = o->place_slots ? o->place_slots * 2 : 64;
    struct place_slot *slots = mem_alloc(from, wider * sizeof *slots), *old = o->places;
    if (!slots)
        return -1;
    for (size_t i = 0; i < o->place_slots; i++)
        if (old[i].place)
            *place_slot(slots, wider, old[i].address, old[i].owner) = old[i];
    mem_free(from, o->places, o->place_slots * sizeof *o->places);
    o->places = slots;
    o->place_slots = wider;
    return 0;
}

static struct place *make_place(struct order *o, uint64_t address, uint64_t owner)
{
    struct place *p = place_at(o, address, owner);
    if (p)
        return p;
    if (2 * o->place_count >= o->place_slots && widen_places(o) != 0)
        return NULL;
    p = mem_alloc(from, sizeof *p);
    if (!p)
        return NULL;
    p->address = address;
    p->owner = owner;
    *place_slot(o->places, o->place_slots, address, owner) =
        (struct place_slot){address, owner, p};
    o->place_count++;
    o->owned_count += owner != 0;
    return p;
}

static struct release *word_slot(struct release *slots, size_t count, uint64_t who)
{
    size_t i = hash(who, count);
    while (slots[i].who && slots[i].who != who)
        i = (i + 1) & (count - 1);
    return &slots[i];
}

static struct release *make_word(struct place *p, uint64_t who)
{
    if (2 * p->word_count >= p->word_slots) {
        size_t wider = p->word_slots ? p->word_slots * 2 : 8;
        struct release *slots = mem_alloc(from, wider * sizeof *slots);
        if (!slots)
            return NULL;
        for (size_t i = 0; i < p->word_slots; i++)
            if (p->words[i].who)
                *word_slot(slots, wider, p->words[i].who) = p->words[i];
        mem_free(from, p->words, p->word_slots * sizeof *p->words);
        p->words = slots;
        p->word_slots = wider;
    }
    struct release *w = word_slot(p->words, p->word_slots, who);
    p->word_count += !w->who;
    w->who = who;
    return w;
}

static const struct release *word_of(const struct place *p, uint64_t who)
{
    if (!p->word_slots)
        return NULL;
    const struct release *w = word_slot(p->words, p->word_slots, who);
    return w->who ? w : NULL;
}

/* ---- references ------------------------------------------------------------------------ */

static void free_references(struct references *r)
{
    mem_free(from, r->items, r->capacity * sizeof *r->items);
    *r = (struct references){0};
}

static void free_place(struct place *p)
{
    mem_free(from, p->words, p->word_slots * sizeof *p->words);
    free_references(&p->refs);
    histories_drop(&p->histories);
    mem_free(from, p, sizeof *p);
}

/* Where there are many, lanes of a warp share one for each place. */
static bool refers(const struct references *r, const struct reference *one,
                   const struct reference *to)
{
    return one->place == to->place && one->only == to->only && one->pending == to->pending &&
           (one->lanes == to->lanes || r->count > CROWDED);
}

/* -1: memory ran out. */
static int refer(struct references *r, const struct reference *to)
{
    uint16_t *first = &r->first[hash((uintptr_t)to->place << 4, REFERENCE_LISTS)];
    for (size_t i = *first; i; i = r->items[i - 1].next)
        if (refers(r, &r->items[i - 1], to)) {
            struct reference *one = &r->items[i - 1];
            one->lanes |= to->lanes;
            one->at = later(one->at, to->at);
            return 0;
        }
    if (r->count == UINT16_MAX ||
        mem_grow(from, (void **)&r->items, &r->capacity, r->count, sizeof *r->items) < 0)
        return -1;
    r->items[r->count] = *to;
    r->items[r->count].next = *first;
    *first = (uint16_t)++r->count;
    return 0;
}

/* What these lanes know of becomes known to all who will read there. */
static void refer_all(struct order *o, struct references *to, const struct references *r,
                      uint32_t lanes, size_t most)
{
    to->reads = later(to->reads, r->reads);
    for (size_t i = 0; i < r->count && to->count <= most; i++) {
        struct reference known = r->items[i];
        if (known.pending || !(known.lanes & lanes))
            continue;
        known.lanes = ALL_LANES;
        o->failed |= refer(to, &known) != 0;
    }
}

/* A block that has read in so many places is taken to know everything until now. */
static void not_too_many(struct order *o, struct block_order *b, struct references *r)
{
    if (r->count > MOST_REFERENCES) {
        b->all = o->now;
        r->count = 0;
        memset(r->first, 0, sizeof r->first);
    }
}

/* ---- a launch and its blocks ----------------------------------------------------------- */

void order_begin(struct order *o, unsigned warps)
{
    *o = (struct order){.now = 1, .warps = warps};
}

void order_end(struct order *o)
{
    for (size_t i = 0; i < o->place_slots; i++)
        if (o->places[i].place)
            free_place(o->places[i].place);
    if (o->ended)
        free_place(o->ended);
    mem_free(from, o->places, o->place_slots * sizeof *o->places);
    *o = (struct order){0};
}

void order_grid(struct order *o, uint32_t first_warp, unsigned warps)
{
    const struct order before = *o;
    order_end(o);
    *o = (struct order){.now = before.now + 1, .warps = warps, .first_warp = first_warp,
                        .mbarrier_count = before.mbarrier_count,
                        .history_count = before.history_count, .failed = before.failed};
}

void order_block_begin(struct order *o, struct block_order *b, uint64_t index)
{
    *b = (struct block_order){.index = index, .first_warp = o->first_warp + (uint32_t)(index * o->warps)};
    b->warps = mem_alloc(from, o->warps * sizeof *b->warps);
    o->failed |= !b->warps;
}

static void leave_cluster(const struct order *o, struct block_order *b)
{
    struct cluster_order *c = b->cluster;
    size_t bytes = (size_t)c->blocks * o->warps * sizeof *c->came;
    c->member[b->rank] = NULL;
    b->cluster = NULL;
    if (--c->left)
        return;
    mem_free(from, c->came, bytes);
    mem_free(from, c->known, bytes);
    mem_free(from, c, sizeof *c);
}

void order_block_end(struct order *o, struct block_order *b)
{
    for (unsigned i = 0; b->warps && i < o->warps; i++) {
        struct warp_order *w = &b->warps[i];
        mem_free(from, w->lanes, w->lanes ? LANES * sizeof *w->lanes : 0);
        free_references(&w->refs);
    }
    histories_free(o, b);
    mem_free(from, b->warps, b->warps ? o->warps * sizeof *b->warps : 0);
    mem_free(from, b->pairs, b->pairs ? (size_t)o->warps * o->warps * sizeof *b->pairs : 0);
    mem_free(from, b->arrived, b->arrived ? o->warps * BARRIERS * sizeof *b->arrived : 0);
    free_references(&b->refs);
    if (b->cluster)
        leave_cluster(o, b);
}

/* ---- barriers and lanes ---------------------------------------------------------------- */

void order_arrive(struct order *o, struct block_order *b, unsigned warp, unsigned barrier)
{
    if (!b->arrived && !(b->arrived = mem_alloc(from, o->warps * BARRIERS * sizeof *b->arrived))) {
        o->failed = true;
        return;
    }
    barrier %= BARRIERS;
    if (b->passed[barrier])
        b->came[barrier] = 0;
    b->passed[barrier] = false;
    b->came[barrier] |= 1u << (warp & 31);
    b->arrived[barrier * o->warps + warp] = o->now++;
}

/* This warp knows of all that came to the barrier until then, and what they knew of others. */
static void know_those(struct order *o, struct block_order *b, unsigned warp, unsigned barrier)
{
    const uint64_t *arrived = b->arrived ? b->arrived + barrier * o->warps : NULL;
    const uint32_t came = b->came[barrier];
    size_t bytes = (size_t)o->warps * o->warps * sizeof *b->pairs;
    if (!b->pairs)
        b->pairs = mem_alloc(from, bytes);
    if (!b->pairs || !arrived) {
        o->failed = true;
        return;
    }
    for (unsigned i = 0; i < o->warps; i++)
        if (came >> i & 1)
            histories_share_warp(o, b, warp, i);
    uint64_t *mine = b->pairs + (size_t)warp * o->warps;
    for (unsigned i = 0; i < o->warps; i++)
        if (came >> i & 1)
            for (unsigned k = 0; k < o->warps; k++)
                mine[k] = later(mine[k], b->pairs[(size_t)i * o->warps + k]);
    for (unsigned i = 0; i < o->warps; i++)
        if (came >> i & 1)
            mine[i] = later(mine[i], arrived[i]);
}

void order_barrier(struct order *o, struct block_order *b, unsigned warp, unsigned barrier,
                   bool whole)
{
    struct warp_order *w = &b->warps[warp];
    if (whole) {
        b->known = o->now;
        histories_share_block(o, b, warp);
    } else
        know_those(o, b, warp, barrier % BARRIERS);
    const struct fence *f = &w->fences[FOR_ALL];
    if (f->lanes) {
        b->passes_on = true;
        w->passed_on = f->lanes;
        w->passed = f->when;
        w->passed_full = f->full;
    }
    b->passed[barrier % BARRIERS] = true;
    w->full = o->now;
    refer_all(o, &b->refs, &w->refs, ALL_LANES, SIZE_MAX);
    not_too_many(o, b, &b->refs);
    o->now++;
}

/* ---- clusters -------------------------------------------------------------------------- */

struct cluster_order *order_cluster(struct order *o, uint64_t number, unsigned blocks)
{
    struct cluster_order *c = mem_alloc(from, sizeof *c);
    size_t bytes = (size_t)blocks * o->warps * sizeof *c->came;
    uint64_t *came = mem_alloc(from, bytes), *known = mem_alloc(from, bytes);
    if (!c || !came || !known) {
        mem_free(from, c, c ? sizeof *c : 0);
        mem_free(from, came, came ? bytes : 0);
        mem_free(from, known, known ? bytes : 0);
        o->failed = true;
        return NULL;
    }
    *c = (struct cluster_order){.blocks = blocks, .number = number, .came = came, .known = known};
    return c;
}

void order_join(struct cluster_order *c, struct block_order *b, unsigned rank)
{
    b->cluster = c;
    b->rank = rank;
    c->member[rank] = b;
    c->index[rank] = b->index;
    c->left++;
}

void order_cluster_arrive(struct order *o, struct block_order *b, unsigned warp)
{
    if (b->cluster)
        b->cluster->came[(size_t)b->rank * o->warps + warp] = o->now++;
}

/* All blocks of the cluster get to know what this block and its warps have read at places in
 * memory. */
static void share_references(struct order *o, struct cluster_order *c, struct block_order *b)
{
    for (unsigned i = 0; i < o->warps; i++) {
        refer_all(o, &b->refs, &b->warps[i].refs, ALL_LANES, SIZE_MAX);
        histories_share_block(o, b, i);
    }
    for (unsigned rank = 0; rank < c->blocks; rank++)
        if (c->member[rank] && c->member[rank] != b) {
            histories_share_cluster(o, c->member[rank], b);
            refer_all(o, &c->member[rank]->refs, &b->refs, ALL_LANES, SIZE_MAX);
            not_too_many(o, c->member[rank], &c->member[rank]->refs);
        }
}

/* A block knows of its own warps up to the time when the first of them came to the barrier. */
static void know_own(const struct order *o, const struct cluster_order *c, struct block_order *b)
{
    const uint64_t *known = c->known + (size_t)b->rank * o->warps;
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < o->warps; i++) {
        least = known[i] < least ? known[i] : least;
        b->warps[i].full = later(b->warps[i].full, known[i]);
    }
    b->known = later(b->known, least);
}

void order_cluster_barrier(struct order *o, struct cluster_order *c)
{
    memcpy(c->known, c->came, (size_t)c->blocks * o->warps * sizeof *c->known);
    for (unsigned rank = 0; rank < c->blocks; rank++)
        if (c->member[rank]) {
            share_references(o, c, c->member[rank]);
            know_own(o, c, c->member[rank]);
        }
    o->now++;
}

static bool cluster_tells(const struct order *o, const struct cluster_order *c,
                          const struct lane_time *d)
{
    for (unsigned rank = 0; rank < c->blocks; rank++)
        if (c->index[rank] == d->warp / o->warps)
            return d->time <= c->known[(size_t)rank * o->warps + d->warp % o->warps];
    return false;
}

/* Each of these lanes of a warp gets to know what any of them knew. */
static void know_lanes(struct order *o, struct warp_order *w, uint32_t lanes)
{
    uint64_t both[LANES] = {0};
    if (!w->lanes)
        w->lanes = mem_alloc(from, LANES * sizeof *w->lanes);
    if (!w->lanes) {
        o->failed = true;
        return;
    }
    EACH_LANE(lane, lanes)
        for (int k = 0; k < LANES; k++)
            both[k] = later(both[k], w->lanes[lane][k]);
    EACH_LANE(lane, lanes)
        both[lane] = o->now;
    EACH_LANE(lane, lanes)
        memcpy(w->lanes[lane], both, sizeof both);
}

void order_sync(struct order *o, struct block_order *b, unsigned warp, uint32_t lanes,
                uint32_t existing)
{
    struct warp_order *w = &b->warps[warp];
    if ((lanes & existing) == existing)
        w->full = o->now;
    else
        know_lanes(o, w, lanes);
    for (size_t i = 0; i < w->refs.count; i++)
        if (w->refs.items[i].lanes & lanes)
            w->refs.items[i].lanes |= lanes;
    histories_share_lanes(o, b, warp, lanes);
    o->now++;
}

void order_fence(struct order *o, struct block_order *b, unsigned warp, uint32_t lanes,
                 enum fence_scope scope)
{
    struct warp_order *w = &b->warps[warp];
    for (int s = FOR_BLOCK; s <= (int)scope; s++)
        w->fences[s] = (struct fence){.lanes = w->fences[s].lanes | lanes,
                                      .when = o->now,
                                      .full = w->lanes ? o->now : w->full,
                                      .block = b->pairs ? o->now : b->known};
    o->now++;
    for (size_t i = 0; i < w->refs.count; i++) {
        struct reference *r = &w->refs.items[i];
        if (!(r->lanes & lanes) || (!r->pending && scope == FOR_BLOCK))
            continue;
        r->only = scope == FOR_BLOCK ? b->index + 1 : 0;
        if (r->pending)
            histories_take(o, b, warp, r->lanes, &r->place->histories);
        r->pending = false;
    }
}

/* ---- leaving word ---------------------------------------------------------------------- */

static void leave(struct order *o, struct place *p, uint64_t who, const struct release *news)
{
    const size_t before = p->word_count;
    p->tells_all |= o->word_count >= MOST_WORDS;
    struct release *w = p->tells_all ? NULL : make_word(p, who);
    if (!w) {
        o->failed |= !p->tells_all;
        return;
    }
    o->word_count += p->word_count - before;
    w->first = w->first ? w->first : o->now;
    w->upto = later(w->upto, news->upto);
    w->full = later(w->full, news->full);
    w->lanes |= news->lanes;
}

/* Fences of the block's other threads, with a barrier since, count as this thread's too. */
static void leave_for_others(struct order *o, const struct block_order *b, struct place *p)
{
    for (unsigned i = 0; b->passes_on && i < o->warps; i++) {
        const struct warp_order *w = &b->warps[i];
        const struct release theirs = {
            .upto = w->passed, .full = w->passed_full, .lanes = w->passed_on};
        if (w->passed_on)
            leave(o, p, ((uint64_t)b->first_warp + i) * 2 + 1, &theirs);
    }
}

/* After a barrier of the cluster a thread vouches for what all of the cluster did before it. */
static void leave_for_cluster(struct order *o, const struct cluster_order *c, struct place *p)
{
    for (unsigned i = 0; i < c->blocks * o->warps; i++) {
        const struct release theirs = {.full = c->known[i]};
        uint64_t warp = c->index[i / o->warps] * o->warps + i % o->warps;
        if (c->known[i])
            leave(o, p, warp * 2 + 1, &theirs);
    }
}

/* Adds to a place in memory what these lanes know from mbarriers, for each warp of the cluster. */
static void leave_histories(struct order *o, const struct block_order *b, unsigned warp,
                            uint32_t lanes, struct place *p)
{
    if (!b->histories.count && !b->warps[warp].histories.count)
        return;
    for (unsigned i = 0; i < order_cluster_warps(o, b); i++) {
        struct release theirs = {.lanes = ALL_LANES};
        theirs.full = histories_known_upto(o, b, warp, lanes, i, &theirs.upto);
        if (theirs.upto)
            leave(o, p, order_cluster_warp(o, b, i) * 2 + 1, &theirs);
    }
}

/* Leaves word at one place of what these lanes have fenced, for those whom the place is for. */
static void leave_at(struct order *o, struct block_order *b, unsigned warp, uint32_t lanes,
                     uint64_t address, enum fence_scope scope)
{
    const struct warp_order *w = &b->warps[warp];
    const struct fence *f = &w->fences[scope];
    struct place *p = make_place(o, address, scope == FOR_BLOCK ? b->index + 1 : 0);
    if (!p) {
        o->failed = true;
        return;
    }
    if (p->tells_all)
        return;
    refer_all(o, &p->refs, &w->refs, lanes, WIDEST);
    refer_all(o, &p->refs, &b->refs, ALL_LANES, WIDEST);
    if (p->refs.count > WIDEST)
        return; /* it tells everything: nobody asks for its words any more */
    if (scope == FOR_ALL)
        leave_for_others(o, b, p);
    if (scope == FOR_ALL && b->cluster && f->lanes & lanes)
        leave_for_cluster(o, b->cluster, p);
    leave_histories(o, b, warp, lanes, p);
    if (f->lanes & lanes) {
        const struct release own = {.upto = f->when, .full = f->full, .lanes = f->lanes & lanes};
        const struct release all = {.upto = f->block};
        leave(o, p, ((uint64_t)b->first_warp + warp) * 2 + 1, &own);
        if (f->block)
            leave(o, p, b->index * 2 + 2, &all);
    }
}

void order_release(struct order *o, struct block_order *b, unsigned warp, uint32_t lanes,
                   uint64_t address, enum fence_scope fences_too)
{
    const struct fence *f = b->warps[warp].fences;
    if (fences_too != FOR_NOBODY)
        order_fence(o, b, warp, lanes, fences_too);
    bool wide = f[FOR_ALL].lanes & lanes || b->passes_on;
    /* What was fenced for all since is there for the block as well. */
    bool narrow = f[FOR_BLOCK].lanes & lanes &&
                  (f[FOR_BLOCK].when != f[FOR_ALL].when || lanes & ~f[FOR_ALL].lanes);
    if (wide)
        leave_at(o, b, warp, lanes, address, FOR_ALL);
    if (narrow)
        leave_at(o, b, warp, lanes, address, FOR_BLOCK);
    /* Other threads of the block also learn which copies are complete. */
    if ((wide || narrow) && (b->warps[warp].histories.count || b->histories.count)) {
        struct place *p = make_place(o, address, b->index + 1);
        o->failed |= !p;
        if (p)
            histories_leave(o, &p->histories, b, warp, lanes);
    }
    o->now += wide || narrow;
}

/* Has nobody left word there but of reads? */
static bool tells_nothing(const struct place *p)
{
    return !p->word_count && !p->refs.count && !p->histories.count && !p->tells_all;
}

/* The words of reads are kept by who left them, and not by place. Who takes one counts as having
 * taken all that were left by then. */
static void leave_reads(struct order *o, uint64_t who, uint64_t upto)
{
    struct place *p = o->ended;
    struct release *w = NULL;
    if (!upto || p->tells_all)
        return;
    if (p->word_count < MOST_WORDS)
        w = make_word(p, who);
    else
        p->tells_all = true;
    if (!w) {
        o->failed |= !p->tells_all;
        return;
    }
    w->first = w->first ? w->first : o->now;
    w->upto = later(w->upto, upto);
}

void order_release_reads(struct order *o, struct block_order *b, unsigned warp,
                         uint64_t address)
{
    const uint64_t full = b->warps[warp].full;
    if (!full && !b->known)
        return;
    struct place *p = make_place(o, address, 0);
    if (!o->ended)
        o->ended = mem_alloc(from, sizeof *o->ended);
    if (!p || !o->ended) {
        o->failed = true;
        return;
    }
    if (b->left != b->known || b->warps[warp].left != full) {
        leave_reads(o, ((uint64_t)b->first_warp + warp) * 2 + 1, full);
        leave_reads(o, b->index * 2 + 2, b->known);
        b->left = b->known;
        b->warps[warp].left = full;
    }
    p->reads = o->now;
}

void order_acquire(struct order *o, struct block_order *b, unsigned warp, uint32_t lanes,
                   uint64_t address, enum fence_scope scope, bool pending)
{
    struct references *r = &b->warps[warp].refs;
    for (int s = o->owned_count ? FOR_BLOCK : FOR_ALL; s <= FOR_ALL; s++) {
        struct place *p = place_at(o, address, s == FOR_BLOCK ? b->index + 1 : 0);
        r->reads = later(r->reads, p ? p->reads : 0);
        if (p && tells_nothing(p))
            continue;
        const struct reference to = {.place = p,
                                     .at = o->now,
                                     .only = scope == FOR_BLOCK ? b->index + 1 : 0,
                                     .lanes = lanes,
                                     .pending = pending};
        if (p && refer(r, &to) != 0)
            o->failed = true;
        if (p && !pending)
            histories_take(o, b, warp, lanes, &p->histories);
    }
    not_too_many(o, b, r);
}

void order_share(struct order *o, struct block_order *to, struct block_order *b, unsigned warp)
{
    refer_all(o, &to->refs, &b->warps[warp].refs, ALL_LANES, SIZE_MAX);
    if (to != b)
        refer_all(o, &to->refs, &b->refs, ALL_LANES, SIZE_MAX);
    not_too_many(o, to, &to->refs);
}

/* ---- asking ---------------------------------------------------------------------------- */

static bool place_tells(const struct order *o, const struct reference *r, const struct lane_time *d,
                        uint64_t at, int depth)
{
    at = r->at < at ? r->at : at;
    if (r->pending || d->time > at || (r->only && r->only != d->warp / o->warps + 1))
        return false;
    const struct release *w = word_of(r->place, (uint64_t)d->warp * 2 + 1);
    if (w && w->first <= at &&
        (d->time <= w->full || (w->lanes >> d->lane & 1 && d->time <= w->upto)))
        return true;
    w = word_of(r->place, (uint64_t)(d->warp / o->warps) * 2 + 2);
    if (w && w->first <= at && d->time <= w->upto)
        return true;
    if (r->place->tells_all || r->place->refs.count > (depth < DEEPEST ? WIDEST : 0))
        return true; /* too long a way to follow: it may well be known */
    for (size_t i = 0; i < r->place->refs.count; i++) {
        const struct reference *next = &r->place->refs.items[i];
        if (next->place != r->place && place_tells(o, next, d, at, depth + 1))
            return true;
    }
    return false;
}

static bool any_tells(const struct order *o, const struct references *r, unsigned lane,
                      const struct lane_time *d)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->items[i].lanes >> lane & 1 && place_tells(o, &r->items[i], d, UINT64_MAX, 0))
            return true;
    return false;
}

bool order_known(const struct order *o, const struct block_order *b, unsigned warp, unsigned lane,
                 const struct lane_time *d)
{
    const struct warp_order *w = &b->warps[warp];
    uint32_t there = d->warp - b->first_warp;
    if (o->failed || d->time <= b->all)
        return true;
    if (there < o->warps) {
        if (d->time <= b->known)
            return true;
        if (there == warp && (d->lane == lane || d->time <= w->full ||
                              (w->lanes && d->time <= w->lanes[lane][d->lane])))
            return true;
        if (there != warp && b->pairs && d->time <= b->pairs[(size_t)warp * o->warps + there])
            return true;
    }
    if (b->cluster && cluster_tells(o, b->cluster, d))
        return true;
    if ((w->histories.count || b->histories.count) && histories_know(o, b, warp, lane, d))
        return true;
    return (w->refs.count && any_tells(o, &w->refs, lane, d)) ||
           (b->refs.count && any_tells(o, &b->refs, lane, d));
}

/* Was word left of it, by a time up to which the warp has taken such words? */
bool order_read_known(const struct order *o, const struct block_order *b, unsigned warp,
                      const struct lane_time *d)
{
    const uint64_t at = later(b->warps[warp].refs.reads, b->refs.reads);
    if (!o->ended || d->time > at || d->warp < o->first_warp)
        return false;
    const struct release *words[] = {
        word_of(o->ended, (uint64_t)d->warp * 2 + 1),
        word_of(o->ended, (uint64_t)(d->warp / o->warps) * 2 + 2)};
    for (int i = 0; i < 2; i++)
        if (words[i] && words[i]->first <= at && d->time <= words[i]->upto)
            return true;
    return o->ended->tells_all;
}
