/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The race checker as an observer: each access of a warp becomes strips, cut at the lines of
 * the shadow; each is compared with what the line remembers, then remembered itself.
 *
 * The comparison goes from cheap to exact: nothing there; ordered for the whole warp; other
 * bytes; and only then lane by lane. Races are rare, so the last step may take its time.
 */
#include "obs/race.h"

#include "obs/chosen.h"
#include "obs/copies.h"
#include "obs/order.h"
#include "obs/shadow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIECES = 64, HINTS = 256, MOST_STEP = PAGE / WARP, SHORT_RUN = 4,
       NEAR = 64, PAIRS = 64 };
#define ALL_LANES 0xffffffffu
#define APART __attribute__((noinline)) /* rare, and in the way where it is called */

/* What the text of an instruction says about it. */
enum {
    PC_FENCE = 1,
    PC_ACQUIRE = 2,
    PC_RELEASE = 4,
    PC_STRONG = 8,
    PC_VOLATILE = 16,
    PC_NARROW = 32, /* the fence, the atomic, or what comes with it, is for the block alone */
    PC_CLUSTER = 64, /* ... or for the block's cluster */
    PC_COPY = 128    /* cp.async: its write, or what commits to it or waits for it */
};

struct block_state {
    struct block_order order;
    struct block_state *next;
    struct page *shared;
    struct copies *copies; /* of each warp; NULL while nothing is copied asynchronously */
    uint64_t copied;       /* copies started by then are over, and all threads know */
};

/* A part of an access within one page; the strip counts from its start. */
struct piece {
    struct page *page;
    struct strip strip;
};

struct race {
    struct findings *out;
    bool strict, off; /* off: more warps or code than there are numbers for */
    bool scoped;      /* some atomics are for a block or a cluster alone */
    struct order order;
    struct shadow shadow;
    struct chosen chosen;
    const struct sim_instruction *code;
    uint8_t *says; /* of each instruction */
    uint32_t code_count;
    unsigned grid[3], block_size[3], cluster[3], threads;
    size_t shared_pages; /* of a block */
    struct block_state *blocks, *spare;
    struct page *hint[HINTS]; /* by number: pages of global memory found last */
    struct last_race {
        uint32_t pc, other;
        enum sim_fault_kind kind;
        size_t number; /* in `out`, plus 1; 0: none */
        enum sim_cure by_code; /* what cure_by_code() gave for these two */
    } last[PAIRS]; /* the races found last: they are likely to come again */
    /* of the access that is looked at */
    struct piece piece[MOST_PIECES];
    unsigned pieces;
    uint32_t singles; /* lanes that are looked at one by one */
};

/* Lanes of one access by where they reach. `same` and `leader` are there where `again` is not 0. */
struct groups {
    uint32_t first, again; /* the lowest lane at each place, and all others */
    uint32_t same[WARP];   /* of a first one: all lanes at its place, */
    uint8_t leader[WARP];  /* and of each lane the first one */
};

/* One access, with all that is asked of it again and again. */
struct look {
    struct race *r;
    const struct sim_event *e;
    struct block_state *b, *of; /* of: whose shared memory it is, its own as a rule */
    struct warp_order *w;
    bool writes, atomic; /* atomic: no race with another such one */
    mark_key key, known, full; /* this access; up to where the block and the warp are known, */
    mark_key copied;           /* and the block's asynchronous copies */
    mark_key settled;          /* the shadow's: what is not later races with nothing any more */
    uint32_t me; /* the warp, of the whole grid */
    bool at_once; /* no lane can race with another by this very access: they are looked at and
                   * remembered one by one */
    struct groups group; /* of what writes */
};

static const struct allocator *const from = &allocator_libc;

/* ---- what is found --------------------------------------------------------------------- */

/* An earlier access of a lane, or of the same instruction. */
struct earlier {
    mark_key key;
    uint32_t warp;
    unsigned lane;
    unsigned past; /* bytes of this access that lie before the first one that both touch */
};

static const char *verb(const struct sim_instruction *i)
{
    return i->kind == SIM_CLASS_LOAD                                     ? "reads"
           : i->kind == SIM_CLASS_STORE || i->kind == SIM_CLASS_HIDDEN ? "writes"
                                                                         : "updates";
}

/* When a copy was over, by its thread's waiting; 0: it may still run. */
static uint64_t copied_by(const struct look *k, const struct earlier *o)
{
    const struct block_state *b = k->b;
    uint64_t started = mark_time(o->key & ~MARK_COPY);
    uint32_t warp = o->warp - b->order.first_warp;
    return warp < k->r->order.warps && b->copies ? copies_over(&b->copies[warp], o->lane, started)
                                                 : started;
}

static void tell(const struct look *k, struct sim_fault *f, unsigned lane, const struct earlier *o,
                 const char *other_verb)
{
    bool apart = memcmp(f->at.block, f->other.block, sizeof f->at.block) != 0;
    bool warp = o->warp - k->b->order.first_warp == k->e->warp;
    bool both = strcmp(verb(k->e->code), other_verb) == 0;
    char name[FINDING_NAME], who[64], whom[64];
    finding_name(k->e->run, k->e->space, k->e->address[lane] + o->past,
                 k->e->part ? k->e->part : k->e->bytes, f, name);
    if (k->of != k->b)
        finding_owner(k->r->grid, k->of->order.index, name);
    finding_who(&f->at, apart, who);
    finding_who(&f->other, apart, whom);
    int n;
    if (mark_copy(o->key) && copied_by(k, o) == 0)
        n = snprintf(f->message, sizeof f->message, "%s %s %s that %s copies there by cp.async, "
                     "with no wait for the copy between", who, verb(k->e->code), name, whom);
    else if (o->key == 0)
        n = snprintf(f->message, sizeof f->message, "%s and %s write %s at once", whom, who, name);
    else
        n = snprintf(f->message, sizeof f->message, "%s %s %s that %s %s%s, %s", who,
                     verb(k->e->code), name, whom, other_verb, both ? " too" : "",
                     apart && f->kind == SIM_RACE_SHARED
                            ? "with no barrier of the cluster between"
                     : apart ? "and nothing orders the two blocks"
                     : warp ? "with no __syncwarp() between"
                            : "with no __syncthreads() between");
    if (n < 0)
        f->message[0] = 0;
}

/* Is it known to be ordered by other means than barriers of all: locks, flags, named barriers? */
static bool has_other_means(const struct look *k, uint32_t other_pc)
{
    struct race *r = k->r;
    const unsigned says = r->says[k->e->pc] | r->says[other_pc];
    return says & (PC_STRONG | PC_VOLATILE) || k->b->order.pairs || k->b->order.arrived ||
           chosen_waits(&r->chosen, k->e->pc) || chosen_waits(&r->chosen, other_pc);
}

/* What would mend a race of two instructions, whoever runs them. SYNCTHREADS stands for a barrier
 * of all that take part: it keeps apart what one does and what the other does later, but not two
 * stores of one line. */
static enum sim_cure cure_by_code(const struct look *k, uint32_t other_pc)
{
    const struct sim_instruction *a = k->e->code, *b = &k->r->code[other_pc];
    const bool one_line = a->line == b->line && a->file == b->file;
    bool adds = false, other_adds = false;
    const bool updates = chosen_update(&k->r->chosen, k->e->pc, &adds) &&
                         chosen_update(&k->r->chosen, other_pc, &other_adds);
    if (has_other_means(k, other_pc))
        return SIM_CURE_UNKNOWN;
    if (updates)
        return one_line && adds && other_adds ? SIM_CURE_ATOMIC : SIM_CURE_UNKNOWN;
    return one_line && a->kind == b->kind ? SIM_CURE_UNKNOWN : SIM_CURE_SYNCTHREADS;
}

/* Do some of the lanes reach one place? Where each has its own, and threads of the same number in
 * two blocks meet there, the index may well lack the block's number. */
static bool own_places(const struct sim_event *e)
{
    return (e->mask & (e->mask - 1)) && e->even && e->step;
}

/* The same for these two threads. */
static enum sim_cure cure_for(const struct look *k, unsigned lane, const struct earlier *o,
                              enum sim_cure by_code)
{
    const uint32_t warps = k->r->order.warps, there = o->warp - k->b->order.first_warp;
    const bool same_lane = o->warp % warps == k->e->warp && o->lane == lane;
    if (mark_copy(o->key))
        return there == k->e->warp && same_lane ? SIM_CURE_COPY_WAIT : SIM_CURE_UNKNOWN;
    if (by_code == SIM_CURE_ATOMIC)
        return same_lane && own_places(k->e) ? SIM_CURE_UNKNOWN : SIM_CURE_ATOMIC;
    if (by_code == SIM_CURE_UNKNOWN || there == k->e->warp)
        return by_code ? SIM_CURE_SYNCWARP : SIM_CURE_UNKNOWN;
    return there < warps                  ? SIM_CURE_SYNCTHREADS
           : k->e->space != SIM_GLOBAL ? SIM_CURE_CLUSTER_SYNC
                                          : SIM_CURE_UNKNOWN;
}

/* One thing for both; a barrier of the block's threads is one of its warps' lanes, too. */
static enum sim_cure cure_of_both(enum sim_cure a, enum sim_cure b)
{
    const enum sim_cure least = a < b ? a : b, most = a < b ? b : a;
    if (a == b)
        return a;
    return least == SIM_CURE_SYNCWARP && most == SIM_CURE_SYNCTHREADS ? most : SIM_CURE_UNKNOWN;
}

static void count_cure(const struct look *k, unsigned lane, const struct earlier *o,
                       enum sim_cure by_code, struct sim_fault *f)
{
    if (f->cure)
        f->cure = cure_of_both(f->cure, cure_for(k, lane, o, by_code));
}

/* `times` over, of which this is the first. Key 0: both by this very instruction. */
static void found(const struct look *k, unsigned lane, const struct earlier *o, unsigned times)
{
    struct race *r = k->r;
    const enum sim_fault_kind kind = k->e->space == SIM_GLOBAL ? SIM_RACE_GLOBAL : SIM_RACE_SHARED;
    const uint32_t warps = r->order.warps, other_pc = o->key ? mark_pc(o->key) : k->e->pc;
    struct last_race *last = &r->last[(k->e->pc * 7 + other_pc) % PAIRS];
    if (last->number && last->pc == k->e->pc && last->other == other_pc && last->kind == kind) {
        struct sim_fault *again = &r->out->items[last->number - 1];
        again->count += times;
        count_cure(k, lane, o, last->by_code, again);
        return;
    }
    struct finding_side at = {.code = k->e->code}, other = {.code = &r->code[other_pc]};
    bool fresh;
    memcpy(at.block, k->e->block, sizeof at.block);
    finding_thread(r->block_size, k->e->warp * WARP + lane, at.thread);
    finding_block(r->grid, o->warp / warps, other.block);
    finding_thread(r->block_size, o->warp % warps * WARP + o->lane, other.thread);
    struct sim_fault *f = findings_add(r->out, kind, &at, &other, k->e->when, &fresh);
    last->by_code = cure_by_code(k, other_pc);
    if (f && fresh) {
        tell(k, f, lane, o, verb(other.code));
        f->cure = cure_for(k, lane, o, last->by_code);
    } else if (f) {
        count_cure(k, lane, o, last->by_code, f);
    }
    if (f)
        f->count += times - 1;
    last->pc = k->e->pc;
    last->other = other_pc;
    last->kind = kind;
    last->number = f ? (size_t)(f - r->out->items) + 1 : 0;
}

/* ---- comparing ------------------------------------------------------------------------- */

/* Of the cluster that a block belongs to, in the grid. */
static uint64_t cluster_number(const struct race *r, uint64_t block)
{
    const unsigned *size = r->cluster;
    unsigned at[3];
    if (size[0] * size[1] * size[2] <= 1)
        return block;
    finding_block(r->grid, block, at);
    uint64_t across = r->grid[0] / size[0], down = r->grid[1] / size[1];
    return at[0] / size[0] + across * (at[1] / size[1] + down * (at[2] / size[2]));
}

/* Ordered before all that this warp does now? No for "one would have to look more closely". */
static bool quick(const struct look *k, mark_key key, uint32_t warp)
{
    uint32_t there = warp - k->b->order.first_warp;
    if (there >= k->r->order.warps)
        return false;
    return key <= k->known || (there == k->e->warp && key <= k->full) ||
           (mark_copy(key) && (key & ~MARK_COPY) <= k->copied);
}

/* Most values have 4 or 8 bytes. */
static inline bool same_value(const void *a, const void *b, unsigned bytes)
{
    return bytes == 4   ? memcmp(a, b, 4) == 0
           : bytes == 8 ? memcmp(a, b, 8) == 0
                        : memcmp(a, b, bytes) == 0;
}

/* Does memory hold what the lane is about to store? Then a write before it was of that value;
 * where one can't tell, it is taken to be. */
static bool stores_same(const struct look *k, unsigned lane)
{
    const struct sim_event *e = k->e;
    if (e->access != SIM_STORE || k->r->strict)
        return false;
    if (!e->host || !e->stored_bytes)
        return true;
    const unsigned char *there = (const unsigned char *)(e->host + (uintptr_t)e->address[lane]);
    for (unsigned i = 0; i * e->stored_bytes < e->bytes; i++)
        if (!same_value(there + (size_t)i * e->stored_bytes,
                        (const unsigned char *)e->stored[i] + (size_t)lane * e->stored_row,
                        e->stored_bytes))
            return false;
    return true;
}

static bool by_writing(const struct look *k, mark_key key)
{
    enum sim_class kind = k->r->code[mark_pc(key)].kind;
    return kind == SIM_CLASS_STORE || (kind == SIM_CLASS_ATOMIC && k->r->strict);
}

/* One volatile word that one writes and the other reads until it has what it waits for: whichever
 * value a reading gives, it is asked about. */
static bool polled(const struct look *k, mark_key earlier)
{
    const uint32_t pc[2] = {k->e->pc, mark_pc(earlier)};
    bool polls = false, stores = false;
    for (int i = 0; i < 2; i++) {
        const struct sim_instruction *code = &k->r->code[pc[i]];
        if (!(k->r->says[pc[i]] & PC_VOLATILE) || code->bytes > 8 || code->bytes != k->e->bytes ||
            strstr(code->text, ".v2") || strstr(code->text, ".v4"))
            return false;
        stores |= code->kind == SIM_CLASS_STORE;
        polls |= code->kind == SIM_CLASS_LOAD && chosen_polls(&k->r->chosen, pc[i]);
    }
    return stores && polls;
}

/* What is no race although nothing orders it, by what the instructions are for. */
static bool excused(const struct look *k, mark_key earlier)
{
    return chosen_only(&k->r->chosen, k->e->pc) ||
           chosen_only(&k->r->chosen, mark_pc(earlier)) || polled(k, earlier);
}

/* By the values: two stores of the same one. */
static bool same_stored(const struct look *k, unsigned lane, mark_key earlier)
{
    return k->writes && by_writing(k, earlier) && stores_same(k, lane);
}

enum verdict { NO_RACE, EXCUSED, RACE };

/* This lane against one earlier lane that touched the same bytes. */
static enum verdict races(const struct look *k, unsigned lane, const struct earlier *o)
{
    struct deed d = {o->warp, o->lane, mark_time(o->key)};
    bool runs = mark_copy(o->key) && (d.time = copied_by(k, o)) == 0;
    if (!runs && ((o->warp == k->me && o->lane == lane) ||
                  order_known(&k->r->order, &k->b->order, k->e->warp, lane, &d)))
        return NO_RACE;
    if (!runs && (same_stored(k, lane, o->key) || excused(k, o->key)))
        return EXCUSED;
    found(k, lane, o, 1);
    return RACE;
}

/* The lanes of a strip that may touch these bytes; some of them may not. */
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
    for (uint32_t left = now->lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left), at = strip_at(now, lane);
        if (at < 0 || at >= size)
            continue;
        for (uint32_t rest = lanes_near(old, at, now->bytes); rest; rest &= rest - 1) {
            int other = __builtin_ctz(rest), there = strip_at(old, other);
            const struct earlier o = {old->key, old->warp, (unsigned)other,
                                      there > at ? (unsigned)(there - at) : 0};
            if (at < there + old->bytes && there < at + now->bytes &&
                races(k, (unsigned)lane, &o) != NO_RACE)
                break;
        }
    }
}

/* Is what one lane of this warp knows of one lane of that warp what they all know? */
static bool alike(const struct look *k, const struct strip *old)
{
    return old->warp != k->me && !mark_copy(old->key) && !k->w->refs.count &&
           !k->b->order.refs.count;
}

/* Then one question answers for all lanes, and their races are counted together. */
static void compare_alike(const struct look *k, const struct strip *now, const struct strip *old,
                          int size)
{
    struct earlier o = {old->key, old->warp, (unsigned)__builtin_ctz(old->lanes), 0};
    const struct deed d = {o.warp, o.lane, mark_time(o.key)};
    unsigned first = (unsigned)__builtin_ctz(now->lanes), times = 0;
    if (order_known(&k->r->order, &k->b->order, k->e->warp, first, &d) || excused(k, old->key))
        return;
    for (uint32_t left = now->lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left), at = strip_at(now, lane);
        uint32_t rest = at < 0 || at >= size ? 0 : lanes_near(old, at, now->bytes);
        for (; rest; rest &= rest - 1) {
            const int there = strip_at(old, __builtin_ctz(rest));
            if (at < there + old->bytes && there < at + now->bytes)
                break;
        }
        if (!rest || same_stored(k, (unsigned)lane, old->key))
            continue;
        if (!times++) {
            first = (unsigned)lane;
            o.lane = (unsigned)__builtin_ctz(rest);
            const int there = strip_at(old, (int)o.lane);
            o.past = there > at ? (unsigned)(there - at) : 0;
        }
    }
    if (times)
        found(k, first, &o, times);
}

/* Of one warp: does every lane stay within its own part? Where both are evenly spaced alike, and
 * where a single lane comes back to its place. */
static inline bool each_its_own(const struct strip *now, const struct strip *old)
{
    int step = now->step < 0 ? -now->step : now->step, apart = now->start - old->start;
    if (now->warp != old->warp)
        return false;
    if (!(now->lanes & (now->lanes - 1))) {
        int own = old->step < 0 ? -old->step : old->step;
        return now->lanes == old->lanes ||
               (now->bytes <= own && old->bytes <= own &&
                strip_at(old, __builtin_ctz(now->lanes)) == now->start);
    }
    return now->step == old->step && now->turn == old->turn && step &&
           apart + now->bytes <= step && apart >= old->bytes - step;
}

static void compare(const struct look *k, const struct strip *now, const struct strip *old,
                    int size)
{
    int lo, hi, old_lo, old_hi;
    if (strip_range(now, size, &lo, &hi) && strip_range(old, size, &old_lo, &old_hi) &&
        hi > old_lo && old_hi > lo) {
        if (alike(k, old))
            compare_alike(k, now, old, size);
        else
            compare_lanes(k, now, old, size);
    }
}

/* Are both atomic, and each at a scope that holds the other's thread? */
static inline bool both_atomic(const struct look *k, mark_key key, uint32_t warp)
{
    if (!k->atomic || !mark_atomic(key))
        return false;
    const struct race *r = k->r;
    unsigned scopes = r->scoped ? r->says[k->e->pc] | r->says[mark_pc(key)] : 0;
    if (!(scopes & (PC_NARROW | PC_CLUSTER)) || warp - k->b->order.first_warp < r->order.warps)
        return true;
    return !(scopes & PC_NARROW) &&
           cluster_number(r, warp / r->order.warps) == cluster_number(r, k->b->order.index);
}

/* Nobody, one whom all know of, this very lane, or one that is known of? */
static inline bool is_clear(const struct look *k, const struct mark *m, uint32_t lane_bit)
{
    return m->key <= k->settled ||
           (m->warp == k->me && m->lanes == lane_bit && !mark_copy(m->key)) ||
           both_atomic(k, m->key, m->warp) || quick(k, m->key, m->warp);
}

/* True where they race. `past`: the bytes of the access before this mark's. */
static bool compare_mark(const struct look *k, unsigned lane, unsigned past, const struct mark *m)
{
    for (uint32_t left = is_clear(k, m, 1u << lane) ? 0 : m->lanes; left; left &= left - 1) {
        const struct earlier o = {m->key, m->warp, (unsigned)__builtin_ctz(left), past};
        enum verdict v = races(k, lane, &o);
        if (v != NO_RACE)
            return v == RACE;
    }
    return false;
}

/* The cell against a lane whose access begins at byte `at` of the line. */
APART static bool compare_cell(const struct look *k, unsigned lane, const struct cells *all,
                               const struct cell *c, int at)
{
    const int begin = (int)(c - all->at) << all->shift;
    const unsigned past = begin > at ? (unsigned)(begin - at) : 0;
    return compare_mark(k, lane, past, &c->write) ||
           (k->writes && (compare_mark(k, lane, past, &c->read) ||
                          (all->older && compare_mark(k, lane, past, &all->older[c - all->at]))));
}

static inline bool cell_clear(const struct look *k, const struct cells *all, const struct cell *c,
                              uint32_t bit)
{
    return is_clear(k, &c->write, bit) &&
           (!k->writes || (is_clear(k, &c->read, bit) &&
                           (!all->older || is_clear(k, &all->older[c - all->at], bit))));
}

/* One lane's bytes, from `at` to `end`. */
static inline void compare_bytes(const struct look *k, const struct cells *all, unsigned lane,
                                 int at, int end)
{
    const struct cell *c = &all->at[at >> all->shift], *last = &all->at[(end - 1) >> all->shift];
    for (; c <= last; c++)
        if (!cell_clear(k, all, c, 1u << lane) && compare_cell(k, lane, all, c, at))
            return;
}

static inline void remember_bytes(const struct look *k, struct cells *all, uint32_t lanes, int at,
                                  int end)
{
    struct cell *c = &all->at[at >> all->shift], *last = &all->at[(end - 1) >> all->shift];
    const struct mark m = {k->key, k->me, lanes};
    for (; c <= last; c++)
        if (k->writes)
            cell_write(&k->r->shadow, all, c, &m);
        else
            cell_read(&k->r->shadow, all, c, &m);
}

static void compare_cells(const struct look *k, const struct cells *all, const struct strip *s)
{
    for (uint32_t left = strip_inside(s, all->count << all->shift); left; left &= left - 1) {
        int lane = __builtin_ctz(left), at = strip_at(s, lane);
        if (at >= 0 && at >> all->shift < all->count)
            compare_bytes(k, all, (unsigned)lane, at, at + s->bytes);
    }
}

/* Both at once, where that is the same: accesses are aligned, so that no lane reaches beyond. */
static void pass_cells(const struct look *k, struct cells *all, const struct strip *s)
{
    for (uint32_t left = strip_inside(s, all->count << all->shift); left; left &= left - 1) {
        int lane = __builtin_ctz(left), at = strip_at(s, lane), end = at + s->bytes;
        if (at < 0 || at >> all->shift >= all->count)
            continue;
        compare_bytes(k, all, (unsigned)lane, at, end);
        remember_bytes(k, all, 1u << lane, at, end);
    }
}

static inline bool matters(const struct look *k, const struct strip *now, const struct strip *old)
{
    return old->key > k->settled && !both_atomic(k, old->key, old->warp) &&
           !quick(k, old->key, old->warp) &&
           (mark_copy(old->key) || !each_its_own(now, old));
}

static inline void compare_line(const struct look *k, const struct line *l, int size,
                                const struct strip *s)
{
    if (l->cells) {
        compare_cells(k, l->cells, s);
        return;
    }
    for (int i = 0; i < 2; i++) {
        if (matters(k, s, &l->write[i]))
            compare(k, s, &l->write[i], size);
        if (k->writes && matters(k, s, &l->read[i]))
            compare(k, s, &l->read[i], size);
    }
}

/* False: the line has to be cut smaller first. */
static inline bool remember(const struct look *k, struct line *l, int size, const struct strip *s)
{
    if (k->writes)
        return line_write(&k->r->shadow, l, size, s);
    line_read(&k->r->shadow, l, size, s);
    return true;
}

/* Cells that can take the access as it is? */
static inline bool takes(const struct look *k, const struct line *l, const struct strip *s)
{
    return l->cells && (!l->cells->shift || strip_of_words(s)) && !(k->writes && strip_dense(s));
}

/* Compared and remembered in one go: false as for `remember`. */
static inline bool pass_line(const struct look *k, struct line *l, int size, const struct strip *s)
{
    if (takes(k, l, s)) {
        pass_cells(k, l->cells, s);
        return true;
    }
    compare_line(k, l, size, s);
    return remember(k, l, size, s);
}

/* ---- lanes of one store at one address ------------------------------------------------- */

static bool lanes_differ(const struct sim_event *e, unsigned a, unsigned b)
{
    for (unsigned i = 0; i * e->stored_bytes < e->bytes; i++) {
        const unsigned char *row = e->stored[i];
        if (!same_value(row + (size_t)a * e->stored_row, row + (size_t)b * e->stored_row,
                        e->stored_bytes))
            return true;
    }
    return false;
}

/* Which lanes of a store or an atomic reach the same place? Accesses are aligned and of one size:
 * they overlap only where they are equal. */
static void find_groups(const struct sim_event *e, struct groups *g)
{
    const unsigned shift = (unsigned)__builtin_ctz(e->bytes);
    uint32_t near[NEAR] = {0}; /* first lanes whose addresses may be the same */
    g->again = 0;
    g->first = e->mask;
    if (e->even && e->step >= e->bytes && e->step < PAGE)
        return;
    if (e->even && !e->step) {
        g->first = 1;
        g->same[0] = e->mask;
        g->again = e->mask & ~1u;
        memset(g->leader, 0, sizeof g->leader);
        return;
    }
    for (uint32_t left = e->mask; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t *those = &near[(e->address[lane] >> shift) % NEAR], rest = *those;
        while (rest && e->address[__builtin_ctz(rest)] != e->address[lane])
            rest &= rest - 1;
        const unsigned leader = rest ? (unsigned)__builtin_ctz(rest) : lane;
        g->leader[lane] = (uint8_t)leader;
        g->same[leader] = (rest ? g->same[leader] : 0) | 1u << lane;
        g->again |= rest ? 1u << lane : 0;
        *those |= rest ? 0 : 1u << lane;
    }
    g->first = e->mask & ~g->again;
}

/* Of the lanes at one place, those whose value is not the first one's. */
static uint32_t odd_lanes(const struct look *k, unsigned leader)
{
    uint32_t odd = 0, others = k->group.same[leader] & ~(1u << leader);
    if (k->r->strict)
        return others;
    for (uint32_t left = others; left; left &= left - 1)
        odd |= (uint32_t)lanes_differ(k->e, leader, (unsigned)__builtin_ctz(left))
               << __builtin_ctz(left);
    return odd;
}

/* Lanes that store different values at one place: each against the lowest that differs from it. */
static void compare_together(const struct look *k)
{
    uint32_t odd[WARP], asked = 0;
    for (uint32_t left = k->e->stored_bytes ? k->group.again : 0; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left), leader = k->group.leader[lane];
        if (!(asked >> leader & 1))
            odd[leader] = odd_lanes(k, leader);
        asked |= 1u << leader;
        const uint32_t below = odd[leader] & ((1u << lane) - 1);
        struct earlier o = {0, k->me, leader, 0};
        if (!(odd[leader] >> lane & 1))
            o.lane = below ? (unsigned)__builtin_ctz(below) : lane;
        if (o.lane != lane)
            found(k, lane, &o, 1);
    }
}

/* ---- cutting an access into pieces ----------------------------------------------------- */

static struct page *page_of(const struct look *k, uint64_t number)
{
    struct race *r = k->r;
    if (k->e->space != SIM_GLOBAL)
        return k->of->shared && number < r->shared_pages ? &k->of->shared[number] : NULL;
    struct page **at = &r->hint[number % HINTS];
    if (!*at || (*at)->number != number)
        *at = shadow_page(&r->shadow, number);
    return *at;
}

/* Lines for which a whole warp's access is about one. */
static inline unsigned shift_for(uint64_t step)
{
    unsigned shift = step ? 63 - (unsigned)__builtin_clzll(step * WARP) : LINE_SHIFT;
    return shift < LINE_LEAST_SHIFT ? LINE_LEAST_SHIFT : shift;
}

static uint32_t lanes_in(const struct look *k, uint32_t lanes, uint64_t page)
{
    uint32_t in = 0;
    for (uint32_t left = lanes; left; left &= left - 1)
        if (k->e->address[__builtin_ctz(left)] / PAGE == page)
            in |= left & (0 - left);
    return in;
}

/* Lanes at start + (lane + turn) % 32 * step; turned only where all take part. */
static void add_strip(const struct look *k, uint32_t lanes, uint64_t start, int64_t step,
                      unsigned turn)
{
    struct race *r = k->r;
    unsigned first = (unsigned)__builtin_ctz(lanes), last = 31 - (unsigned)__builtin_clz(lanes);
    uint64_t apart = step < 0 ? 0 - (uint64_t)step : (uint64_t)step;
    if (apart > MOST_STEP || first == last) {
        r->singles |= lanes;
        return;
    }
    struct strip s = {.key = k->key,
                      .warp = k->me,
                      .lanes = lanes,
                      .step = (int16_t)step,
                      .turn = (uint16_t)turn,
                      .bytes = (uint16_t)k->e->bytes};
    uint64_t lo = start + (uint64_t)(first * step), hi = start + (uint64_t)(last * step);
    uint64_t top = (step < 0 ? lo : hi) + k->e->bytes - 1;
    for (uint64_t number = (step < 0 ? hi : lo) / PAGE; number <= top / PAGE; number++) {
        struct page *p = page_of(k, number);
        if (!p || !page_ready(&r->shadow, p, shift_for(apart)) || r->pieces == MOST_PIECES)
            continue;
        s.start = (int16_t)(start - number * PAGE);
        if (p->step && !page_takes(p, &s) && !page_cut(&r->shadow, p, LINE_SHIFT))
            continue;
        if (apart >> p->shift) {
            r->singles |= lanes_in(k, lanes, number);
            continue;
        }
        r->piece[r->pieces++] = (struct piece){p, s};
    }
}

static void add_halves(const struct look *k)
{
    const uint64_t *a = k->e->address, step = k->e->step;
    const uint32_t low = (1u << WARP / 2) - 1;
    add_strip(k, low, a[0], (int64_t)step, 0);
    add_strip(k, ~low, a[WARP / 2] - WARP / 2 * step, (int64_t)step, 0);
}

/* All lanes, and nowhere a run of them that is long enough? */
static bool no_runs(const struct sim_event *e)
{
    const uint64_t *a = e->address;
    uint32_t runs = 0;
    if (e->mask != ALL_LANES)
        return false;
    for (int i = 0; i + SHORT_RUN <= WARP; i++)
        runs |= (a[i + 1] - a[i] == a[i + 2] - a[i + 1]) & (a[i + 2] - a[i + 1] == a[i + 3] - a[i + 2]);
    return !runs;
}

/* Runs of evenly spaced lanes, from the first on, as long as they go. */
static void add_runs(const struct look *k)
{
    const uint64_t *a = k->e->address;
    if (no_runs(k->e)) {
        k->r->singles = ALL_LANES;
        return;
    }
    for (uint32_t left = k->e->mask; left;) {
        unsigned first = (unsigned)__builtin_ctz(left);
        uint32_t run = 1u << first, rest = left & ~run;
        int64_t step = 0;
        if (rest) {
            unsigned second = (unsigned)__builtin_ctz(rest);
            int64_t apart = (int64_t)(a[second] - a[first]);
            bool even = apart % (int64_t)(second - first) == 0;
            step = even ? apart / (int64_t)(second - first) : 0;
            for (; even && rest; rest &= rest - 1) {
                unsigned lane = (unsigned)__builtin_ctz(rest);
                if (a[lane] != a[first] + (uint64_t)(step * (int64_t)(lane - first)))
                    break;
                run |= 1u << lane;
            }
        }
        if (__builtin_popcount(run) < SHORT_RUN)
            k->r->singles |= run;
        else
            add_strip(k, run, a[first] - (uint64_t)(step * (int64_t)first), step, 0);
        left &= ~run;
    }
}

static struct block_state *block_of(struct race *r, uint64_t index)
{
    struct block_state *front = r->blocks;
    if (front && front->order.index == index)
        return front;
    for (struct block_state **at = &r->blocks; *at; at = &(*at)->next)
        if ((*at)->order.index == index) {
            struct block_state *b = *at; /* to the front: the next event is its as well */
            *at = b->next;
            b->next = r->blocks;
            return r->blocks = b;
        }
    return NULL;
}

/* ---- an access ------------------------------------------------------------------------- */

static uint64_t place_of(const struct look *k, unsigned lane)
{
    uint64_t at = k->e->address[lane];
    return k->e->space == SIM_GLOBAL ? at : UINT64_C(1) << 63 | k->of->order.index << 20 | at;
}

static enum fence_scope scope_of(uint8_t says)
{
    return says & PC_NARROW ? FOR_BLOCK : FOR_ALL;
}

/* Does it take over what others left only once a fence follows? A load does, and an atomic that
 * polls. An atomic that is done once, as the ticket of the last block, is in wide use without. */
static bool needs_fence(const struct look *k, uint8_t says)
{
    return !(says & PC_ACQUIRE) &&
           (k->e->access == SIM_LOAD || chosen_polls(&k->r->chosen, k->e->pc));
}

/* Each address once: what the lanes leave there, and what they take from there. */
static void pass_word(const struct look *k, uint8_t says)
{
    const struct sim_event *e = k->e;
    struct race *r = k->r;
    bool gives = k->writes && (k->w->fences[FOR_BLOCK].lanes & e->mask || k->b->order.passes_on ||
                               says & PC_RELEASE);
    bool takes = (e->access == SIM_LOAD || e->access == SIM_ATOMIC) && r->order.place_count;
    uint32_t near[WARP] = {0}; /* the lanes whose addresses may be the same */
    for (uint32_t left = gives || takes ? e->mask : 0; left; left &= left - 1)
        near[e->address[__builtin_ctz(left)] / 4 % WARP] |= left & (0 - left);
    for (uint32_t left = gives || takes ? e->mask : 0; left;) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t same = 0;
        for (uint32_t rest = near[e->address[lane] / 4 % WARP]; rest; rest &= rest - 1)
            same |= (uint32_t)(e->address[__builtin_ctz(rest)] == e->address[lane])
                    << __builtin_ctz(rest);
        if (takes)
            order_acquire(&r->order, &k->b->order, e->warp, same, place_of(k, lane),
                          scope_of(says), needs_fence(k, says));
        if (gives)
            order_release(&r->order, &k->b->order, e->warp, same, place_of(k, lane),
                          says & PC_RELEASE ? scope_of(says) : FOR_NOBODY);
        left &= ~same;
    }
}

/* What marks the write of a copy that starts now; 0: memory ran out. */
static mark_key start_copy(struct race *r, struct block_state *b, unsigned warp)
{
    if (!b->copies)
        b->copies = mem_get(from, r->order.warps * sizeof *b->copies);
    if (!b->copies)
        return 0;
    copies_start(&b->copies[warp], r->order.now);
    return MARK_COPY;
}

/* cp.async.commit_group, .wait_group N, .wait_all. */
static void see_copies(struct race *r, const struct sim_event *e, struct block_state *b)
{
    const char *op = chosen_opcode(e->code);
    struct copies *c = b->copies ? &b->copies[e->warp] : NULL;
    if (!c)
        return;
    if (strstr(op, ".wait_group")) {
        copies_wait(c, e->mask, (unsigned)strtoul(op + strcspn(op, " "), NULL, 10),
                    r->order.now++);
    } else {
        copies_commit(c, e->mask, r->order.now++);
        if (strstr(op, ".wait_all"))
            copies_wait(c, e->mask, 0, r->order.now++);
    }
}

/* At a barrier of all threads: they know of the copies that are over. */
static void know_copies(struct race *r, struct block_state *b)
{
    uint64_t oldest = r->order.now;
    for (unsigned i = 0; b->copies && i < r->order.warps; i++) {
        uint64_t first = copies_oldest(&b->copies[i]);
        oldest = first < oldest ? first : oldest;
    }
    b->copied = b->copies ? oldest - 1 : 0;
}

static bool look_at(struct race *r, const struct sim_event *e, struct block_state *b,
                    struct look *k)
{
    uint8_t says = r->says[e->pc];
    struct warp_order *w = &b->order.warps[e->warp];
    bool update = e->access == SIM_ATOMIC || e->access == SIM_REDUCE;
    k->r = r;
    k->e = e;
    k->b = k->of = b;
    k->w = w;
    k->writes = e->access != SIM_LOAD;
    k->atomic = update || says & PC_STRONG ||
                (says & PC_VOLATILE &&
                 (e->access == SIM_LOAD || b->order.passes_on ||
                  (e->mask & ~w->fences[FOR_BLOCK].lanes) == 0));
    k->key = mark_make(r->order.now, e->pc, k->atomic);
    k->me = b->order.first_warp + e->warp;
    k->group.again = 0;
    if (k->writes)
        find_groups(e, &k->group);
    k->at_once = !k->group.again;
    if (says & PC_COPY)
        k->key |= start_copy(r, b, e->warp);
    k->copied = mark_make(b->copied + 1, 0, 0) - 1;
    k->known = mark_make(b->order.known + 1, 0, 0) - 1;
    k->full = mark_make(w->full + 1, 0, 0) - 1;
    return update || says & (PC_STRONG | PC_VOLATILE);
}

/* One line of the page a strip touches, from byte `at` of it: the strip as the line has it. */
static inline struct strip local_strip(const struct strip *s, int at)
{
    struct strip local = *s;
    local.start = (int16_t)(s->start - at);
    return local;
}

/* Whether the lanes lie each in a line of its own. */
static inline bool far_apart(const struct piece *p)
{
    int size = 1 << p->page->shift;
    return p->strip.step >= size || p->strip.step <= -size;
}

static bool lane_strip(const struct piece *p, unsigned lane, struct strip *one, int *line)
{
    int at = strip_at(&p->strip, (int)lane);
    *one = p->strip;
    one->lanes = 1u << lane;
    one->step = 0;
    one->turn = 0;
    *line = at >> p->page->shift;
    one->start = (int16_t)(at & ((1 << p->page->shift) - 1));
    return at >= 0 && at < PAGE;
}

/* A page with columns; false: one of them can't remember all of it. */
static bool pass_columns(const struct look *k, const struct piece *p, bool comparing,
                         bool remembering)
{
    const struct page *page = p->page;
    const int size = column_size(page), units = p->strip.bytes / page->unit;
    struct column c[2];
    for (int unit = 0; unit < units; unit++)
        for (unsigned i = page_columns(page, &p->strip, unit, c); i--;) {
            if (comparing)
                compare_line(k, c[i].line, size, &c[i].strip);
            if (remembering && !remember(k, c[i].line, size, &c[i].strip))
                return false;
        }
    return true;
}

static void compare_piece(const struct look *k, const struct piece *p)
{
    const struct page *page = p->page;
    int lo, hi, line, size = 1 << page->shift;
    struct strip one;
    if (page->step) {
        pass_columns(k, p, true, false);
        return;
    }
    for (uint32_t left = far_apart(p) ? p->strip.lanes : 0; left; left &= left - 1)
        if (lane_strip(p, (unsigned)__builtin_ctz(left), &one, &line))
            compare_line(k, &page->lines[line], size, &one);
    if (far_apart(p) || !strip_range(&p->strip, PAGE, &lo, &hi))
        return;
    for (int at = lo & -size; at < hi; at += size) {
        one = local_strip(&p->strip, at);
        compare_line(k, &page->lines[at >> page->shift], size, &one);
    }
}

/* A page whose lines prove too large is cut on the way. Lines done twice are no harm. */
static void remember_piece(const struct look *k, const struct piece *p)
{
    struct page *page = p->page;
    struct strip one;
    int lo, hi, line, size = 1 << page->shift;
    if (page->step) {
        if (!pass_columns(k, p, k->at_once, true) && page_cut(&k->r->shadow, page, LINE_SHIFT))
            remember_piece(k, p);
        return;
    }
    for (uint32_t left = far_apart(p) ? p->strip.lanes : 0; left; left &= left - 1)
        if (lane_strip(p, (unsigned)__builtin_ctz(left), &one, &line))
            remember(k, &page->lines[line], size, &one);
    if (far_apart(p) || !strip_range(&p->strip, PAGE, &lo, &hi))
        return;
    for (int at = lo & -size; at < hi; at += size) {
        struct line *l = &page->lines[at >> page->shift];
        one = local_strip(&p->strip, at);
        if (k->at_once ? pass_line(k, l, size, &one) : remember(k, l, size, &one))
            continue;
        if (page_by_columns(&k->r->shadow, page, &p->strip) ||
            page_cut(&k->r->shadow, page, LINE_SHIFT))
            remember_piece(k, p);
        return;
    }
}

/* ---- lanes one by one ------------------------------------------------------------------ */

/* What one lane does, within a line; it counts from the line's start. */
struct single {
    struct line *line;
    unsigned lane;
    int start, size; /* size: of the line */
};

/* Where one lane reaches; false: nobody watches that. `p` is the lane's page before, at `number`. */
static inline bool find_single(const struct look *k, unsigned lane, uint64_t *number,
                               struct page **p, struct single *s)
{
    uint64_t at = k->e->address[lane];
    if (at / PAGE != *number) {
        struct page *there = page_of(k, *number = at / PAGE);
        if (there && (there->step ? !page_cut(&k->r->shadow, there, LINE_SHIFT)
                                  : !page_ready(&k->r->shadow, there, LINE_SHIFT)))
            there = NULL;
        *p = there;
    }
    if (!*p)
        return false;
    const unsigned in = at % PAGE, size = 1u << (*p)->shift;
    *s = (struct single){.line = &(*p)->lines[in >> (*p)->shift],
                         .lane = lane,
                         .start = (int)(in & (size - 1)),
                         .size = (int)size};
    return true;
}

/* Cells that can take it as it is? */
static inline bool single_fits(const struct look *k, const struct single *s)
{
    const struct cells *c = s->line->cells;
    return c && !(c->shift && (s->start | (int)k->e->bytes) & 3);
}

static inline void see_single(const struct look *k, const struct single *s, bool comparing,
                              bool remembering)
{
    struct cells *c = s->line->cells;
    const int end = s->start + (int)k->e->bytes;
    if (single_fits(k, s)) {
        if (comparing)
            compare_bytes(k, c, s->lane, s->start, end);
        if (remembering)
            remember_bytes(k, c, 1u << s->lane, s->start, end);
        return;
    }
    const struct strip strip = {.key = k->key, .warp = k->me, .lanes = 1u << s->lane,
                                .start = (int16_t)s->start, .bytes = (uint16_t)k->e->bytes};
    if (comparing)
        compare_line(k, s->line, s->size, &strip);
    if (remembering)
        remember(k, s->line, s->size, &strip);
}

/* The cells of lanes far apart are rarely at hand: all are asked for before one is waited for. */
static inline void fetch_ahead(const struct look *k, const struct single *s)
{
    const struct cells *c = s->line->cells;
    if (c) {
        __builtin_prefetch(c);
        __builtin_prefetch(&c->at[k->e->bytes < 4 ? s->start : s->start >> 2]);
    }
}

static void see_singles(const struct look *k, uint32_t lanes, bool comparing, bool remembering)
{
    uint64_t number = UINT64_MAX;
    struct page *p = NULL;
    struct single s[WARP];
    unsigned n = 0;
    for (uint32_t left = lanes; left; left &= left - 1)
        if (find_single(k, (unsigned)__builtin_ctz(left), &number, &p, &s[n]))
            __builtin_prefetch(&s[n++].line->cells);
    for (unsigned i = 0; k->e->space == SIM_GLOBAL && i < n; i++)
        fetch_ahead(k, &s[i]);
    for (unsigned i = 0; i < n; i++)
        see_single(k, &s[i], comparing, remembering);
}

/* All lanes at one place together, if there is nothing there that one of them could race with. */
static inline bool pass_group(const struct look *k, const struct single *s, uint32_t lanes)
{
    struct cells *all = s->line->cells;
    const int end = s->start + (int)k->e->bytes;
    const uint32_t alone = lanes & (lanes - 1) ? 0 : lanes;
    if (!single_fits(k, s))
        return false;
    for (int i = s->start >> all->shift; i <= (end - 1) >> all->shift; i++)
        if (!cell_clear(k, all, &all->at[i], alone))
            return false;
    remember_bytes(k, all, lanes, s->start, end);
    return true;
}

/* Lanes of which some reach the same place: a place at a time. */
static void see_groups(const struct look *k)
{
    uint64_t number = UINT64_MAX;
    struct page *p = NULL;
    struct single s;
    uint32_t close = 0; /* lanes to be looked at more closely */
    for (uint32_t left = k->group.first; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (find_single(k, lane, &number, &p, &s) && !pass_group(k, &s, k->group.same[lane]))
            close |= k->group.same[lane];
    }
    see_singles(k, close, true, false);
    see_singles(k, close, false, true);
}

/* ---- all of an access ------------------------------------------------------------------ */

/* A load of which each half of the warp stays within one line of shared memory, as when threads
 * read a tile: no pieces are needed for that. False: it is none. */
static bool see_halves(const struct look *k)
{
    const struct sim_event *e = k->e;
    const uint64_t bytes = (WARP / 2 - 1) * e->step + e->bytes;
    if (!e->halves || e->even || k->writes || e->space != SIM_SHARED || bytes > LINE)
        return false;
    struct line *line[2];
    uint64_t at[2];
    for (int i = 0; i < 2; i++) {
        at[i] = e->address[i * WARP / 2];
        const struct page *p = page_of(k, at[i] / PAGE);
        if (!p || !p->lines || p->shift != LINE_SHIFT || at[i] % LINE + bytes > LINE)
            return false;
        line[i] = &p->lines[at[i] % PAGE / LINE];
    }
    for (int i = 0; i < 2; i++) {
        const uint32_t low = (1u << WARP / 2) - 1;
        const struct strip s = {
            .key = k->key,
            .warp = k->me,
            .lanes = i ? ~low : low,
            .start = (int16_t)((int)(at[i] % LINE) - i * WARP / 2 * (int)e->step),
            .step = (int16_t)e->step,
            .bytes = (uint16_t)e->bytes};
        pass_line(k, line[i], LINE, &s);
    }
    return true;
}

/* All is compared before any of it is remembered, since lanes of one instruction aren't compared
 * with each other here; or all at once, where that makes no difference. */
static void see_pieces(const struct look *k)
{
    const struct sim_event *e = k->e;
    struct race *r = k->r;
    r->pieces = 0;
    r->singles = 0;
    if (e->even)
        add_strip(k, e->mask, e->first, (int64_t)e->step, e->turn);
    else if (e->halves)
        add_halves(k);
    else
        add_runs(k);
    for (unsigned i = 0; i < r->pieces; i++)
        if (!k->at_once || far_apart(&r->piece[i]))
            compare_piece(k, &r->piece[i]);
    if (!k->at_once && !r->pieces) {
        see_groups(k);
        return;
    }
    if (!k->at_once)
        see_singles(k, r->singles, true, false);
    for (unsigned i = 0; i < r->pieces; i++)
        remember_piece(k, &r->piece[i]);
    see_singles(k, r->singles, k->at_once, true);
}

static void see_access(struct race *r, const struct sim_event *e, struct block_state *b)
{
    struct look k;
    bool strong = look_at(r, e, b, &k);
    if (e->space == SIM_CLUSTER && !(k.of = block_of(r, e->owner)))
        return;
    k.settled = e->space == SIM_SHARED && !b->order.cluster ? k.known : 0;
    r->shadow.settled = k.settled;
    if (!see_halves(&k))
        see_pieces(&k);
    if (e->access == SIM_STORE)
        compare_together(&k);
    if (strong)
        pass_word(&k, r->says[e->pc]);
}

/* ---- blocks ---------------------------------------------------------------------------- */

static void free_block(struct race *r, struct block_state *b)
{
    mem_put(from, b->shared, b->shared ? r->shared_pages * sizeof *b->shared : 0);
    mem_put(from, b, sizeof *b);
}

/* Its place among the blocks of its cluster, which the first of them to start makes. */
static void join_cluster(struct race *r, struct block_state *b)
{
    const unsigned *size = r->cluster, blocks = size[0] * size[1] * size[2];
    const uint64_t number = cluster_number(r, b->order.index);
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
                 "barrier of the cluster keeps it", who, verb(side.code), name) < 0)
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
    struct block_state *b = block_of(r, e->block_index);
    for (size_t i = 0; b && b->order.cluster && b->shared && i < r->shared_pages; i++) {
        struct page *p = &b->shared[i];
        if (p->step && !page_cut(&r->shadow, p, LINE_SHIFT))
            continue;
        for (size_t at = 0; p->lines && at < PAGE; at += (size_t)1 << p->shift) {
            const struct line *l = &p->lines[at >> p->shift];
            for (unsigned k = 0; k < 2 && !l->cells; k++) {
                strip_at_end(r, e, b, &l->write[k], i * PAGE + at);
                strip_at_end(r, e, b, &l->read[k], i * PAGE + at);
            }
            if (l->cells)
                cells_at_end(r, e, b, l->cells, i * PAGE + at);
        }
    }
}

static void end_block(struct race *r, uint64_t index)
{
    struct block_state *b = block_of(r, index);
    if (!b)
        return;
    r->blocks = b->next;
    order_block_end(&r->order, &b->order);
    for (size_t i = 0; b->shared && i < r->shared_pages; i++)
        page_clear(&r->shadow, &b->shared[i]);
    mem_put(from, b->copies, b->copies ? r->order.warps * sizeof *b->copies : 0);
    b->copies = NULL;
    b->copied = 0;
    b->next = r->spare;
    r->spare = b;
}

/* ---- a launch -------------------------------------------------------------------------- */

static uint8_t says_what(const struct sim_instruction *i)
{
    const char *t = i->text;
    if ((i->kind == SIM_CLASS_FENCE || i->kind == SIM_CLASS_HIDDEN) &&
        strncmp(chosen_opcode(i), "cp.async", 8) == 0)
        return PC_COPY;
    if (i->kind == SIM_CLASS_FENCE)
        return !strstr(t, "membar") && !strstr(t, "fence.") ? 0
               : strstr(t, ".cta")                          ? PC_FENCE | PC_NARROW
                                                            : PC_FENCE;
    if (i->kind != SIM_CLASS_LOAD && i->kind != SIM_CLASS_STORE && i->kind != SIM_CLASS_ATOMIC)
        return 0;
    t = chosen_opcode(i);
    size_t n = strcspn(t, " ");
    char op[80];
    snprintf(op, sizeof op, "%.*s", (int)(n < sizeof op ? n : sizeof op - 1), t);
    unsigned says = 0;
    says |= strstr(op, ".acquire") ? PC_ACQUIRE | PC_STRONG : 0;
    says |= strstr(op, ".release") ? PC_RELEASE | PC_STRONG : 0;
    says |= strstr(op, ".acq_rel") ? PC_ACQUIRE | PC_RELEASE | PC_STRONG : 0;
    says |= strstr(op, ".relaxed") || strstr(op, ".mmio") ? PC_STRONG : 0;
    says |= strstr(op, ".volatile") ? PC_VOLATILE : 0;
    says |= strstr(op, ".cta") ? PC_NARROW : 0;
    says |= strstr(op, ".cluster") ? PC_CLUSTER : 0;
    return (uint8_t)says;
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
    struct block_state *b = block_of(r, e->block_index);
    struct order *o = &r->order;
    if (!b || o->failed)
        return;
    if (e->kind == SIM_EV_ACCESS) { /* nearly always */
        if (e->space == SIM_SHARED || e->space == SIM_GLOBAL || e->space == SIM_CLUSTER)
            see_access(r, e, b);
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
            know_copies(r, b);
        break;
    case SIM_EV_FENCE:
        if (r->says[e->pc] & PC_COPY)
            see_copies(r, e, b);
        if (r->says[e->pc] & PC_FENCE)
            order_fence(o, &b->order, e->warp, e->mask, scope_of(r->says[e->pc]));
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
