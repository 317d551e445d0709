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
#include "obs/order.h"
#include "obs/shadow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIECES = 160, HINTS = 64 };
#define ALL_LANES 0xffffffffu

/* What the text of an instruction says about it. */
enum {
    PC_FENCE = 1,
    PC_ACQUIRE = 2,
    PC_RELEASE = 4,
    PC_STRONG = 8,
    PC_VOLATILE = 16,
    PC_NARROW = 32 /* the fence, or what comes with it, is for the block alone */
};

struct block_state {
    struct block_order order;
    struct block_state *next;
    struct line *shared;
};

/* A part of an access within one line. */
struct piece {
    struct line *line;
    struct strip strip;
};

struct race {
    struct findings *out;
    bool strict, off; /* off: more warps or code than there are numbers for */
    struct order order;
    struct shadow shadow;
    struct chosen chosen;
    const struct sim_instruction *code;
    uint8_t *says; /* of each instruction */
    uint32_t code_count;
    unsigned grid[3], block_size[3], cluster[3], threads;
    size_t shared_lines;
    struct block_state *blocks, *spare;
    struct {
        uint64_t number;
        struct line *line;
    } hint[HINTS]; /* by line number: lines of global memory found last */
    /* of the access that is looked at */
    struct piece piece[MOST_PIECES];
    unsigned pieces;
};

/* One access, with all that is asked of it again and again. */
struct look {
    struct race *r;
    const struct sim_event *e;
    struct block_state *b, *of; /* of: whose shared memory it is, its own as a rule */
    struct warp_order *w;
    bool writes, atomic; /* atomic: no race with another such one */
    mark_key key, known, full; /* this access; up to where the block and the warp are known */
};

static const struct allocator *const from = &allocator_libc;

/* ---- what is found --------------------------------------------------------------------- */

/* An earlier access of a lane, or of the same instruction. */
struct earlier {
    mark_key key;
    uint32_t warp;
    unsigned lane;
};

static const char *verb(const struct sim_instruction *i)
{
    return i->kind == SIM_CLASS_LOAD ? "reads" : i->kind == SIM_CLASS_STORE ? "writes" : "updates";
}

static void tell(const struct look *k, struct sim_fault *f, unsigned lane, const struct earlier *o,
                 const char *other_verb)
{
    bool apart = memcmp(f->at.block, f->other.block, sizeof f->at.block) != 0;
    bool warp = o->warp - k->b->order.first_warp == k->e->warp;
    bool both = strcmp(verb(k->e->code), other_verb) == 0;
    char name[FINDING_NAME], who[64], whom[64];
    finding_name(k->e->run, k->e->space, k->e->address[lane], k->e->bytes, f, name);
    if (k->of != k->b)
        finding_owner(k->r->grid, k->of->order.index, name);
    finding_who(&f->at, apart, who);
    finding_who(&f->other, apart, whom);
    int n;
    if (o->key == 0)
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

/* Key 0: both by this very instruction. */
static void found(const struct look *k, unsigned lane, const struct earlier *o)
{
    struct race *r = k->r;
    uint32_t warps = r->order.warps;
    struct finding_side at = {.code = k->e->code};
    struct finding_side other = {.code = o->key ? &r->code[mark_pc(o->key)] : k->e->code};
    bool fresh;
    memcpy(at.block, k->e->block, sizeof at.block);
    finding_thread(r->block_size, k->e->warp * WARP + lane, at.thread);
    finding_block(r->grid, o->warp / warps, other.block);
    finding_thread(r->block_size, o->warp % warps * WARP + o->lane, other.thread);
    struct sim_fault *f =
        findings_add(r->out, k->e->space == SIM_GLOBAL ? SIM_RACE_GLOBAL : SIM_RACE_SHARED, &at,
                     &other, k->e->when, &fresh);
    if (f && fresh)
        tell(k, f, lane, o, verb(other.code));
}

/* ---- comparing ------------------------------------------------------------------------- */

/* Ordered before all that this warp does now? No for "one would have to look more closely". */
static bool quick(const struct look *k, mark_key key, uint32_t warp)
{
    uint32_t there = warp - k->b->order.first_warp;
    if (there >= k->r->order.warps)
        return false;
    return key <= k->known || (there == k->e->warp && key <= k->full);
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
        if (memcmp(there + (size_t)i * e->stored_bytes,
                   (const unsigned char *)e->stored[i] + (size_t)lane * e->stored_row,
                   e->stored_bytes) != 0)
            return false;
    return true;
}

static bool by_writing(const struct look *k, mark_key key)
{
    enum sim_class kind = k->r->code[mark_pc(key)].kind;
    return kind == SIM_CLASS_STORE || (kind == SIM_CLASS_ATOMIC && k->r->strict);
}

/* This lane against one earlier lane that touched the same bytes; true where they race. */
static bool races(const struct look *k, unsigned lane, const struct earlier *o)
{
    const struct deed d = {o->warp, o->lane, mark_time(o->key)};
    if (o->warp - k->b->order.first_warp == k->e->warp && o->lane == lane)
        return false;
    if (order_known(&k->r->order, &k->b->order, k->e->warp, lane, &d))
        return false;
    if (k->writes && by_writing(k, o->key) && stores_same(k, lane))
        return false;
    if (chosen_only(&k->r->chosen, k->e->pc) || chosen_only(&k->r->chosen, mark_pc(o->key)))
        return false;
    found(k, lane, o);
    return true;
}

static void compare_lanes(const struct look *k, const struct strip *now, const struct strip *old)
{
    for (uint32_t left = now->lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left), at = strip_at(now, lane);
        if (at < 0 || at >= LINE)
            continue;
        for (uint32_t rest = old->lanes; rest; rest &= rest - 1) {
            int other = __builtin_ctz(rest), there = strip_at(old, other);
            const struct earlier o = {old->key, old->warp, (unsigned)other};
            if (at < there + old->bytes && there < at + now->bytes && races(k, (unsigned)lane, &o))
                break;
        }
    }
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

static void compare(const struct look *k, const struct strip *now, const struct strip *old)
{
    int lo, hi, old_lo, old_hi;
    if (strip_range(now, &lo, &hi) && strip_range(old, &old_lo, &old_hi) && hi > old_lo &&
        old_hi > lo)
        compare_lanes(k, now, old);
}

static bool compare_mark(const struct look *k, unsigned lane, const struct mark *m)
{
    if (!m->key || (k->atomic && mark_atomic(m->key)) || quick(k, m->key, m->warp))
        return false;
    for (uint32_t left = m->lanes; left; left &= left - 1) {
        const struct earlier o = {m->key, m->warp, (unsigned)__builtin_ctz(left)};
        if (races(k, lane, &o))
            return true;
    }
    return false;
}

static void compare_cells(const struct look *k, const struct line *l, const struct strip *s)
{
    for (uint32_t left = s->lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left), at = strip_at(s, lane), end = at + s->bytes;
        bool bad = at < 0;
        for (; !bad && at < end && at < LINE; at += l->unit) {
            const struct cell *c = &l->cells[at / l->unit];
            bad = compare_mark(k, (unsigned)lane, &c->write);
            for (int i = 0; i < 2 && k->writes && !bad; i++)
                bad = compare_mark(k, (unsigned)lane, &c->read[i]);
        }
    }
}

static inline bool matters(const struct look *k, const struct strip *now, const struct strip *old)
{
    return old->key && !(k->atomic && mark_atomic(old->key)) && !quick(k, old->key, old->warp) &&
           !each_its_own(now, old);
}

static inline void compare_line(const struct look *k, const struct line *l, const struct strip *s)
{
    if (l->cells) {
        compare_cells(k, l, s);
        return;
    }
    for (int i = 0; i < 2; i++) {
        if (matters(k, s, &l->write[i]))
            compare(k, s, &l->write[i]);
        if (k->writes && matters(k, s, &l->read[i]))
            compare(k, s, &l->read[i]);
    }
}

static inline void remember(const struct look *k, struct line *l, const struct strip *s)
{
    if (k->writes)
        line_write(&k->r->shadow, l, s);
    else
        line_read(&k->r->shadow, l, s);
}

/* ---- lanes of one store at one address ------------------------------------------------- */

static bool lanes_differ(const struct sim_event *e, unsigned a, unsigned b)
{
    for (unsigned i = 0; i * e->stored_bytes < e->bytes; i++) {
        const unsigned char *row = e->stored[i];
        if (memcmp(row + (size_t)a * e->stored_row, row + (size_t)b * e->stored_row,
                   e->stored_bytes) != 0)
            return true;
    }
    return false;
}

/* Accesses are aligned and of one size: they overlap only where they are equal. */
static void compare_together(const struct look *k)
{
    const struct sim_event *e = k->e;
    uint64_t met = 0;
    bool twice = false;
    for (uint32_t left = e->mask; left; left &= left - 1) {
        uint64_t bit = UINT64_C(1) << (e->address[__builtin_ctz(left)] / e->bytes % 64);
        twice |= (met & bit) != 0;
        met |= bit;
    }
    for (uint32_t left = twice && e->stored_bytes ? e->mask : 0; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (uint32_t rest = e->mask & ((1u << lane) - 1); rest; rest &= rest - 1) {
            unsigned other = (unsigned)__builtin_ctz(rest);
            const struct earlier o = {0, k->b->order.first_warp + e->warp, other};
            if (e->address[lane] != e->address[other] ||
                (!k->r->strict && !lanes_differ(e, lane, other)))
                continue;
            found(k, lane, &o);
            break;
        }
    }
}

/* ---- cutting an access into pieces ----------------------------------------------------- */

static struct line *line_of(const struct look *k, uint64_t number)
{
    struct race *r = k->r;
    if (k->e->space != SIM_GLOBAL)
        return k->of->shared && number < r->shared_lines ? &k->of->shared[number] : NULL;
    unsigned at = number % HINTS;
    if (!r->hint[at].line || r->hint[at].number != number) {
        r->hint[at].line = shadow_line(&r->shadow, number);
        r->hint[at].number = number;
    }
    return r->hint[at].line;
}

/* What a strip does in one line, where its lane 0 is at `start`. */
static inline void add_piece(const struct look *k, uint64_t number, struct strip s, uint64_t start)
{
    struct race *r = k->r;
    struct line *line = line_of(k, number);
    if (!line || r->pieces == MOST_PIECES)
        return;
    s.start = (int16_t)(start - number * LINE);
    r->piece[r->pieces++] = (struct piece){line, s};
}

/* Lanes at start + (lane + turn) % 32 * step; turned only where all take part. */
static void add_strip(const struct look *k, uint32_t lanes, uint64_t start, int64_t step,
                      unsigned turn)
{
    const uint64_t *a = k->e->address;
    unsigned first = (unsigned)__builtin_ctz(lanes), last = 31 - (unsigned)__builtin_clz(lanes);
    struct strip s = {.key = k->key,
                      .warp = k->b->order.first_warp + k->e->warp,
                      .bytes = (uint16_t)k->e->bytes};
    if (step >= LINE || step <= -LINE) {
        for (uint32_t left = lanes; left; left &= left - 1) {
            uint64_t at = a[__builtin_ctz(left)];
            s.lanes = left & (0 - left);
            add_piece(k, at / LINE, s, at);
        }
        return;
    }
    s.lanes = lanes;
    s.step = (int16_t)step;
    s.turn = (uint16_t)turn;
    uint64_t lo = start + (uint64_t)(first * step), hi = start + (uint64_t)(last * step);
    uint64_t top = (step < 0 ? lo : hi) + k->e->bytes - 1;
    for (uint64_t number = (step < 0 ? hi : lo) / LINE; number <= top / LINE; number++)
        add_piece(k, number, s, start);
}

static void add_halves(const struct look *k)
{
    const uint64_t *a = k->e->address, step = k->e->step;
    const uint32_t low = (1u << WARP / 2) - 1;
    add_strip(k, low, a[0], (int64_t)step, 0);
    add_strip(k, ~low, a[WARP / 2] - WARP / 2 * step, (int64_t)step, 0);
}

/* Runs of evenly spaced lanes, from the first on, as long as they go. */
static void add_runs(const struct look *k)
{
    const uint64_t *a = k->e->address;
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

/* Each address once: what the lanes leave there, and what they take from there. */
static void pass_word(const struct look *k, uint8_t says)
{
    const struct sim_event *e = k->e;
    struct race *r = k->r;
    bool gives = k->writes && (k->w->fences[FOR_BLOCK].lanes & e->mask || k->b->order.passes_on ||
                               says & PC_RELEASE);
    bool takes = (e->access == SIM_LOAD || e->access == SIM_ATOMIC) && r->order.place_count;
    for (uint32_t left = gives || takes ? e->mask : 0; left;) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t same = 0;
        for (uint32_t rest = left; rest; rest &= rest - 1)
            same |= (uint32_t)(e->address[__builtin_ctz(rest)] == e->address[lane])
                    << __builtin_ctz(rest);
        if (takes)
            order_acquire(&r->order, &k->b->order, e->warp, same, place_of(k, lane),
                          e->access == SIM_LOAD && !(says & PC_ACQUIRE));
        if (gives)
            order_release(&r->order, &k->b->order, e->warp, same, place_of(k, lane),
                          says & PC_RELEASE ? scope_of(says) : FOR_NOBODY);
        left &= ~same;
    }
}

static bool look_at(struct race *r, const struct sim_event *e, struct block_state *b,
                    struct look *k)
{
    uint8_t says = r->says[e->pc];
    struct warp_order *w = &b->order.warps[e->warp];
    bool update = e->access == SIM_ATOMIC || e->access == SIM_REDUCE;
    *k = (struct look){.r = r, .e = e, .b = b, .of = b, .w = w, .writes = e->access != SIM_LOAD};
    k->atomic = update || says & PC_STRONG ||
                (says & PC_VOLATILE &&
                 (e->access == SIM_LOAD || b->order.passes_on ||
                  (e->mask & ~w->fences[FOR_BLOCK].lanes) == 0));
    k->key = mark_make(r->order.now, e->pc, k->atomic);
    k->known = mark_make(b->order.known + 1, 0, 0) - 1;
    k->full = mark_make(w->full + 1, 0, 0) - 1;
    return update || says & (PC_STRONG | PC_VOLATILE);
}

/* A column of shared memory, one lane a line at the same place of each: no pieces are needed to
 * know where they are. False: it is none. */
static bool see_column(const struct look *k)
{
    const struct sim_event *e = k->e;
    uint64_t apart = e->step / LINE, number = e->first / LINE;
    if (!e->even || e->space != SIM_SHARED || e->step % LINE || !apart || !k->b->shared ||
        apart >= k->r->shared_lines || number + (WARP - 1) * apart >= k->r->shared_lines)
        return false;
    struct line *line = k->b->shared + number;
    struct strip s = {.key = k->key,
                      .warp = k->b->order.first_warp + e->warp,
                      .start = (int16_t)(e->first % LINE),
                      .bytes = (uint16_t)e->bytes};
    for (unsigned i = 0; i < WARP; i++) {
        s.lanes = 1u << (i - e->turn) % WARP;
        compare_line(k, line + i * apart, &s);
    }
    for (unsigned i = 0; i < WARP; i++) {
        s.lanes = 1u << (i - e->turn) % WARP;
        remember(k, line + i * apart, &s);
    }
    return true;
}

/* Each half of a warp within one line of shared memory, as when threads read a tile: no pieces are
 * needed for that either. False: they are not so. */
static bool see_halves(const struct look *k)
{
    const struct sim_event *e = k->e;
    const uint64_t bytes = (WARP / 2 - 1) * e->step + e->bytes;
    if (!e->halves || e->even || e->space != SIM_SHARED || !k->b->shared || bytes > LINE)
        return false;
    const uint64_t at = e->address[0], on = e->address[WARP / 2], lines = k->r->shared_lines;
    if (at % LINE + bytes > LINE || on % LINE + bytes > LINE || at / LINE >= lines ||
        on / LINE >= lines)
        return false;
    struct strip low = {.key = k->key,
                        .warp = k->b->order.first_warp + e->warp,
                        .lanes = (1u << WARP / 2) - 1,
                        .start = (int16_t)(at % LINE),
                        .step = (int16_t)e->step,
                        .bytes = (uint16_t)e->bytes};
    struct strip high = low;
    high.lanes = ~low.lanes;
    high.start = (int16_t)(on % LINE - WARP / 2 * e->step);
    struct line *first = k->b->shared + at / LINE, *second = k->b->shared + on / LINE;
    compare_line(k, first, &low);
    compare_line(k, second, &high);
    remember(k, first, &low);
    remember(k, second, &high);
    return true;
}

static void see_pieces(const struct look *k)
{
    const struct sim_event *e = k->e;
    struct race *r = k->r;
    r->pieces = 0;
    if (e->even)
        add_strip(k, e->mask, e->first, (int64_t)e->step, e->turn);
    else if (e->halves)
        add_halves(k);
    else
        add_runs(k);
    for (unsigned i = 0; i < r->pieces; i++)
        compare_line(k, r->piece[i].line, &r->piece[i].strip);
    for (unsigned i = 0; i < r->pieces; i++)
        remember(k, r->piece[i].line, &r->piece[i].strip);
}

static void see_access(struct race *r, const struct sim_event *e, struct block_state *b)
{
    struct look k;
    bool strong = look_at(r, e, b, &k);
    if (e->space == SIM_CLUSTER && !(k.of = block_of(r, e->owner)))
        return;
    if (!see_column(&k) && !see_halves(&k))
        see_pieces(&k);
    if (e->access == SIM_STORE && (!e->even || e->step == 0))
        compare_together(&k);
    if (strong)
        pass_word(&k, r->says[e->pc]);
}

/* ---- blocks ---------------------------------------------------------------------------- */

static void free_block(struct race *r, struct block_state *b)
{
    for (size_t i = 0; b->shared && i < r->shared_lines; i++)
        line_clear(&r->shadow, &b->shared[i]);
    mem_put(from, b->shared, b->shared ? r->shared_lines * sizeof *b->shared : 0);
    mem_put(from, b, sizeof *b);
}

/* Its place among the blocks of its cluster, which the first of them to start makes. */
static void join_cluster(struct race *r, struct block_state *b)
{
    const unsigned *size = r->cluster, blocks = size[0] * size[1] * size[2];
    unsigned at[3];
    finding_block(r->grid, b->order.index, at);
    uint64_t across = r->grid[0] / size[0], down = r->grid[1] / size[1];
    uint64_t number = at[0] / size[0] + across * (at[1] / size[1] + down * (at[2] / size[2]));
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
    else if ((b = mem_get(from, sizeof *b)) && r->shared_lines)
        b->shared = mem_get(from, r->shared_lines * sizeof *b->shared);
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
}

static void strip_at_end(struct race *r, const struct sim_event *e, const struct block_state *b,
                         const struct strip *s, uint64_t line)
{
    if (!s->key || !s->lanes)
        return;
    const struct earlier o = {s->key, s->warp, (unsigned)__builtin_ctz(s->lanes)};
    look_at_end(r, e, b, &o, line + (uint64_t)strip_at(s, (int)o.lane));
}

static void cells_at_end(struct race *r, const struct sim_event *e, const struct block_state *b,
                         const struct line *l, uint64_t line)
{
    for (unsigned at = 0; at < LINE; at += l->unit) {
        const struct cell *c = &l->cells[at / l->unit];
        const struct mark *marks[] = {&c->write, &c->read[0], &c->read[1]};
        for (unsigned i = 0; i < 3; i++)
            if (marks[i]->key && marks[i]->lanes) {
                const struct earlier o = {marks[i]->key, marks[i]->warp,
                                          (unsigned)__builtin_ctz(marks[i]->lanes)};
                look_at_end(r, e, b, &o, line + at);
            }
    }
}

static void see_end(struct race *r, const struct sim_event *e)
{
    struct block_state *b = block_of(r, e->block_index);
    for (size_t i = 0; b && b->order.cluster && b->shared && i < r->shared_lines; i++) {
        const struct line *l = &b->shared[i];
        for (unsigned k = 0; k < 2 && !l->cells; k++) {
            strip_at_end(r, e, b, &l->write[k], i * LINE);
            strip_at_end(r, e, b, &l->read[k], i * LINE);
        }
        if (l->cells)
            cells_at_end(r, e, b, l, i * LINE);
    }
}

static void end_block(struct race *r, uint64_t index)
{
    struct block_state *b = block_of(r, index);
    if (!b)
        return;
    r->blocks = b->next;
    order_block_end(&r->order, &b->order);
    for (size_t i = 0; b->shared && i < r->shared_lines; i++)
        line_clear(&r->shadow, &b->shared[i]);
    b->next = r->spare;
    r->spare = b;
}

/* ---- a launch -------------------------------------------------------------------------- */

static uint8_t says_what(const struct sim_instruction *i)
{
    const char *t = i->text;
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
    r->shared_lines = (e->shared_bytes + LINE - 1) / LINE;
    r->says = mem_get(from, e->count + 1);
    r->off = !r->says || e->count >= 1u << PC_BITS || blocks > UINT32_MAX ||
             blocks * e->grid[2] > UINT32_MAX / warps;
    for (uint32_t i = 0; !r->off && i < e->count; i++)
        r->says[i] = says_what(&e->code[i]);
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
    case SIM_EV_SYNC: order_sync(o, &b->order, e->warp, e->mask, existing(r, e->warp)); break;
    case SIM_EV_ARRIVE:
        if (!e->whole)
            order_arrive(o, &b->order, e->warp, e->barrier);
        break;
    case SIM_EV_BARRIER: order_barrier(o, &b->order, e->warp, e->barrier, e->whole); break;
    case SIM_EV_FENCE:
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

struct race *race_open(bool strict, struct findings *out)
{
    struct race *r = mem_get(from, sizeof *r);
    if (r) {
        r->strict = strict;
        r->out = out;
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
