/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counters. Two sources feed them: what each memory instruction touched, seen while the
 * launch runs (requests, sectors, wavefronts), and how often each instruction ran, added up
 * from the tally afterwards.
 *
 * A million-thread kernel comes here for every load and store of every warp, so the common
 * shapes are answered by arithmetic: a full warp whose addresses are evenly spaced covers
 * "all the same", "next to each other" and "every n-th". Whatever else comes is counted by
 * looking, with small arrays on the stack, and remembered: an instruction that asks in an uneven
 * way asks so again and again.
 */
#include "obs/count.h"

#include "base/lanes.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { LANES = 32, BANKS = 32, WORD = 4, SECTOR_SHIFT = 5 };
#define FULL_WARP UINT32_C(0xFFFFFFFF)

const struct counter_name counter_names[] = {
#define X(name) {#name, offsetof(struct counters, name)},
    COUNTERS(X)
#undef X
        {NULL, 0}};

/* ---- evenly spaced addresses ----------------------------------------------------------- */

/* Is each address the same step beyond the one before? The loop has no early exit, so that it is
 * vectorised. */
static bool evenly_spaced(const uint64_t address[LANES], uint64_t *step)
{
    const uint64_t start = address[0], by = address[1] - start;
    uint64_t wrong = 0;
    for (unsigned i = 0; i < LANES; i++)
        wrong |= address[i] ^ (start + i * by);
    *step = by;
    return wrong == 0;
}

/* ---- global memory: sectors ------------------------------------------------------------ */

/* The distinct sectors met so far; `top` is the highest, so rising addresses need no search. */
struct sector_set {
    uint64_t sector[2 * LANES], top;
    unsigned count;
};

static void sector_add(struct sector_set *set, uint64_t sector)
{
    if (set->count && sector <= set->top) {
        for (unsigned i = set->count; i-- > 0;)
            if (set->sector[i] == sector)
                return;
    } else
        set->top = sector;
    set->sector[set->count++] = sector;
}

static unsigned sectors_by_looking(const uint64_t address[LANES], uint32_t mask, unsigned bytes)
{
    struct sector_set set;
    set.count = 0;
    set.top = 0;
    EACH_LANE(lane, mask) {
        uint64_t start = address[lane];
        uint64_t first = start >> SECTOR_SHIFT, last = (start + bytes - 1) >> SECTOR_SHIFT;
        sector_add(&set, first);
        if (last != first)
            sector_add(&set, last);
    }
    return set.count;
}

/* A full warp, evenly spaced from `start` on; 0: that isn't answered here. */
static unsigned sectors_even(uint64_t start, uint64_t step, unsigned bytes)
{
    /* Starts at most a sector apart leave no sector out between the first and the last. */
    uint64_t first = start >> SECTOR_SHIFT;
    uint64_t last = (start + (LANES - 1) * step + bytes - 1) >> SECTOR_SHIFT;
    if (step <= UINT64_C(1) << SECTOR_SHIFT)
        return (unsigned)(last - first + 1);
    /* Farther apart and never across an edge: each lane has a sector to itself. */
    bool aligned = ((start | step) & (bytes - 1)) == 0 && (bytes & (bytes - 1)) == 0;
    return aligned && step < UINT64_C(1) << 40 ? LANES : 0;
}

unsigned count_sectors(const uint64_t address[32], uint32_t mask, unsigned bytes)
{
    uint64_t step = 0;
    bool even = mask == FULL_WARP && evenly_spaced(address, &step);
    unsigned n = even ? sectors_even(address[0], step, bytes) : 0;
    return n ? n : sectors_by_looking(address, mask, bytes);
}

/* ---- shared memory: wavefronts --------------------------------------------------------- */

/* Distinct words bank by bank: a chain of words for each bank, newest first. */
struct bank_set {
    uint64_t word[LANES * 4];
    uint8_t next[LANES * 4]; /* 1 + index, 0 ends the chain */
    uint8_t head[BANKS], depth[BANKS];
    unsigned count, deepest;
};

static void bank_clear(struct bank_set *set)
{
    set->count = set->deepest = 0;
    for (unsigned b = 0; b < BANKS; b++)
        set->head[b] = set->depth[b] = 0;
}

static void bank_add(struct bank_set *set, uint64_t word)
{
    unsigned bank = (unsigned)(word % BANKS);
    for (unsigned i = set->head[bank]; i; i = set->next[i - 1])
        if (set->word[i - 1] == word)
            return;
    set->word[set->count] = word;
    set->next[set->count] = set->head[bank];
    set->head[bank] = (uint8_t)++set->count;
    if (++set->depth[bank] > set->deepest)
        set->deepest = set->depth[bank];
}

static void bank_add_lanes(struct bank_set *set, const uint64_t address[LANES], uint32_t mask,
                           unsigned words)
{
    EACH_LANE(lane, mask)
        for (unsigned w = 0; w < words; w++)
            bank_add(set, address[lane] / WORD + w);
}

/* Does each active lane ask for what the lane `apart` from it asks for, if that is active? */
static bool paired(const uint64_t address[LANES], uint32_t mask, unsigned apart)
{
    EACH_LANE(lane, mask) {
        const unsigned other = lane ^ apart;
        if (mask >> other & 1 && address[lane] != address[other])
            return false;
    }
    return true;
}

/*
 * How many lanes go together: the whole warp with up to one word a lane, half of it with two,
 * a quarter with four. With `merges`, twice as many go together if all neighbours, or all lanes two
 * apart, ask for the same. Loads merge, except for ldmatrix. (An H100 does the same on all 912
 * patterns of tests/h100/wavefronts.txt, and in tests/counts/matrix_rows.cu.)
 */
static unsigned lanes_together(const uint64_t address[LANES], uint32_t mask, unsigned words,
                               bool merges)
{
    unsigned lanes = BANKS / words;
    bool merge = words > 1 && merges && (paired(address, mask, 1) || paired(address, mask, 2));
    return merge ? 2 * lanes : lanes;
}

static struct wavefronts by_looking(const uint64_t address[LANES], uint32_t mask, unsigned words,
                                    bool merges)
{
    struct bank_set group;
    struct wavefronts w = {0, 0, 0};
    unsigned lanes = lanes_together(address, mask, words, merges);
    for (unsigned at = 0; at < LANES; at += lanes) {
        uint32_t part = lanes == LANES ? mask : mask & (((UINT32_C(1) << lanes) - 1) << at);
        if (!part)
            continue;
        bank_clear(&group);
        bank_add_lanes(&group, address, part, words);
        w.ideal++;
        w.wavefronts += group.deepest;
        w.degree = group.deepest > w.degree ? group.deepest : w.degree;
    }
    return w;
}

/* A word a lane at most, no two lanes in one bank: one pass. */
static bool one_lane_a_bank(const uint64_t address[LANES], uint32_t mask)
{
    uint32_t banks = 0;
    EACH_LANE(lane, mask)
        banks |= UINT32_C(1) << (address[lane] / WORD % BANKS);
    return lanes_in(banks) == lanes_in(mask);
}

/*
 * A full warp at a stride of n elements: as many lanes of a group meet in a bank as the
 * largest power of two that divides n, since a group's elements fill the banks exactly; and so
 * they do where the lanes are turned round.
 */
static struct wavefronts strided(uint64_t n, unsigned words)
{
    uint64_t together = n & (0 - n);
    unsigned degree = together < BANKS / words ? (unsigned)together : BANKS / words;
    return (struct wavefronts){words * degree, words, degree};
}

static struct wavefronts wavefronts(const uint64_t address[LANES], uint32_t mask, unsigned bytes,
                                    bool merges, bool even, uint64_t step)
{
    unsigned words = bytes <= 4 ? 1 : bytes <= 8 ? 2 : 4;
    if (!mask)
        return (struct wavefronts){0, 0, 0};
    if (!(mask & (mask - 1))) /* one lane */
        return (struct wavefronts){1, 1, 1};
    if (even && step) {
        if (step == bytes)
            return (struct wavefronts){words, words, 1};
        if (((address[0] | step) & (words * WORD - 1)) == 0)
            return strided(step / (words * WORD), words);
    }
    if (words == 1 && one_lane_a_bank(address, mask))
        return (struct wavefronts){1, 1, 1};
    return by_looking(address, mask, words, merges);
}

struct wavefronts count_wavefronts(const uint64_t address[32], uint32_t mask, unsigned bytes,
                                   bool store)
{
    uint64_t step = 0;
    bool even = mask == FULL_WARP && evenly_spaced(address, &step);
    return wavefronts(address, mask, bytes, !store, even, step);
}

/* ---- patterns that come again ---------------------------------------------------------- */

/* How the lanes of an instruction lay, from lane 0 on, and what it cost. */
struct pattern {
    struct counters once; /* what each like its last access that repeats costs */
    uint64_t apart[LANES]; /* of the last uneven one */
    uint32_t mask;
    unsigned bytes; /* a lane; what copies a part of its bytes may take more next time */
    unsigned phase; /* of lane 0, within a word or a sector: all that its place matters */
    unsigned sectors;
    struct wavefronts wavefronts;
};

static bool comes_again(const struct pattern *p, const struct sim_at *at,
                        const struct sim_access *a, unsigned phase)
{
    uint64_t other = 0;
    if (p->mask != at->mask || p->bytes != a->bytes || p->phase != phase)
        return false;
    for (unsigned i = 0; i < LANES; i++)
        other |= (a->address[i] - a->address[0]) ^ p->apart[i];
    return other == 0;
}

static void remember(struct pattern *p, const struct sim_at *at, const struct sim_access *a,
                     unsigned phase)
{
    for (unsigned i = 0; i < LANES; i++)
        p->apart[i] = a->address[i] - a->address[0];
    p->mask = at->mask;
    p->bytes = a->bytes;
    p->phase = phase;
}

/* ---- the observer ---------------------------------------------------------------------- */

static struct wavefronts wavefronts_of(const struct sim_at *at, const struct sim_access *a,
                                       struct pattern *p)
{
    unsigned phase = (unsigned)(a->address[0] % WORD);
    if (p && comes_again(p, at, a, phase))
        return p->wavefronts;
    struct wavefronts w = wavefronts(a->address, at->mask, a->bytes,
                                     a->kind == SIM_LOAD && !at->code->rows, a->even, a->step);
    if (p) {
        remember(p, at, a, phase);
        p->wavefronts = w;
    }
    return w;
}

static void see_shared(struct counters *c, const struct sim_at *at, const struct sim_access *a,
                       struct pattern *p)
{
    bool told = at->code->space == SIM_SHARED; /* as the profiler counts: only of LDS and STS */
    if (a->kind == SIM_ATOMIC || a->kind == SIM_REDUCE) {
        c->shared_atomic_requests += told;
        c->shared_atomics += lanes_in(at->mask);
        return;
    }
    struct wavefronts w = wavefronts_of(at, a, p);
    unsigned conflicts = w.wavefronts - w.ideal;
    if (a->kind == SIM_LOAD) {
        c->shared_load_requests += told && !at->code->rows; /* LDSM has none either */
        c->shared_load_wavefronts += w.wavefronts;
        c->shared_load_conflicts += conflicts;
    } else {
        c->shared_store_requests += told;
        c->shared_store_wavefronts += w.wavefronts;
        c->shared_store_conflicts += conflicts;
    }
}

static unsigned sectors_of(const struct sim_at *at, const struct sim_access *a,
                           struct pattern *p)
{
    unsigned n = a->even ? sectors_even(a->first, a->step, a->bytes) : 0;
    unsigned phase = (unsigned)(a->address[0] % (1u << SECTOR_SHIFT));
    if (n)
        return n;
    if (p && comes_again(p, at, a, phase))
        return p->sectors;
    n = sectors_by_looking(a->address, at->mask, a->bytes);
    if (p) {
        remember(p, at, a, phase);
        p->sectors = n;
    }
    return n;
}

static void see_global(struct counters *c, const struct sim_at *at, const struct sim_access *a,
                       struct pattern *p)
{
    if (a->kind == SIM_ATOMIC || a->kind == SIM_REDUCE) {
        c->global_atomic_requests++;
        c->global_atomics += lanes_in(at->mask);
    } else if (a->kind == SIM_LOAD) {
        c->global_load_requests++;
        c->global_load_sectors += sectors_of(at, a, p);
    } else {
        c->global_store_requests++;
        c->global_store_sectors += sectors_of(at, a, p);
    }
}

/* A word of all lanes is one request; what a function is given, and gives, lies in registers. */
static void see_local(struct counters *c, const struct sim_at *at, const struct sim_access *a)
{
    unsigned words = at->code->space == SIM_PARAM ? 0 : (a->bytes + WORD - 1) / WORD;
    if (a->kind == SIM_LOAD)
        c->local_load_requests += words;
    else
        c->local_store_requests += words;
}

/* p may be NULL: then nothing is remembered. An instruction may access memory several times; only
 * the first time counts, as in the tally. */
static void count_access(struct counters *c, const struct sim_at *at,
                         const struct sim_access *a, struct pattern *p)
{
    const enum sim_class kind = at->code->kind;
    /* These counters were not measured for mbarriers and bulk copies. */
    if (kind == SIM_CLASS_HIDDEN || kind == SIM_CLASS_MBARRIER || kind == SIM_CLASS_BULK)
        return;
    switch (a->space) {
    case SIM_SHARED: see_shared(c, at, a, p); break;
    case SIM_GLOBAL: see_global(c, at, a, p); break;
    case SIM_CONST: c->constant_load_requests++; break;
    case SIM_LOCAL: see_local(c, at, a); break;
    default: break; /* parameters come with the launch and cost no request */
    }
}

static void see_access(void *self, const struct sim_at *at, const struct sim_access *a)
{
    if (at->mask)
        count_access(self, at, a, NULL);
}

static void begin_counts(void *self, const struct sim_begin *b)
{
    (void)b;
    *(struct counters *)self = (struct counters){0};
}

static void *split_counts(void *self)
{
    (void)self;
    return mem_alloc(&allocator_libc, sizeof(struct counters));
}

static void join_counts(void *self, void *part, bool counts)
{
    if (counts)
        counters_add(self, part);
    mem_free(&allocator_libc, part, sizeof(struct counters));
}

struct sim_observer count_observer(struct counters *c)
{
    static const struct sim_hooks hooks = {
        SIM_HOOKS, .begin = begin_counts, .load = see_access, .store = see_access,
        .atomic = see_access, .split = split_counts, .join = join_counts};
    return (struct sim_observer){&hooks, c};
}

/* ---- the tally ------------------------------------------------------------------------- */

static void tally_one(struct counters *c, const struct sim_instruction *i,
                      const struct sim_tally *t)
{
    const enum sim_class kind = i->kind;
    if (kind == SIM_CLASS_HIDDEN || i->part)
        return;
    c->warp_instructions += t->warps;
    c->thread_instructions += t->lanes;
    c->guarded_off += t->off;
    c->absent += t->absent;
    if (kind == SIM_CLASS_BRANCH) {
        c->branches += t->warps;
        c->divergent_branches += t->diverged;
    } else if (kind == SIM_CLASS_BARRIER)
        c->barriers += t->warps;
    else if (kind == SIM_CLASS_SHUFFLE)
        c->shuffles += t->warps;
    else if (kind == SIM_CLASS_TEXTURE)
        c->texture_requests += t->warps;
}

void count_tally(struct counters *c, const struct sim_result *r)
{
    for (uint32_t pc = 0; pc < r->code_count; pc++)
        tally_one(c, &r->code[pc], &r->tally[pc]);
}

/* ---- adding up ------------------------------------------------------------------------- */

static void counters_add_times(struct counters *to, const struct counters *from, uint64_t times)
{
    if (!times)
        return;
#define X(name) to->name += times * from->name;
    COUNTERS(X)
#undef X
    to->guarded_off += times * from->guarded_off;
    to->absent += times * from->absent;
}

/* ---- by instruction -------------------------------------------------------------------- */

void counters_add(struct counters *to, const struct counters *from)
{
    counters_add_times(to, from, 1);
}

/* NULL: no room for it, and so for no counters at all. */
static struct pattern *pattern_at(struct count_each *c, uint32_t pc)
{
    if (!c->last[pc])
        c->last[pc] = arena_alloc(c->memory, sizeof **c->last);
    if (!c->last[pc])
        c->each = NULL;
    return c->last[pc];
}

static void begin_each(void *self, const struct sim_begin *b)
{
    struct count_each *c = self;
    c->count = b->code_count;
    c->each = arena_alloc(c->memory, b->code_count * sizeof *c->each);
    c->last = arena_alloc(c->memory, b->code_count * sizeof *c->last);
    c->seen = arena_alloc(c->memory, b->code_count * sizeof *c->seen);
    if (!c->last || !c->seen)
        c->each = NULL;
}

/* Even addresses are quickly counted; generic ones may lead elsewhere next time. */
static void see_each(void *self, const struct sim_at *at, const struct sim_access *a)
{
    struct count_each *c = self;
    bool fixed = at->code->space == SIM_SHARED || at->code->space == SIM_GLOBAL;
    struct pattern *p = c->each && fixed ? pattern_at(c, at->pc) : NULL;
    struct pattern *uneven = a->even ? NULL : p;
    if (!c->each)
        return;
    c->seen[at->pc] = true;
    if (!a->repeats) {
        count_access(&c->each[at->pc], at, a, uneven);
        return;
    }
    memset(&p->once, 0, sizeof p->once);
    count_access(&p->once, at, a, uneven);
    counters_add(&c->each[at->pc], &p->once);
}

static void see_repeated(void *self, uint32_t pc, uint64_t times)
{
    struct count_each *c = self;
    if (c->each && c->last[pc])
        counters_add_times(&c->each[pc], &c->last[pc]->once, times);
}

/* The counts of a part have memory of their own. */
struct count_part {
    struct count_each each;
    struct arena memory;
};

static void *split_each(void *self)
{
    struct count_part *part = mem_alloc(&allocator_libc, sizeof *part);
    (void)self;
    if (part)
        part->each.memory = &part->memory;
    return part;
}

static bool has_room(const void *self)
{
    return ((const struct count_each *)self)->each != NULL;
}

static void join_each(void *self, void *part, bool counts)
{
    struct count_each *c = self;
    struct count_part *p = part;
    for (uint32_t pc = 0; counts && c->each && pc < c->count; pc++)
        if (p->each.seen[pc])
            counters_add(&c->each[pc], &p->each.each[pc]);
    arena_free(&p->memory);
    mem_free(&allocator_libc, p, sizeof *p);
}

struct sim_observer count_each_observer(struct count_each *c)
{
    static const struct sim_hooks hooks = {
        SIM_HOOKS, .begin = begin_each, .load = see_each, .store = see_each, .atomic = see_each,
        .repeated = see_repeated, .alike = 1u << SECTOR_SHIFT,
        .alike_shared = WORD, .split = split_each, .clean = has_room, .join = join_each};
    return (struct sim_observer){&hooks, c};
}

void count_each_tally(struct count_each *c, const struct sim_result *r, struct counters *all)
{
    for (uint32_t pc = 0; c->each && pc < r->code_count && pc < c->count; pc++) {
        tally_one(&c->each[pc], &r->code[pc], &r->tally[pc]);
        counters_add(all, &c->each[pc]);
    }
}
