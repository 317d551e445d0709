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
    int32_t step;
    uint16_t warp; /* in its block */
    uint8_t shape_turn; /* shape, and the turn of an even one */
    uint8_t bytes;      /* a lane, each time */
    uint16_t times;
};

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
        .key = k->key, .lanes = k->at->mask, .pc = k->at->pc, .warp = (uint16_t)k->at->warp,
        .first = (uint32_t)(shape == EVEN ? a->first : a->address[0]),
        .second = shape == HALVES ? (uint32_t)a->address[WARP / 2] : 0,
        .step = shape == ANYHOW ? 0 : (int32_t)a->step,
        .shape_turn = (uint8_t)(shape << 6 | (shape == EVEN ? a->turn : 0)),
        .bytes = (uint8_t)a->bytes, .times = 1};
}

/* Does the access begin where the note ends, or is it in the note already? */
static inline bool goes_on(const struct look *k, struct read_note *n, const struct read_note *now)
{
    const int step = n->step < 0 ? -n->step : n->step, wide = n->times * n->bytes;
    const uint32_t ahead = now->first - n->first;
    if (n->warp != now->warp || n->step != now->step || n->shape_turn != now->shape_turn ||
        n->bytes != now->bytes || now->shape_turn >> 6 == ANYHOW ||
        now->second - n->second != (now->second ? ahead : 0) || ahead > (uint32_t)wide ||
        ahead % n->bytes || !shadow_same_deed(&k->r->shadow, n->key, now->key))
        return false;
    if (ahead == (uint32_t)wide) {
        if ((step && wide + n->bytes > step) || wide + n->bytes > WIDEST_NOTE)
            return false;
        n->times++;
    }
    n->key = now->key;
    return true;
}

static bool add_note(const struct look *k, const struct read_note *n)
{
    struct put_off *l = &k->b->later;
    const size_t room = l->capacity, more = n->shape_turn >> 6 == ANYHOW ? ADDRESS_NOTES : 0;
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
    const int64_t step = n->step;
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
    const unsigned shape = n->shape_turn >> 6;
    struct look old = *k;
    at->code = &k->r->code[n->pc];
    at->pc = n->pc, at->mask = n->lanes, at->warp = n->warp;
    a->bytes = n->bytes;
    a->even = shape == EVEN;
    a->halves = shape == HALVES;
    a->step = (uint64_t)(int64_t)n->step;
    a->turn = n->shape_turn & (WARP - 1);
    a->address = address;
    old.at = at, old.a = a;
    old.w = &k->b->order.warps[n->warp];
    old.me = k->b->order.first_warp + n->warp;
    old.key = n->key;
    old.atomic = mark_atomic(n->key);
    old.writes = false, old.at_once = true, old.again = 0;
    old.full = mark_make(old.w->full + 1, 0, 0) - 1;
    for (unsigned time = 0; time < n->times; time++) {
        a->first = n->first + time * n->bytes;
        put_addresses(n, a, time * n->bytes, address);
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
         i += l->items[i].shape_turn >> 6 == ANYHOW ? 1 + ADDRESS_NOTES : 1)
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
