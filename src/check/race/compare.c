/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One access against what the shadow remembers of a place: is it ordered, is it excused, do the
 * bytes overlap? And the lanes of one access against each other.
 */
#include "check/race/inside.h"
#include "check/race/quick.h"

#include <string.h>

/* ---- comparing ------------------------------------------------------------------------- */

/* Most values have 4 or 8 bytes. */
static inline bool same_value(const void *a, const void *b, unsigned bytes)
{
    return bytes == 4   ? memcmp(a, b, 4) == 0
           : bytes == 8 ? memcmp(a, b, 8) == 0
                        : memcmp(a, b, bytes) == 0;
}

/* Does memory already hold what the lane is about to store? Then the earlier write stored the same
 * value. Where this can't be told, the answer is yes. */
static inline bool stores_same(const struct look *k, unsigned lane)
{
    const struct sim_access *a = k->a;
    const struct sim_values *v = a->stored;
    if (!v || k->r->strict)
        return false;
    if (!a->host)
        return true;
    const unsigned char *there = (const unsigned char *)(a->host + (uintptr_t)a->address[lane]);
    for (unsigned i = 0; i * v->bytes < a->bytes; i++)
        if (!same_value(there + (size_t)i * v->bytes,
                        (const unsigned char *)v->row[i] + (size_t)lane * v->apart, v->bytes))
            return false;
    return true;
}

static bool by_writing(const struct look *k, mark_key key)
{
    enum sim_class kind = k->r->code[mark_pc(key)].kind;
    return kind == SIM_CLASS_STORE || (kind == SIM_CLASS_ATOMIC && k->r->strict);
}

/* Did a thread only read there, and is it known to be done? */
static bool read_known(const struct look *k, mark_key earlier, const struct lane_time *d)
{
    return k->writes && !mark_copy(earlier) && k->r->order.ended &&
           k->r->code[mark_pc(earlier)].kind == SIM_CLASS_LOAD &&
           order_read_known(&k->r->order, &k->b->order, k->at->warp, d);
}

/* One thread writes a volatile word, and the other reads it in a loop until it has the value that
 * it waits for. This is no race: the loop tests each value that it reads. */
static bool polled(const struct look *k, mark_key earlier)
{
    const uint32_t pc[2] = {k->at->pc, mark_pc(earlier)};
    bool polls = false, stores = false;
    for (int i = 0; i < 2; i++) {
        const struct sim_instruction *code = &k->r->code[pc[i]];
        if (!(k->r->says[pc[i]] & PC_VOLATILE) || code->bytes > 8 || code->bytes != k->a->bytes ||
            code->elements > 1)
            return false;
        stores |= code->kind == SIM_CLASS_STORE;
        polls |= code->kind == SIM_CLASS_LOAD && chosen_is(&k->r->chosen, CHOSEN_POLLS, pc[i]);
    }
    return stores && polls;
}

/* Are both accesses from NVIDIA's own code for tiles of several warps? Lane 0 of a warp learns that
 * the others have come, and it tells its warp by a shuffle. This code takes the shuffle for a
 * barrier, so that no student can mend it. */
static bool of_tiles(const struct look *k, mark_key earlier)
{
    return k->at->code->tiles && k->r->code[mark_pc(earlier)].tiles && k->a->space == SIM_SHARED;
}

/* Nothing orders these two, but what the instructions do makes it no race. */
static bool excused(const struct look *k, mark_key earlier)
{
    return of_tiles(k, earlier) || chosen_is(&k->r->chosen, CHOSEN_ONLY, k->at->pc) ||
           chosen_is(&k->r->chosen, CHOSEN_ONLY, mark_pc(earlier)) || polled(k, earlier);
}

/* Two stores of the same value are no race. */
static bool same_stored(const struct look *k, unsigned lane, mark_key earlier)
{
    return k->writes && by_writing(k, earlier) && stores_same(k, lane);
}

enum race_verdict { NO_RACE, EXCUSED, RACE };

/* This lane against one earlier lane that touched the same bytes. */
static enum race_verdict races(const struct look *k, unsigned lane, const struct earlier *o)
{
    struct lane_time d = {o->warp, o->lane, mark_time(o->key)};
    const enum copy_state copy =
        mark_copy(o->key) ? race_copy(k->r, k->b, k->at->warp, lane, o, &d.time) : COPY_OVER;
    const bool runs = copy == COPY_RUNS;
    if (copy == COPY_KNOWN)
        return NO_RACE;
    if (!runs && ((o->warp == k->me && o->lane == lane) ||
                  race_known(k, lane, &d) || read_known(k, o->key, &d)))
        return NO_RACE;
    struct finding_pair *pair = race_pair(k, o->key);
    if (!runs && (same_stored(k, lane, o->key) || (!pair->seen && excused(k, o->key))))
        return EXCUSED;
    race_found(k, pair, lane, o, 1);
    return RACE;
}

/* All lanes of a strip that touch these bytes are in the result. Others may be in it, too. */
static uint32_t lanes_near(const struct strip *s, int at, int bytes)
{
    const int apart = s->step < 0 ? -s->step : s->step;
    if (s->turn || !apart)
        return s->lanes;
    const int above = s->step > 0 ? at - s->bytes - s->start : s->start - at - bytes;
    const int below = s->step > 0 ? at + bytes - s->start : s->start + s->bytes - at;
    const int first = above < 0 ? 0 : above / apart, last = below < 0 ? -1 : below / apart;
    if (first >= WARP || last < first)
        return 0;
    return s->lanes & ALL_LANES << first & (last < WARP - 1 ? (2u << last) - 1 : ALL_LANES);
}

static void compare_lanes(const struct look *k, const struct strip *now, const struct strip *old,
                          int size)
{
    EACH_LANE (lane, now->lanes) {
        int at = strip_at(now, lane);
        if (at < 0 || at >= size)
            continue;
        EACH_LANE (other, lanes_near(old, at, now->bytes)) {
            int there = strip_at(old, other);
            const struct earlier o = {old->key, old->warp, other,
                                      there > at ? (unsigned)(there - at) : 0};
            if (at < there + old->bytes && there < at + now->bytes && races(k, lane, &o) != NO_RACE)
                break;
        }
    }
}

/* Is the answer to "is this ordered?" the same for all lanes of this warp and all lanes of that
 * one? */
static bool alike(const struct look *k, mark_key key, uint32_t warp)
{
    return !mark_copy(key) && warp >= k->r->order.first_warp && !k->w->refs.count &&
           !k->b->order.refs.count && !k->w->histories.count && !k->b->order.histories.count &&
           (warp != k->me || !k->w->lanes);
}

/* The lanes whose store is not of the value that the earlier access has stored. */
static inline uint32_t changing(const struct look *k, uint32_t lanes, mark_key earlier)
{
    uint32_t same = 0;
    EACH_LANE (lane, k->writes && by_writing(k, earlier) ? lanes : 0)
        if (stores_same(k, lane))
            same |= 1u << lane;
    return lanes & ~same;
}

/* Only barriers of the whole block and the warp's own synchronisation have ordered anything so far.
 * What these do not order, nothing orders. */
static inline bool knows_no_more(const struct look *k, const struct lane_time *d)
{
    const struct block_order *b = &k->b->order;
    return !b->pairs && !b->cluster && !b->histories.count && d->time > b->all &&
           !k->r->order.failed;
}

/* Counts a race that was found before. False: it may say something new about the cure. */
static inline bool counted(const struct look *k, const struct finding_pair *pair, unsigned lane,
                           const struct earlier *o, unsigned times)
{
    struct finding *f = pair->seen ? findings_of(k->r->out, pair) : NULL;
    if (!f || (f->cure && !(f->cure == RACE_CURE_ATOMIC && pair->by_code == RACE_CURE_ATOMIC &&
                            o->lane != lane && !mark_copy(o->key))))
        return false;
    f->fault.count += times;
    return true;
}

/* The lanes race with the earlier access, unless it is ordered before them or excused. */
static inline bool race_together(const struct look *k, uint32_t lanes, const struct earlier *o)
{
    const struct lane_time d = {o->warp, o->lane, mark_time(o->key)};
    const unsigned lane = lane_first(lanes);
    if ((!knows_no_more(k, &d) && race_known(k, lane, &d)) || read_known(k, o->key, &d))
        return false;
    struct finding_pair *pair = race_pair(k, o->key);
    if (!pair->seen && excused(k, o->key))
        return false;
    const unsigned times = lanes & (lanes - 1) ? lanes_in(lanes) : 1;
    if (!counted(k, pair, lane, o, times))
        race_found(k, pair, lane, o, times);
    return true;
}

/* The lanes whose first byte lies in a line of `size` bytes. */
static uint32_t begin_inside(const struct strip *s, int size)
{
    const int apart = s->step < 0 ? -s->step : s->step;
    int first, end;
    if (s->start >= 0 && s->start < size && s->start + (WARP - 1) * s->step >= 0 &&
        s->start + (WARP - 1) * s->step < size)
        return s->lanes;
    if (s->step > 0) {
        first = s->start >= 0 ? 0 : (-s->start + apart - 1) / apart;
        end = s->start >= size ? 0 : (size - s->start + apart - 1) / apart;
    } else {
        first = s->start < size ? 0 : (s->start - size) / apart + 1;
        end = s->start < 0 ? 0 : s->start / apart + 1;
    }
    return first >= WARP || end <= first
               ? 0
               : s->lanes & ALL_LANES << first & (end >= WARP ? ALL_LANES : (1u << end) - 1);
}

static uint32_t shifted(uint32_t lanes, int up)
{
    return up <= -WARP || up >= WARP ? 0 : up < 0 ? lanes >> -up : lanes << up;
}

static uint32_t turned_round(uint32_t lanes)
{
    lanes = (lanes & 0x55555555u) << 1 | (lanes >> 1 & 0x55555555u);
    lanes = (lanes & 0x33333333u) << 2 | (lanes >> 2 & 0x33333333u);
    lanes = (lanes & 0x0f0f0f0fu) << 4 | (lanes >> 4 & 0x0f0f0f0fu);
    return __builtin_bswap32(lanes);
}

/* Do both strips use the same grid of places? Then two lanes share all their bytes or none. */
static bool in_one_row(const struct strip *now, const struct strip *old)
{
    const int apart = now->step < 0 ? -now->step : now->step;
    return !now->turn && !old->turn && now->bytes == old->bytes && apart >= now->bytes &&
           (old->step == now->step || old->step == -now->step) &&
           (now->start - old->start) % apart == 0;
}

/* The lanes of `now` that begin in the line and share bytes with some lane of `old`. */
static uint32_t meeting_lanes(const struct strip *now, const struct strip *old, int size)
{
    uint32_t meet = 0;
    if (in_one_row(now, old)) {
        const int ahead = (now->start - old->start) / now->step; /* of lane 0 against lane 0 */
        return begin_inside(now, size) &
               (old->step == now->step ? shifted(old->lanes, -ahead)
                                       : shifted(turned_round(old->lanes), -ahead - (WARP - 1)));
    }
    if (!now->step && !old->step && now->start == old->start && now->bytes == old->bytes)
        return now->start >= 0 && now->start < size ? now->lanes : 0;
    EACH_LANE (lane, now->lanes) {
        int at = strip_at(now, lane);
        bool meets = false;
        EACH_LANE (other, at < 0 || at >= size ? 0 : lanes_near(old, at, now->bytes)) {
            const int there = strip_at(old, other);
            meets = at < there + old->bytes && there < at + now->bytes;
            if (meets)
                break;
        }
        meet |= (uint32_t)meets << lane;
    }
    return meet;
}

/* The lowest lane of `old` that shares bytes with `lane` and is another thread. WARP: there is
 * none. */
static unsigned met_by(const struct look *k, unsigned lane, const struct strip *now,
                       const struct strip *old)
{
    const int at = strip_at(now, lane);
    EACH_LANE (other, lanes_near(old, at, now->bytes)) {
        const int there = strip_at(old, other);
        if (at < there + old->bytes && there < at + now->bytes &&
            (old->warp != k->me || other != lane))
            return other;
    }
    return WARP;
}

/* Takes out the lanes that share bytes only with themselves. */
static uint32_t without_own(const struct look *k, uint32_t meet, const struct strip *now,
                            const struct strip *old)
{
    EACH_LANE (own, old->warp == k->me ? meet & old->lanes : 0)
        if (met_by(k, own, now, old) == WARP)
            meet &= ~(1u << own);
    return meet;
}

/* One question answers for all lanes here, so their races are counted together. */
static void compare_alike(const struct look *k, const struct strip *now, const struct strip *old,
                          int size)
{
    uint32_t meet = without_own(k, meeting_lanes(now, old, size), now, old);
    meet = changing(k, meet, old->key);
    if (!meet)
        return;
    const unsigned lane = lane_first(meet), other = met_by(k, lane, now, old);
    const int at = strip_at(now, lane), there = strip_at(old, other);
    const struct earlier o = {old->key, old->warp, other, there > at ? (unsigned)(there - at) : 0};
    race_together(k, meet, &o);
}

void race_compare(const struct look *k, const struct strip *now, const struct strip *old, int size)
{
    int lo, hi, old_lo, old_hi;
    if (strip_range(now, size, &lo, &hi) && strip_range(old, size, &old_lo, &old_hi) &&
        hi > old_lo && old_hi > lo) {
        if (alike(k, old->key, old->warp))
            compare_alike(k, now, old, size);
        else
            compare_lanes(k, now, old, size);
    }
}

/* Lanes at one place against a mark, where alike() is true. The result is the lanes that race.
 * `past`: how many bytes of the access lie before those of the mark. */
static uint32_t race_with_mark(const struct look *k, uint32_t lanes, unsigned past,
                               const struct mark *m)
{
    uint32_t others = m->lanes;
    if (m->warp == k->me && !(others & (others - 1)))
        lanes &= ~others; /* this lane meets nobody but itself */
    lanes = changing(k, lanes, m->key);
    if (!lanes)
        return 0;
    if (m->warp == k->me && others & (others - 1))
        others &= ~(lanes & (0 - lanes));
    const struct earlier o = {m->key, m->warp, lane_first(others), past};
    return race_together(k, lanes, &o) ? lanes : 0;
}

/* True where the lane races. */
static bool compare_mark(const struct look *k, unsigned lane, unsigned past, const struct mark *m)
{
    if (race_is_clear(k, m, 1u << lane))
        return false;
    if (alike(k, m->key, m->warp))
        return race_with_mark(k, 1u << lane, past, m) != 0;
    EACH_LANE (other, m->lanes) {
        const struct earlier o = {m->key, m->warp, other, past};
        enum race_verdict v = races(k, lane, &o);
        if (v != NO_RACE)
            return v == RACE;
    }
    return false;
}

static inline uint32_t compare_mark_together(const struct look *k, uint32_t lanes, unsigned past,
                                             const struct mark *m)
{
    uint32_t racing = 0;
    if (race_is_clear(k, m, lanes & (lanes - 1) ? 0 : lanes))
        return 0;
    if (alike(k, m->key, m->warp))
        return race_with_mark(k, lanes, past, m);
    EACH_LANE (lane, lanes)
        if (compare_mark(k, lane, past, m))
            racing |= 1u << lane;
    return racing;
}

/* A cell against a lane whose access begins at byte `at` of the line. */
APART bool race_compare_cell(const struct look *k, unsigned lane, const struct cells *all,
                             const struct cell *c, int at)
{
    const int begin = (int)(c - all->at) << all->shift;
    const unsigned past = begin > at ? (unsigned)(begin - at) : 0;
    return compare_mark(k, lane, past, &c->write) ||
           (k->writes && (compare_mark(k, lane, past, &c->read) ||
                          (all->older && compare_mark(k, lane, past, &all->older[c - all->at]))));
}

/* Lanes at one place, whose accesses begin at byte `at` of the line, against the cells there. */
APART void race_compare_place(const struct look *k, uint32_t lanes, const struct cells *all, int at,
                              int end)
{
    for (int i = at >> all->shift; i <= (end - 1) >> all->shift && lanes; i++) {
        const struct cell *c = &all->at[i];
        const int begin = i << all->shift;
        const unsigned past = begin > at ? (unsigned)(begin - at) : 0;
        lanes &= ~compare_mark_together(k, lanes, past, &c->write);
        if (k->writes && lanes)
            lanes &= ~compare_mark_together(k, lanes, past, &c->read);
        if (k->writes && lanes && all->older)
            lanes &= ~compare_mark_together(k, lanes, past, &all->older[i]);
    }
}

void race_compare_cells(const struct look *k, const struct cells *all, const struct strip *s)
{
    EACH_LANE (lane, strip_inside(s, all->count << all->shift)) {
        int at = strip_at(s, lane);
        if (at >= 0 && at >> all->shift < all->count)
            race_compare_bytes(k, all, lane, at, at + s->bytes);
    }
}

/* Each lane is compared and then remembered. Accesses are aligned, so none reaches beyond the
 * line. */
static void pass_cells(const struct look *k, struct cells *all, const struct strip *s)
{
    EACH_LANE (lane, strip_inside(s, all->count << all->shift)) {
        int at = strip_at(s, lane), end = at + s->bytes;
        if (at >= 0 && at >> all->shift < all->count)
            race_pass_bytes(k, all, lane, at, end);
    }
}

/* Can the line's cells take the access without a change? */
static inline bool takes(const struct look *k, const struct line *l, const struct strip *s)
{
    return l->cells.at && (!l->cells.shift || strip_of_words(s)) && !(k->writes && strip_dense(s));
}

/* Compares the access and remembers it. False: as race_remember(). */
bool race_pass_line(const struct look *k, struct line *l, int size, const struct strip *s)
{
    if (takes(k, l, s)) {
        pass_cells(k, &l->cells, s);
        return true;
    }
    race_compare_line(k, l, size, s);
    return race_remember(k, l, size, s);
}

/* ---- lanes of one store at one address ------------------------------------------------- */

static bool lanes_differ(const struct sim_access *a, unsigned lane, unsigned other)
{
    const struct sim_values *v = a->stored;
    for (unsigned i = 0; i * v->bytes < a->bytes; i++) {
        const unsigned char *row = v->row[i];
        if (!same_value(row + (size_t)lane * v->apart, row + (size_t)other * v->apart, v->bytes))
            return true;
    }
    return false;
}

static void group_lanes(const struct look *k, struct groups *g)
{
    const unsigned shift = (unsigned)__builtin_ctz(k->a->bytes);
    uint8_t at[PLACES] = {0}; /* open hash: the first lane at a place, + 1 */
    g->again = 0;
    EACH_LANE (lane, k->at->mask) {
        const uint64_t address = k->a->address[lane];
        uint64_t i = (address >> shift) % PLACES;
        while (at[i] && k->a->address[at[i] - 1] != address)
            i = (i + 1) % PLACES;
        const unsigned leader = at[i] ? at[i] - 1u : lane;
        g->leader[lane] = (uint8_t)leader;
        g->same[leader] = (at[i] ? g->same[leader] : 0) | 1u << lane;
        g->again |= at[i] ? 1u << lane : 0;
        at[i] = (uint8_t)(leader + 1);
    }
    g->first = k->at->mask & ~g->again;
}

/* Which lanes of an access reach the same place? Accesses are aligned and of one size, so two of
 * them overlap only where they are equal. */
void race_find_groups(struct look *k)
{
    const struct sim_access *a = k->a;
    const uint32_t mask = k->at->mask;
    struct groups *g = &k->r->groups;
    k->group = g;
    if (a->even && (!a->step || (a->step >= a->bytes && a->step < PAGE))) {
        g->mask = 0; /* not for the next access */
        g->first = a->step ? mask : 1;
        g->again = mask & ~g->first;
        g->same[0] = mask;
        memset(g->leader, 0, sizeof g->leader);
    } else if (g->mask != mask || memcmp(k->r->grouped, a->address, sizeof k->r->grouped) != 0) {
        group_lanes(k, g);
        g->mask = mask;
        memcpy(k->r->grouped, a->address, sizeof k->r->grouped);
    }
    k->again = g->again;
}

/* The lanes at one place that store another value than the first of them. */
static uint32_t odd_lanes(const struct look *k, unsigned leader)
{
    uint32_t odd = 0, others = k->group->same[leader] & ~(1u << leader);
    if (k->r->strict)
        return others;
    EACH_LANE (lane, others)
        odd |= (uint32_t)lanes_differ(k->a, leader, lane) << lane;
    return odd;
}

/* Lanes that store different values at one place race with each other. Each is counted once,
 * against the lowest lane whose value is another. */
static void compare_group(const struct look *k, unsigned leader)
{
    const uint32_t odd = odd_lanes(k, leader), same = k->group->same[leader] & ~odd;
    const unsigned first = odd ? lane_first(odd) : WARP;
    const uint32_t later = odd ? same & ALL_LANES << first : 0; /* these differ from it */
    if (odd)
        race_found(k, race_pair(k, 0), first, &(struct earlier){0, k->me, leader, 0},
                   lanes_in(odd | later));
}

void race_compare_together(const struct look *k)
{
    uint32_t asked = 0;
    EACH_LANE (lane, k->a->stored ? k->again : 0) {
        const unsigned leader = k->group->leader[lane];
        if (!(asked >> leader & 1))
            compare_group(k, leader);
        asked |= 1u << leader;
    }
}
