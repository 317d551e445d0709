/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This observer watches a launch for what its time depends on.
 *
 * A watched block has a timeline of its own, in cycles. It is kept twice: once as if all sectors that
 * L1 lacks came from L2, once as if they came from memory. How many really do is known only when the
 * launch has ended.
 */
#include "obs/cost.h"

#include "base/lanes.h"
#include "obs/count.h"

#include <string.h>

enum {
    LANES = 32, SECTOR = 32, LINE = 128, LINE_SECTORS = LINE / SECTOR,
    WAYS = 4, /* of a set of L1: assumed, since NVIDIA does not publish it. With 2, 8 or 16 ways, at
               * most 7 of the 375 times of tests/modelled.t change, and none by more than 15 % */
    STEPS_MOST = 1 << 15, /* warp instructions of a watched block; each warp has its part of them */
    PLACES = 1024         /* counters of atomics; an address has one by its hash */
};

/* ---- a block that is watched ------------------------------------------------------------- */

struct cost_warp {
    float segment[COST_FROMS]; /* when the straight piece of code began that it is in */
    float order[COST_FROMS];   /* a load does not begin before the last store */
    float latest[COST_FROMS];  /* when its last instruction began */
    float issued;              /* instructions of this piece */
    uint32_t steps;            /* instructions that were watched */
};

struct cost_set {
    uint64_t line[WAYS]; /* 1 + its number, the one used last first; 0: none */
    uint8_t sectors[WAYS];
};

/* A block: its warps, when the values of their registers are ready, and its part of L1. */
struct cost_block {
    uint64_t index;
    unsigned number; /* of the sample */
    unsigned cut;    /* warps that were too long */
    struct cost_warp *warps;
    float *ready; /* [warp][register][COST_FROMS] */
    float arrived[COST_FROMS]; /* the last warp at a barrier */
    float waits[COST_FROMS];   /* of the access that the next instruction is about */
    struct cost_set *sets;
    struct cost_block *next;
};

struct cost {
    struct cost_card card;
    uint64_t blocks, local_bytes, longest; /* longest: steps of a block */
    unsigned warps, set_count;
    uint32_t code_count, registers;
    uint8_t *kind; /* by pc: 1 + enum cost_kind; 0: not looked up */
    struct byte_set read, written; /* sectors by their numbers */
    uint32_t *lanes;               /* PLACES counters of atomics */
    uint64_t atomic_places, load_lines, constant_words;
    struct cost_sample samples[COST_BLOCKS];
    struct cost_block *watched; /* those that run now */
    bool lost;
    bool children; /* blocks of child grids run now, which are not watched */
};

static void *take(struct cost *c, size_t n, size_t size)
{
    void *p = mem_alloc(&allocator_libc, n * size);
    c->lost |= !p;
    return p;
}

static size_t ready_size(const struct cost *c)
{
    return (size_t)c->warps * c->registers * COST_FROMS * sizeof(float);
}

static void block_free(const struct cost *c, struct cost_block *b)
{
    mem_free(&allocator_libc, b->warps, b->warps ? c->warps * sizeof *b->warps : 0);
    mem_free(&allocator_libc, b->ready, b->ready ? ready_size(c) : 0);
    mem_free(&allocator_libc, b->sets, b->sets ? c->set_count * sizeof *b->sets : 0);
    mem_free(&allocator_libc, b, sizeof *b);
}

static void forget(struct cost *c)
{
    while (c->watched) {
        struct cost_block *next = c->watched->next;
        block_free(c, c->watched);
        c->watched = next;
    }
    mem_free(&allocator_libc, c->kind, c->kind ? c->code_count : 0);
    c->kind = NULL;
    byte_set_clear(&c->read);
    byte_set_clear(&c->written);
}

static uint32_t registers_of(const struct sim_begin *b)
{
    uint32_t most = 0;
    for (uint32_t pc = 0; pc < b->code_count; pc++) {
        const struct sim_operands *o = b->code[pc].operands;
        for (uint32_t i = 0; o && i < o->written + o->read; i++)
            most = o->number[i] > most ? o->number[i] : most;
        if (o) {
            most = o->guard > most ? o->guard : most;
            most = o->base > most ? o->base : most;
        }
    }
    return most + 1;
}

static void begin(void *self, const struct sim_begin *b)
{
    struct cost *c = self;
    const uint64_t threads = (uint64_t)b->block[0] * b->block[1] * b->block[2];
    forget(c);
    memset(c->lanes, 0, PLACES * sizeof *c->lanes);
    memset(c->samples, 0, sizeof c->samples);
    c->longest = c->atomic_places = c->load_lines = c->constant_words = 0;
    c->lost = c->children = false;
    c->blocks = (uint64_t)b->grid[0] * b->grid[1] * b->grid[2];
    c->warps = (unsigned)((threads + LANES - 1) / LANES);
    c->local_bytes = b->local_bytes;
    c->code_count = b->code_count;
    c->registers = registers_of(b);
    const uint32_t shared = c->card.shared_per_sm;
    const uint32_t l1 = c->card.l1_bytes > shared ? c->card.l1_bytes - shared : 0;
    const uint32_t each = c->card.blocks_per_sm ? l1 / c->card.blocks_per_sm : l1;
    c->set_count = each / (LINE * WAYS) ? each / (LINE * WAYS) : 1;
    c->kind = take(c, c->code_count, 1);
}

/* The number of the sample that a block is, or COST_BLOCKS: they lie evenly in the grid. */
static unsigned sample_of(const struct cost *c, uint64_t block)
{
    if (c->blocks <= COST_BLOCKS)
        return block < c->blocks ? (unsigned)block : COST_BLOCKS;
    const uint64_t apart = c->blocks / COST_BLOCKS, k = block / apart;
    return k < COST_BLOCKS && block % apart == apart / 2 ? (unsigned)k : COST_BLOCKS;
}

static struct cost_block *watched_at(struct cost *c, uint64_t index)
{
    struct cost_block *b = c->watched;
    while (b && b->index != index)
        b = b->next;
    return b;
}

static bool watches(void *self, uint64_t block)
{
    const struct cost *c = self;
    const struct cost_block *b = watched_at(self, block);
    return b && b->cut < c->warps;
}

/* May another instruction of the warp be watched? */
static bool takes_step(struct cost *c, struct cost_block *b, unsigned warp)
{
    struct cost_warp *w = &b->warps[warp];
    const uint32_t most = STEPS_MOST / (c->warps ? c->warps : 1);
    if (w->steps == most) {
        w->steps++;
        b->cut++;
        c->samples[b->number].cut = true;
    }
    if (w->steps > most)
        return false;
    w->steps++;
    c->samples[b->number].steps++;
    return true;
}

static void begin_block(void *self, const struct sim_block *at)
{
    struct cost *c = self;
    const unsigned number = sample_of(c, at->index);
    if (number == COST_BLOCKS || c->lost || c->children)
        return;
    struct cost_block *b = take(c, 1, sizeof *b);
    if (!b)
        return;
    b->index = at->index;
    b->number = number;
    b->warps = take(c, c->warps, sizeof *b->warps);
    b->ready = take(c, 1, ready_size(c));
    b->sets = take(c, c->set_count, sizeof *b->sets);
    b->next = c->watched;
    if (c->lost)
        block_free(c, b);
    else
        c->watched = b;
    c->samples[number].taken = !c->lost;
}

/* Its last warp has ended, or is as far as it was watched. */
static void end_block(void *self, const struct sim_block *at)
{
    struct cost *c = self;
    struct cost_block **place = &c->watched;
    if (!c->children && at->steps > c->longest)
        c->longest = at->steps;
    while (*place && (*place)->index != at->index)
        place = &(*place)->next;
    struct cost_block *b = *place;
    if (!b)
        return;
    struct cost_sample *s = &c->samples[b->number];
    for (unsigned w = 0; w < c->warps; w++)
        for (int from = 0; from < COST_FROMS; from++)
            if (b->warps[w].latest[from] > s->cycles[from])
                s->cycles[from] = b->warps[w].latest[from];
    *place = b->next;
    block_free(c, b);
}

/* The blocks of the host's grid have ended. */
static void begin_child(void *self, const struct sim_grid *g)
{
    struct cost *c = self;
    (void)g;
    c->children = true;
}

/* ---- its L1 -------------------------------------------------------------------------------- */

enum where_found { IN_L1, NEAR_BY, FAR }; /* NEAR_BY: memory has sent it with its neighbour to L2 */

/* Where is the sector? It is in L1 from now on. */
static enum where_found find_sector(struct cost *c, struct cost_block *b, uint64_t sector)
{
    const uint64_t line = sector / LINE_SECTORS + 1;
    struct cost_set *set = &b->sets[line % c->set_count];
    const unsigned at = (unsigned)(sector % LINE_SECTORS);
    unsigned way = 0;
    while (way < WAYS - 1 && set->line[way] != line)
        way++;
    const uint8_t has = set->line[way] == line ? set->sectors[way] : 0;
    for (; way > 0; way--) {
        set->line[way] = set->line[way - 1];
        set->sectors[way] = set->sectors[way - 1];
    }
    set->line[0] = line;
    set->sectors[0] = (uint8_t)(has | 1u << at);
    return has >> at & 1 ? IN_L1 : has >> (at ^ 1u) & 1 ? NEAR_BY : FAR;
}

/* Calls for each lane's first and last sector, not twice in a row for the same one. */
#define EACH_SECTOR(sector, a, mask)                                                              \
    for (uint64_t before_ = UINT64_MAX, once_ = 1; once_; once_ = 0)                              \
        EACH_LANE(lane_, mask)                                                                    \
            for (uint64_t sector = (a)->address[lane_] / SECTOR,                                  \
                          last_ = ((a)->address[lane_] + (a)->bytes - 1) / SECTOR;                \
                 sector <= last_; sector++)                                                       \
                if (sector != before_ && (before_ = sector, true))

/* Where the farthest of its sectors is. A load that others may write beside passes L1 by. */
static enum where_found find_load(struct cost *c, struct cost_block *b, const struct sim_at *at,
                            const struct sim_access *a)
{
    struct cost_sample *s = &c->samples[b->number];
    const bool passes_by = at->code->order != SIM_WEAK;
    enum where_found farthest = IN_L1;
    EACH_SECTOR(sector, a, at->mask) {
        const enum where_found there = passes_by ? NEAR_BY : find_sector(c, b, sector);
        s->asked++;
        s->missed += there != IN_L1;
        farthest = there > farthest ? there : farthest;
    }
    return farthest;
}

/* ---- accesses ------------------------------------------------------------------------------ */

static void wait_for(struct cost_block *b, float l2, float memory)
{
    const float cycles[COST_FROMS] = {l2, memory};
    for (int from = 0; from < COST_FROMS; from++)
        if (cycles[from] > b->waits[from])
            b->waits[from] = cycles[from];
}

static unsigned lines_of(const struct sim_at *at, const struct sim_access *a)
{
    unsigned lines = 0;
    uint64_t before = UINT64_MAX;
    if (a->even && a->step <= LINE)
        return (unsigned)((a->first + (LANES - 1) * a->step + a->bytes - 1) / LINE -
                          a->first / LINE) + 1;
    EACH_LANE(lane, at->mask) {
        const uint64_t line = a->address[lane] / LINE;
        lines += line != before;
        before = line;
    }
    return lines;
}

/* The constant cache serves one word to all lanes at once. */
static unsigned words_of(const struct sim_at *at, const struct sim_access *a)
{
    enum { WORD = 4 };
    uint64_t seen[LANES];
    unsigned words = 0;
    EACH_LANE(lane, at->mask) {
        const uint64_t word = a->address[lane] / WORD;
        unsigned k = 0;
        while (k < words && seen[k] != word)
            k++;
        if (k == words)
            seen[words++] = word;
    }
    return words;
}

/* A warp's lines, or its wavefronts of shared memory, are served one after the other. */
static void time_access(struct cost *c, struct cost_block *b, const struct sim_at *at,
                        const struct sim_access *a)
{
    const struct cost_card *k = &c->card;
    const bool loads = a->kind == SIM_LOAD;
    unsigned turns, near = k->l1, far = k->l1;
    switch (a->space) {
    case SIM_SHARED:
    case SIM_CLUSTER:
        turns = count_wavefronts(a->address, at->mask, a->bytes, !loads).wavefronts;
        near = far = k->shared;
        break;
    case SIM_CONST:
    case SIM_PARAM:
        turns = (a->space == SIM_CONST ? words_of(at, a) : 1) * k->constant_turn;
        near = far = k->constant;
        break;
    case SIM_LOCAL: turns = 1; break;
    default:
        turns = lines_of(at, a);
        if (a->kind == SIM_ATOMIC || a->kind == SIM_REDUCE)
            near = far = k->atomic;
        else if (loads) {
            const enum where_found there = find_load(c, b, at, a);
            near = there == IN_L1 ? k->l1 : k->l2;
            far = there == FAR ? k->memory : near;
        }
    }
    wait_for(b, (float)(near + turns - 1), (float)(far + turns - 1));
}

static void touch(struct cost *c, struct byte_set *set, const struct sim_at *at,
                  const struct sim_access *a)
{
    if (a->even && a->step <= SECTOR) {
        const uint64_t first = a->first / SECTOR;
        const uint64_t last = (a->first + (LANES - 1) * a->step + a->bytes - 1) / SECTOR;
        c->lost |= byte_set_add(set, first, last - first + 1) != 0;
        return;
    }
    EACH_SECTOR(sector, a, at->mask)
        c->lost |= byte_set_add(set, sector, 1) != 0;
}

static unsigned place_of(uint64_t address)
{
    return (unsigned)((address / 4 * UINT64_C(0x9e3779b97f4a7c15)) >> 54) % PLACES;
}

static void see_atomic(struct cost *c, const struct sim_at *at, const struct sim_access *a)
{
    uint64_t before = UINT64_MAX;
    EACH_LANE(lane, at->mask) {
        const unsigned place = place_of(a->address[lane]);
        c->lanes[place]++;
        c->atomic_places += a->address[lane] / SECTOR != before / SECTOR;
        before = a->address[lane];
    }
}

static void see(void *self, const struct sim_at *at, const struct sim_access *a)
{
    struct cost *c = self;
    if (!at->mask || at->code->kind == SIM_CLASS_HIDDEN)
        return;
    if (a->space == SIM_GLOBAL) {
        const bool reads = a->kind == SIM_LOAD;
        touch(c, reads ? &c->read : &c->written, at, a);
        c->load_lines += reads ? lines_of(at, a) : 0;
        if (a->kind == SIM_ATOMIC || a->kind == SIM_REDUCE)
            see_atomic(c, at, a);
    }
    if (a->space == SIM_CONST)
        c->constant_words += words_of(at, a);
    struct cost_block *b = c->watched ? watched_at(c, at->block_index) : NULL;
    if (b)
        time_access(c, b, at, a);
}

/* ---- instructions -------------------------------------------------------------------------- */

static float later(float a, float b)
{
    return a > b ? a : b;
}

static float *ready_at(const struct cost *c, const struct cost_block *b, unsigned warp,
                       uint32_t number)
{
    return b->ready + ((size_t)warp * c->registers + number) * COST_FROMS;
}

static float when_ready(const struct cost *c, const struct cost_block *b, const struct sim_at *at,
                        int from)
{
    const struct sim_operands *o = at->code->operands;
    float when = o->guard ? ready_at(c, b, at->warp, o->guard)[from] : 0;
    if (o->base)
        when = later(when, ready_at(c, b, at->warp, o->base)[from]);
    for (uint32_t i = 0; i < o->read; i++)
        when = later(when, ready_at(c, b, at->warp, o->number[o->written + i])[from]);
    return when;
}

static void end_segment(struct cost_warp *w, float jump)
{
    for (int from = 0; from < COST_FROMS; from++)
        w->segment[from] = later(w->latest[from], w->segment[from] + w->issued) + jump;
    w->issued = 0;
}

static bool writes_memory(const struct sim_instruction *i)
{
    return i->kind == SIM_CLASS_STORE || i->kind == SIM_CLASS_ATOMIC ||
           i->kind == SIM_CLASS_FENCE;
}

/* Such an access is a fence too, for the whole grid or more. */
static float orders(const struct cost *c, const struct sim_instruction *i)
{
    const bool ordered = i->order >= SIM_ACQUIRE && i->scope >= SIM_GPU_SCOPE;
    return ordered ? (float)c->card.latency[COST_FENCE] : 0;
}

static void step(struct cost *c, struct cost_block *b, const struct sim_at *at,
                 enum cost_kind kind)
{
    struct cost_warp *w = &b->warps[at->warp];
    const struct sim_operands *o = at->code->operands;
    const bool stores = writes_memory(at->code), loads = at->code->kind == SIM_CLASS_LOAD;
    for (int from = 0; from < COST_FROMS; from++) {
        float begins = later(w->segment[from], when_ready(c, b, at, from));
        if (loads || stores)
            begins = later(begins, w->order[from]);
        if (stores)
            w->order[from] = begins;
        const float takes = kind != COST_MEMORY ? (float)c->card.latency[kind]
                                                : b->waits[from] + orders(c, at->code);
        for (uint32_t i = 0; i < o->written; i++)
            ready_at(c, b, at->warp, o->number[i])[from] = begins + takes;
        w->latest[from] = later(w->latest[from], begins);
        b->waits[from] = 0;
    }
    w->issued += kind == COST_FREE ? 0 : 1;
    if (kind == COST_BRANCH || kind == COST_BARRIER || kind == COST_FENCE)
        end_segment(w, (float)c->card.latency[kind]);
}

static enum cost_kind kind_at(struct cost *c, uint32_t pc, const struct sim_instruction *i)
{
    if (!c->kind[pc])
        c->kind[pc] = (uint8_t)(1 + cost_kind_of(i));
    return (enum cost_kind)(c->kind[pc] - 1);
}

static void see_instruction(void *self, const struct sim_at *at, const void *row,
                            enum sim_type type)
{
    struct cost *c = self;
    struct cost_block *b = watched_at(c, at->block_index);
    (void)row, (void)type;
    if (!b || at->code->kind == SIM_CLASS_HIDDEN || at->code->part || !at->code->operands)
        return;
    if (takes_step(c, b, at->warp))
        step(c, b, at, kind_at(c, at->pc, at->code));
}

static void see_arrive(void *self, const struct sim_at *at, const struct sim_barrier *barrier)
{
    struct cost *c = self;
    struct cost_block *b = watched_at(c, at->block_index);
    (void)barrier;
    if (!b || !takes_step(c, b, at->warp))
        return;
    struct cost_warp *w = &b->warps[at->warp];
    w->issued++;
    end_segment(w, 0);
    for (int from = 0; from < COST_FROMS; from++)
        b->arrived[from] = later(b->arrived[from], w->segment[from]);
}

static void see_barrier(void *self, const struct sim_at *at, const struct sim_barrier *barrier)
{
    struct cost *c = self;
    struct cost_block *b = watched_at(c, at->block_index);
    (void)barrier;
    if (!b || c->samples[b->number].cut)
        return;
    struct cost_warp *w = &b->warps[at->warp];
    for (int from = 0; from < COST_FROMS; from++)
        w->latest[from] = w->segment[from] = b->arrived[from] + (float)c->card.barrier;
}

/* ---- several cores ------------------------------------------------------------------------- */

static void *split(void *self)
{
    const struct cost *c = self;
    return cost_new(&c->card);
}

static void join(void *self, void *part, bool counts)
{
    struct cost *c = self, *p = part;
    if (counts) {
        c->lost |= p->lost || byte_set_move(&c->read, &p->read) != 0 ||
                   byte_set_move(&c->written, &p->written) != 0;
        for (unsigned i = 0; i < PLACES; i++)
            c->lanes[i] += p->lanes[i];
        c->atomic_places += p->atomic_places;
        c->load_lines += p->load_lines;
        c->longest = p->longest > c->longest ? p->longest : c->longest;
        c->constant_words += p->constant_words;
        for (unsigned i = 0; i < COST_BLOCKS; i++)
            if (p->samples[i].taken)
                c->samples[i] = p->samples[i];
    }
    cost_free(p);
}

/* ---- for others ---------------------------------------------------------------------------- */

struct cost *cost_new(const struct cost_card *card)
{
    struct cost *c = mem_alloc(&allocator_libc, sizeof *c);
    if (!c)
        return NULL;
    c->card = *card;
    c->lanes = take(c, PLACES, sizeof *c->lanes);
    if (!c->lost)
        return c;
    cost_free(c);
    return NULL;
}

void cost_free(struct cost *c)
{
    if (!c)
        return;
    forget(c);
    mem_free(&allocator_libc, c->lanes, c->lanes ? PLACES * sizeof *c->lanes : 0);
    mem_free(&allocator_libc, c, sizeof *c);
}

struct sim_observer cost_observer(struct cost *c)
{
    static const struct sim_hooks hooks = {
        SIM_HOOKS, .begin = begin, .block_begin = begin_block, .block_end = end_block,
        .grid = begin_child,
        .load = see, .store = see, .atomic = see, .instruction = see_instruction,
        .arrive = see_arrive, .barrier = see_barrier, .watches = watches,
        .split = split, .join = join};
    return (struct sim_observer){&hooks, c};
}

static uint64_t most_of(const uint32_t *counts)
{
    uint64_t most = 0;
    for (unsigned i = 0; i < PLACES; i++)
        most = counts[i] > most ? counts[i] : most;
    return most;
}

/* What a block of the launch takes in the mean: as many cycles for each of its instructions as the
 * watched blocks took, also where these are longer or shorter, or were cut. */
static void take_samples(const struct cost *c, const struct sim_result *r,
                         struct launch_cost *out)
{
    double all = 0, steps = 0, cycles[COST_FROMS] = {0};
    uint64_t asked = 0, missed = 0;
    for (unsigned i = 0; i < COST_BLOCKS; i++) {
        const struct cost_sample *s = &c->samples[i];
        if (!s->taken)
            continue;
        steps += (double)s->steps;
        asked += s->asked;
        missed += s->missed;
        for (int from = 0; from < COST_FROMS; from++)
            cycles[from] += (double)s->cycles[from];
    }
    for (int kind = 0; kind < COST_KINDS; kind++)
        all += (double)out->kinds[kind];
    for (int from = 0; from < COST_FROMS && steps > 0; from++)
        out->cycles[from] = cycles[from] / steps * all / (double)c->blocks;
    const double mean = (double)r->steps / (double)c->blocks;
    out->longest = (double)c->longest > mean ? (double)c->longest / mean : 1;
    out->missed = asked ? (double)missed / (double)asked : 1;
}

static void tally(struct cost *c, uint32_t pc, const struct sim_result *r, struct launch_cost *out)
{
    const struct sim_instruction *i = &r->code[pc];
    out->kinds[kind_at(c, pc, i)] += r->tally[pc].warps;
    if (kind_at(c, pc, i) == COST_TENSOR)
        out->tensor_products += r->tally[pc].warps * cost_products_of(i);
    out->float_atomics |= i->kind == SIM_CLASS_ATOMIC && strstr(i->text, ".f") != NULL;
}

bool cost_take(struct cost *c, const struct sim_result *r, struct launch_cost *out)
{
    *out = (struct launch_cost){.blocks = c->blocks, .local_bytes = c->local_bytes};
    if (c->lost)
        return false;
    for (uint32_t pc = 0; pc < r->code_count; pc++)
        if (r->tally[pc].warps && r->code[pc].kind != SIM_CLASS_HIDDEN && !r->code[pc].part)
            tally(c, pc, r, out);
    out->read = byte_set_bytes(&c->read);
    out->written = byte_set_bytes(&c->written);
    out->hot_lanes = most_of(c->lanes);
    out->atomic_places = c->atomic_places;
    out->load_lines = c->load_lines;
    out->constant_words = c->constant_words;
    take_samples(c, r, out);
    return true;
}
