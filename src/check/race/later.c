/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads of shared memory that are put off. Many kernels write shared memory, wait at a barrier, and
 * then read it often before the next barrier. After the first barrier nothing that was written can
 * race with a read, and after the second no read can race with what follows. So such reads are
 * only noted here. The next barrier of the whole block makes the notes void. A write that comes
 * before it makes the shadow catch up with them.
 */
#include "check/race/inside.h"

#include "base/mem.h"

#include <string.h>

static const struct allocator *const from = &allocator_libc;

/* MOST_GROWN: notes that an empty list may grow by. */
enum { MOST_NOTES = 8192, WIDEST_NOTE = 2048, MOST_GROWN = 16 };

/* Notes are worth their cost only if a barrier makes them void. Where the shadow had to catch up
 * MOST_LOST times in a row, reads are put off only once in RARELY phases. */
enum { MOST_LOST = 3, RARELY = 16 };
enum { ANYHOW, EVEN, HALVES };

/* One access, or several accesses of a loop. Each of these begins where the one before it ended. */
struct read_note {
    mark_key key; /* of the last */
    uint32_t lanes, pc;
    uint32_t first, second; /* bytes: of lane 0, and of lane 16 where halves are spaced evenly */
    uint64_t kind; /* of one kind are accesses that one note can hold: see kind_make() */
    uint16_t times;
};

/* A kind is one number, since kinds are compared at every access: the step, the warp in its block,
 * the shape, the turn of an even shape, and the bytes of a lane. */
static inline uint64_t kind_make(int32_t step, unsigned warp, unsigned shape, unsigned turn,
                                 unsigned bytes)
{
    return (uint32_t)step | (uint64_t)warp << 32 | (uint64_t)shape << 48 | (uint64_t)turn << 50 |
           (uint64_t)bytes << 56;
}
static inline int32_t kind_step(uint64_t kind)
{
    return (int32_t)kind;
}
static inline unsigned kind_warp(uint64_t kind)
{
    return kind >> 32 & 0xffff;
}
static inline unsigned kind_shape(uint64_t kind)
{
    return kind >> 48 & 3;
}
static inline unsigned kind_turn(uint64_t kind)
{
    return kind >> 50 & (WARP - 1);
}
static inline unsigned kind_bytes(uint64_t kind)
{
    return kind >> 56 & 0xff;
}

/* Behind a note of the shape ANYHOW stand the addresses of its lanes. */
enum { ADDRESS_NOTES = (WARP * sizeof(uint32_t) + sizeof(struct read_note) - 1) /
                       sizeof(struct read_note) };

static inline unsigned shape_of(const struct sim_access *a)
{
    return a->even ? EVEN : a->halves ? HALVES : ANYHOW;
}

static inline struct read_note note_of(const struct look *k)
{
    const struct sim_access *a = k->a;
    const unsigned shape = shape_of(a);
    return (struct read_note){
        .key = k->key, .lanes = k->at->mask, .pc = k->at->pc,
        .first = (uint32_t)(shape == EVEN ? a->first : a->address[0]),
        .second = shape == HALVES ? (uint32_t)a->address[WARP / 2] : 0,
        .kind = kind_make(shape == ANYHOW ? 0 : (int32_t)a->step, k->at->warp, shape,
                          shape == EVEN ? a->turn : 0, a->bytes),
        .times = 1};
}

/* Does the access begin where the note ends, or is it in the note already? */
static inline bool goes_on(const struct look *k, struct read_note *n, const struct read_note *now)
{
    const uint32_t bytes = kind_bytes(n->kind), wide = n->times * bytes;
    const int32_t by = kind_step(n->kind);
    const uint32_t step = by < 0 ? 0u - (uint32_t)by : (uint32_t)by, ahead = now->first - n->first;
    if (n->kind != now->kind || kind_shape(now->kind) == ANYHOW ||
        now->second - n->second != (now->second ? ahead : 0) || ahead > wide || ahead % bytes ||
        !shadow_same_deed(&k->r->shadow, n->key, now->key))
        return false;
    if (ahead == wide) {
        if ((step && wide + bytes > step) || wide + bytes > WIDEST_NOTE)
            return false;
        n->times++;
    }
    n->key = now->key;
    return true;
}

static bool add_note(const struct look *k, const struct read_note *n)
{
    struct put_off *l = &k->b->later;
    const size_t room = l->capacity, more = kind_shape(n->kind) == ANYHOW ? ADDRESS_NOTES : 0;
    const bool grows = l->count + more >= room;
    if (l->count + more >= MOST_NOTES ||
        (grows && k->r->shadow.bytes + 2 * (room + MOST_GROWN) * sizeof *n > SHADOW_MOST) ||
        mem_grow(from, (void **)&l->items, &l->capacity, l->count + more, sizeof *n) < 0)
        return false;
    k->r->shadow.bytes += (l->capacity - room) * sizeof *n;
    l->items[l->count] = *n;
    l->second = l->latest;
    l->latest = l->count + 1;
    if (more) {
        uint32_t address[WARP];
        for (int i = 0; i < WARP; i++)
            address[i] = (uint32_t)k->a->address[i];
        memcpy(&l->items[l->count + 1], address, sizeof address);
    }
    l->count += 1 + more;
    return true;
}

/* The addresses of the lanes, `more` bytes behind those of the first time. Even accesses with small
 * steps are seen as strips, and these need only the first lane's address. */
static void put_addresses(const struct read_note *n, const struct sim_access *a, uint64_t more,
                          uint64_t address[WARP])
{
    const int64_t step = kind_step(n->kind);
    uint32_t any[WARP];
    if (a->even && step < 1 << LINE_LEAST_SHIFT && step > -(1 << LINE_LEAST_SHIFT))
        return;
    if (!a->even && !a->halves)
        memcpy(any, n + 1, sizeof any);
    for (unsigned i = 0; i < WARP; i++)
        address[i] = a->even     ? a->first + (i + a->turn) % WARP * a->step
                     : !a->halves  ? any[i]
                     : i < WARP / 2 ? a->first + i * a->step
                                    : n->second + more + (i - WARP / 2) * a->step;
}

static void replay(const struct look *k, const struct read_note *n, struct sim_at *at,
                   struct sim_access *a, uint64_t address[WARP])
{
    const unsigned shape = kind_shape(n->kind), warp = kind_warp(n->kind);
    struct look old = *k;
    at->code = &k->r->code[n->pc];
    at->pc = n->pc, at->mask = n->lanes, at->warp = warp;
    a->bytes = kind_bytes(n->kind);
    a->even = shape == EVEN;
    a->halves = shape == HALVES;
    a->step = (uint64_t)(int64_t)kind_step(n->kind);
    a->turn = kind_turn(n->kind);
    a->address = address;
    old.at = at, old.a = a;
    old.w = &k->b->order.warps[warp];
    old.me = k->b->order.first_warp + warp;
    old.key = n->key;
    old.atomic = mark_atomic(n->key);
    old.writes = false, old.at_once = true, old.again = 0;
    old.full = mark_make(old.w->full + 1, 0, 0) - 1;
    for (unsigned time = 0; time < n->times; time++) {
        a->first = n->first + time * a->bytes;
        put_addresses(n, a, time * a->bytes, address);
        race_see_memory(&old);
    }
}

/* The shadow remembers the reads that were put off. This is done before something is written, or
 * where no more reads are put off. */
static void catch_up(const struct look *k)
{
    struct put_off *l = &k->of->later;
    struct sim_at at = *k->at;
    struct sim_access a = {.kind = SIM_LOAD, .space = SIM_SHARED};
    uint64_t address[WARP];
    for (size_t i = 0; i < l->count;
         i += kind_shape(l->items[i].kind) == ANYHOW ? 1 + ADDRESS_NOTES : 1)
        replay(k, &l->items[i], &at, &a, address);
    k->r->lost++;
    l->count = l->latest = l->second = 0;
}

/* Forgets the notes: all threads have waited for each other, or the block has ended. */
void race_void_later(struct race *r, struct block_state *b)
{
    struct put_off *l = &b->later;
    if (l->count)
        r->lost = 0;
    l->count = l->latest = l->second = 0;
    l->since = 0;
}

/* The first read since a barrier. */
static void begin_phase(const struct look *k)
{
    struct put_off *l = &k->b->later;
    race_void_later(k->r, k->b);
    l->since = k->known;
    l->on = k->r->lost < MOST_LOST || k->r->phases++ % RARELY == 0;
}

/* False: the shadow has to be asked. */
bool race_put_off(const struct look *k)
{
    struct block_state *b = k->b;
    struct put_off *l = &k->of->later;
    if (k->writes) {
        if (l->count && l->since == k->known)
            catch_up(k);
        k->of->wrote = k->key;
        return false;
    }
    if (k->a->space != SIM_SHARED || b->order.cluster || b->copies || k->r->other_waits ||
        mark_copy(k->key) || b->wrote > k->known)
        return false;
    if (l->since != k->known)
        begin_phase(k);
    if (!l->on)
        return false;
    const struct read_note now = note_of(k);
    if ((l->latest && goes_on(k, &l->items[l->latest - 1], &now)) ||
        (l->second && goes_on(k, &l->items[l->second - 1], &now)) || add_note(k, &now))
        return true;
    if (l->count)
        catch_up(k);
    return l->on = false;
}

void race_forget_later(struct race *r, struct block_state *b)
{
    struct put_off *l = &b->later;
    r->shadow.bytes -= l->capacity * sizeof *l->items;
    mem_free(from, l->items, l->capacity * sizeof *l->items);
    *l = (struct put_off){0};
}
