/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The race checker as an observer: each access of a warp becomes strips, cut at the lines of
 * the shadow; each is compared with what the line remembers, then remembered itself.
 *
 * The comparison goes from cheap to exact: nothing there; ordered for the whole warp; other
 * bytes; and only then lane by lane. Races are rare, so the last step may take its time.
 *
 * access.c cuts an access into strips, compare.c compares one with what is remembered,
 * quick.h has the first questions, and found.c words a finding. Here are the blocks and
 * the launch, and who is told of which event.
 */
#include "check/checker.h"
#include "check/race/inside.h"
#include "check/race/quick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct allocator *const from = &allocator_libc;

/* ---- blocks ---------------------------------------------------------------------------- */

static void free_block(struct race *r, struct block_state *b)
{
    race_forget_later(r, b);
    mem_free(from, b->shared, b->shared ? r->shared_pages * sizeof *b->shared : 0);
    mem_free(from, b, sizeof *b);
}

/* Enters the block in its cluster. The first block of a cluster makes the record of it. */
static void join_cluster(struct race *r, struct block_state *b)
{
    const unsigned *size = r->cluster, blocks = size[0] * size[1] * size[2];
    const uint64_t number = race_cluster(r, b->order.index);
    unsigned at[3];
    finding_block(r->grid, b->order.index, at);
    struct cluster_order *c = NULL;
    for (struct block_state *o = NULL; !c && (o = block_after(&r->blocks, o ? &o->entry : NULL));)
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
    struct block_state *b = (void *)r->spare;
    if (b)
        r->spare = b->entry.next;
    else if ((b = mem_alloc(from, sizeof *b)) && r->shared_pages)
        b->shared = mem_alloc(from, r->shared_pages * sizeof *b->shared);
    if (!b)
        return;
    order_block_begin(&r->order, &b->order, index);
    if (r->cluster[0] * r->cluster[1] * r->cluster[2] > 1)
        join_cluster(r, b);
    block_add(&r->blocks, &b->entry, index);
}

/* A block ends, and with it its shared memory. Had the other blocks of the cluster finished with
 * it? It is enough that one lane knows that the access is over: it is over before the last lane
 * ends. */
static bool end_is_known(const struct race *r, const struct block_state *b,
                         const struct earlier *o)
{
    struct lane_time d = {o->warp, o->lane, mark_time(o->key)};
    for (unsigned warp = 0; warp < r->order.warps; warp++)
        for (unsigned lane = 0; lane < WARP; lane++) {
            const enum copy_state copy =
                mark_copy(o->key) ? race_copy(r, b, warp, lane, o, &d.time) : COPY_OVER;
            if (copy == COPY_KNOWN ||
                (copy == COPY_OVER && order_known(&r->order, &b->order, warp, lane, &d)))
                return true;
        }
    return false;
}

/* The access at byte `at` of the block's shared memory, by a lane of another block. */
static void look_at_end(struct race *r, const struct sim_block *ends, const struct block_state *b,
                        const struct earlier *o, uint64_t at)
{
    struct finding_side side = {.code = &r->code[mark_pc(o->key)]};
    char name[FINDING_NAME], who[64];
    bool fresh;
    if (!o->key || race_block_of(r, o->warp) == b->order.index || end_is_known(r, b, o))
        return;
    finding_block(r->grid, race_block_of(r, o->warp), side.block);
    finding_thread(r->block_size, o->warp % r->order.warps * WARP + o->lane, side.thread);
    struct finding *found = findings_add(r->out, &race_shared, &side, NULL, ends->when, &fresh);
    if (!found || !fresh)
        return;
    struct sim_fault *f = &found->fault;
    finding_name(ends->run, SIM_SHARED, at, side.code->bytes, f, name);
    finding_who(&f->at, NULL, true, who);
    finding_owner(r->grid, b->order.index, name);
    if (snprintf(f->message, sizeof f->message, "%s %s %s, which may have ended by then: no "
                 "barrier of the cluster keeps it", who, race_verb(side.code), name) < 0)
        f->message[0] = 0;
    found->cure = RACE_CURE_CLUSTER_SYNC;
}

static void strip_at_end(struct race *r, const struct sim_block *ends, const struct block_state *b,
                         const struct strip *s, uint64_t line)
{
    if (!s->key || !s->lanes)
        return;
    const struct earlier o = {s->key, s->warp, lane_first(s->lanes), 0};
    look_at_end(r, ends, b, &o, line + (uint64_t)strip_at(s, o.lane));
}

static void cells_at_end(struct race *r, const struct sim_block *ends, const struct block_state *b,
                         const struct cells *all, uint64_t line)
{
    for (unsigned i = 0; i < all->count; i++) {
        const struct cell *c = &all->at[i];
        const struct mark *marks[] = {&c->write, &c->read, all->older ? &all->older[i] : NULL};
        for (unsigned j = 0; j < 3; j++)
            if (marks[j] && marks[j]->key && marks[j]->lanes) {
                const struct earlier o = {marks[j]->key, marks[j]->warp,
                                          lane_first(marks[j]->lanes), 0};
                look_at_end(r, ends, b, &o, line + ((uint64_t)i << all->shift));
            }
    }
}

static void look_at_ends(struct race *r, const struct sim_block *ends)
{
    struct block_state *b = block_find(&r->blocks, ends->index);
    for (size_t i = 0; b && b->order.cluster && b->shared && i < r->shared_pages; i++) {
        struct page *p = &b->shared[i];
        if (p->step && !page_cut(&r->shadow, p, LINE_SHIFT))
            continue;
        for (size_t at = 0; p->lines && at < PAGE; at += (size_t)1 << p->shift) {
            const struct line *l = &p->lines[at >> p->shift];
            for (unsigned k = 0; k < 2 && !l->cells.at; k++) {
                strip_at_end(r, ends, b, &l->write[k], i * PAGE + at);
                strip_at_end(r, ends, b, &l->read[k], i * PAGE + at);
            }
            if (l->cells.at)
                cells_at_end(r, ends, b, &l->cells, i * PAGE + at);
        }
    }
}

static void end_block(struct race *r, uint64_t index)
{
    struct block_state *b = block_take(&r->blocks, index);
    if (!b)
        return;
    order_block_end(&r->order, &b->order);
    for (size_t i = 0; b->shared && i < r->shared_pages; i++)
        page_clear(&r->shadow, &b->shared[i]);
    race_end_copies(r, b);
    race_end_proxies(r, b);
    race_void_later(r, b);
    b->wrote = 0;
    b->entry.next = r->spare;
    r->spare = &b->entry;
}

/* ---- a launch -------------------------------------------------------------------------- */

static uint8_t says_what(const struct sim_instruction *i)
{
    static const uint8_t orders[] = {[SIM_WEAK] = 0,
                                     [SIM_VOLATILE] = PC_VOLATILE,
                                     [SIM_RELAXED] = PC_STRONG,
                                     [SIM_ACQUIRE] = PC_ACQUIRE | PC_STRONG,
                                     [SIM_RELEASE] = PC_RELEASE | PC_STRONG,
                                     [SIM_ACQ_REL] = PC_ACQUIRE | PC_RELEASE | PC_STRONG};
    const uint8_t narrow = i->scope == SIM_BLOCK_SCOPE ? PC_NARROW : 0;
    if (i->async && (i->kind == SIM_CLASS_HIDDEN || i->kind == SIM_CLASS_LOAD ||
                     i->kind == SIM_CLASS_BULK))
        return PC_COPY;
    if (i->kind == SIM_CLASS_MBARRIER)
        return i->order == SIM_WEAK ? 0 : PC_STRONG;
    if (i->kind == SIM_CLASS_FENCE)
        return narrow;
    if (i->kind != SIM_CLASS_LOAD && i->kind != SIM_CLASS_STORE && i->kind != SIM_CLASS_ATOMIC)
        return 0;
    return orders[i->order] | narrow | (i->scope == SIM_CLUSTER_SCOPE ? PC_CLUSTER : 0);
}

/* What a grid needs. Each grid has numbers of its own for its warps. */
static void set_sizes(struct race *r, const struct sim_begin *l)
{
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    memcpy(r->grid, l->grid, sizeof r->grid);
    memcpy(r->block_size, l->block, sizeof r->block_size);
    memcpy(r->cluster, l->cluster, sizeof r->cluster);
    r->threads = (unsigned)threads;
    r->shared_pages = (size_t)((l->shared_bytes + PAGE - 1) / PAGE);
}

static void free_spare(struct race *r)
{
    while (r->spare) {
        struct block_state *b = (void *)r->spare;
        r->spare = b->entry.next;
        free_block(r, b);
    }
}

/* All that is known of a launch. */
static void forget(struct race *r)
{
    for (struct block_state *b; (b = block_after(&r->blocks, NULL));)
        end_block(r, b->order.index);
    free_spare(r);
    grids_end(&r->grids);
    shadow_end(&r->shadow);
    order_end(&r->order);
    chosen_end(&r->chosen);
    mem_free(from, r->records, r->records ? MOST_RECORDS * sizeof *r->records : 0);
    mem_free(from, r->says, r->says ? r->code_count + 1 : 0);
    *r = (struct race){.out = r->out, .strict = r->strict, .shadow.kept = r->shadow.kept};
}

static void begin(void *self, const struct sim_begin *l)
{
    struct race *r = self;
    if (r->says) /* the launch starts over */
        forget(r);
    set_sizes(r, l);
    r->code = l->code;
    r->code_count = l->code_count;
    r->says = mem_alloc(from, l->code_count + 1);
    r->off = !r->says || l->code_count >= 1u << PC_BITS || !grids_begin(&r->grids, l, NULL);
    for (uint32_t i = 0; !r->off && i < l->code_count; i++)
        r->scoped |= (r->says[i] = says_what(&l->code[i])) & (PC_NARROW | PC_CLUSTER);
    r->proxies = !r->off && race_has_proxies(l->code, l->code_count);
    order_begin(&r->order, (r->threads + WARP - 1) / WARP);
    r->shadow.chosen = &r->chosen;
    chosen_begin(&r->chosen, l->code, l->code_count);
}

static void begin_grid(void *self, const struct sim_grid *g)
{
    struct race *r = self;
    r->out->in_child = true;
    free_spare(r);
    set_sizes(r, &g->begin);
    if (r->off)
        return;
    r->off = !grids_begin(&r->grids, &g->begin, g);
    if (!r->off)
        order_grid(&r->order, grids_now(&r->grids)->first_warp, grids_now(&r->grids)->warps);
}

static void see_launch(void *self, const struct sim_at *at, uint64_t number)
{
    struct race *r = self;
    struct block_state *b = race_block_at(r, at);
    if (b && !grids_launch(&r->grids, &r->order, &b->order, at, number))
        r->off = true;
}

static uint32_t existing(const struct race *r, unsigned warp)
{
    unsigned left = r->threads - warp * WARP;
    return left >= WARP ? ALL_LANES : (1u << left) - 1;
}

static void begin_block(void *self, const struct sim_block *block)
{
    struct race *r = self;
    if (!r->off)
        start_block(r, block->index);
}

static void see_block_end(void *self, const struct sim_block *block)
{
    struct race *r = self;
    if (r->off)
        return;
    look_at_ends(r, block);
    end_block(r, block->index);
}

/* The block that lanes belong to; NULL: nothing is recorded of it. */
struct block_state *race_block_at(struct race *r, const struct sim_at *at)
{
    struct block_state *b = r->off ? NULL : block_find(&r->blocks, at->block_index);
    return r->order.failed ? NULL : b;
}

static void see_access(void *self, const struct sim_at *at, const struct sim_access *a)
{
    struct race *r = self;
    struct block_state *b = race_block_at(r, at);
    if (b && (a->space == SIM_SHARED || a->space == SIM_GLOBAL || a->space == SIM_CLUSTER))
        race_see_access(r, at, a, b);
}

/* Shuffles and votes wait as well, but order no memory. */
static void see_sync(void *self, const struct sim_at *at)
{
    struct race *r = self;
    struct block_state *b = race_block_at(r, at);
    if (!b || at->code->kind != SIM_CLASS_BARRIER)
        return;
    order_sync(&r->order, &b->order, at->warp, at->mask, existing(r, at->warp));
    if (at->mask == existing(r, at->warp))
        race_proxy_share(r, b, at->warp, at->mask);
    else
        race_proxy_learn(r, b, at->warp, at->mask);
}

static void see_arrive(void *self, const struct sim_at *at, const struct sim_barrier *barrier)
{
    struct race *r = self;
    struct block_state *b = race_block_at(r, at);
    if (b && !barrier->whole)
        order_arrive(&r->order, &b->order, at->warp, barrier->number);
}

static void see_barrier(void *self, const struct sim_at *at, const struct sim_barrier *barrier)
{
    struct race *r = self;
    struct block_state *b = race_block_at(r, at);
    if (!b)
        return;
    order_barrier(&r->order, &b->order, at->warp, barrier->number, barrier->whole);
    if (!barrier->whole)
        race_proxy_learn(r, b, at->warp, ALL_LANES);
    if (barrier->whole && b->copies)
        race_know_copies(r, b);
}

static void see_fence(void *self, const struct sim_at *at)
{
    struct race *r = self;
    struct block_state *b = race_block_at(r, at);
    if (!b)
        return;
    if (b->order.warps[at->warp].refs.count)
        race_proxy_learn(r, b, at->warp, at->mask);
    order_fence(&r->order, &b->order, at->warp, at->mask, race_scope(r->says[at->pc]));
}

static void see_copy_commit(void *self, const struct sim_at *at)
{
    struct race *r = self;
    struct block_state *b = race_block_at(r, at);
    if (b)
        race_see_groups(r, b, at, false, 0);
}

static void see_copy_wait(void *self, const struct sim_at *at, unsigned left)
{
    struct race *r = self;
    struct block_state *b = race_block_at(r, at);
    if (b)
        race_see_groups(r, b, at, true, left);
}

static void see_cluster_arrive(void *self, const struct sim_at *at)
{
    struct race *r = self;
    struct block_state *b = race_block_at(r, at);
    if (b)
        order_cluster_arrive(&r->order, &b->order, at->warp);
}

static void see_cluster_barrier(void *self, const struct sim_at *at)
{
    struct race *r = self;
    struct block_state *b = race_block_at(r, at);
    if (!b || !b->order.cluster)
        return;
    order_cluster_barrier(&r->order, b->order.cluster);
    const struct cluster_order *c = b->order.cluster;
    for (unsigned rank = 0; r->proxies && rank < c->blocks; rank++) {
        struct block_state *o = c->member[rank] ? block_find(&r->blocks, c->index[rank]) : NULL;
        if (o)
            race_proxy_learn_all(r, o);
    }
}

static void *open_chunks(void)
{
    return mem_alloc(from, sizeof(struct kept_chunks));
}

static void close_chunks(void *kept)
{
    chunks_free(kept);
    mem_free(from, kept, sizeof(struct kept_chunks));
}

static void *open_race(void *kept, struct findings *out)
{
    struct race *r = mem_alloc(from, sizeof *r);
    if (r) {
        r->out = out;
        r->shadow.kept = kept;
    }
    return r;
}

static void *open_strict(void *kept, struct findings *out)
{
    struct race *r = open_race(kept, out);
    if (r)
        r->strict = true;
    return r;
}

static bool is_partly(const void *self)
{
    const struct race *r = self;
    return r->off || r->shadow.full || r->out->lost;
}

static void close_race(void *self, bool finished)
{
    struct race *r = self;
    (void)finished;
    forget(r);
    mem_free(from, r, sizeof *r);
}

/* A part of a launch. It has findings of its own, for which its launch is not shared. */
struct race_part {
    struct race own;
    struct findings found;
};

static void *split(void *self)
{
    const struct race *r = self;
    struct race_part *part = mem_alloc(from, sizeof *part);
    if (part)
        part->own = (struct race){
            .out = &part->found, .strict = r->strict, .shadow.kept = r->shadow.kept};
    return part;
}

/* Several parts may have more room together than one launch. So there must be plenty. */
static bool is_clean(const void *self)
{
    const struct race *r = self;
    return !r->out->count && !r->out->lost && !r->shadow.full && !r->order.failed &&
           chunks_plenty(r->shadow.kept);
}

static void join(void *self, void *part, bool counts)
{
    struct race_part *p = part;
    (void)self, (void)counts;
    forget(&p->own);
    findings_free(&p->found);
    mem_free(from, p, sizeof *p);
}

static const struct sim_hooks hooks = {
    SIM_HOOKS, .split = split, .clean = is_clean, .join = join, .begin = begin, .block_begin = begin_block, .block_end = see_block_end,
    .load = see_access, .store = see_access, .atomic = see_access,
    .sync = see_sync, .arrive = see_arrive, .barrier = see_barrier, .fence = see_fence,
    .copy_commit = see_copy_commit, .copy_wait = see_copy_wait, .copy = race_see_copy,
    .mbarrier = race_see_mbarrier,
    .cluster_arrive = see_cluster_arrive, .cluster_barrier = see_cluster_barrier,
    .proxy_fence = race_see_proxy_fence, .launch = see_launch, .grid = begin_grid};

const struct checker check_race = {
    .name = "race",
    .help = "two threads access the same bytes, at least one of them writes, not both are atomic "
            "operations, and no barrier, __syncwarp() or fence decides which access is first",
    .open = open_chunks, .close = close_chunks,
    .hooks = &hooks, .begin = open_race, .partly = is_partly, .settle = race_join_cures, .end = close_race};

const struct checker check_race_strict = {
    .name = "race:strict",
    .help = "as race, and it also reports two writes of the same value",
    .extra = true,
    .form_of = &check_race,
    .hooks = &hooks, .begin = open_strict, .partly = is_partly, .settle = race_join_cures, .end = close_race};
