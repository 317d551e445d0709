/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A launch from its first block to its last: keeping blocks resident and giving warps their
 * turns. How it begins is in start.c, which grid comes after this one in child.c, what is found
 * wrong with it in fault.c.
 *
 * Blocks are resumable: each keeps its warps, splits and shared memory until it is done, and
 * one that makes no end within its slice (it may be waiting for another block) lets others
 * run. A step budget is counted in warp instructions, so it ends at the same place everywhere.
 */
#include "sim/cores.h"

#include "base/hash.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    SLICE = 1 << 16,       /* warp instructions before another warp has its turn */
    BLOCK_SLICE = 1 << 16, /* and another block */
    CIRCLE = 1 << 10,      /* steps of the longest loop that is seen to wait */
    STOP_STEPS = 16        /* instructions that run to find out at which line a launch stopped */
};

/* ---- blocks -------------------------------------------------------------------------- */

static const struct sim_block *shown_block(struct sim_run *r, const struct block *b)
{
    r->shown_block = (struct sim_block){.run = r, .index = b->index, .when = run_steps(r), .steps = b->steps};
    memcpy(r->shown_block.at, b->id, sizeof b->id);
    return &r->shown_block;
}

static void free_block(struct sim_run *r, struct block *b)
{
    struct allocator *from = &r->sim->allocator;
    arena_free(&b->frames);
    mem_free(from, b->shared, r->shared_bytes + 16);
    mem_free(from, b, sizeof *b);
}

static struct block *make_block(struct sim_run *r)
{
    struct allocator *from = &r->sim->allocator;
    if (block_bytes(r) > SIZE_MAX / 2) /* more than a 32-bit machine can address */
        return NULL;
    struct block *b = mem_alloc(from, sizeof *b);
    if (!b)
        return NULL;
    b->frames.from = from;
    b->warp_count = r->warps;
    b->shared = mem_alloc(from, r->shared_bytes + 16);
    b->warps = arena_alloc(&b->frames, r->warps * sizeof *b->warps);
    unsigned char *rows =
        arena_alloc(&b->frames, (uint64_t)r->warps * r->function->frame_bytes + HOST_LINE);
    unsigned char *local =
        arena_alloc(&b->frames, (uint64_t)r->warps * LANES * r->local_per_thread + 16);
    if (!b->shared || !b->warps || !rows || !local) {
        free_block(r, b);
        return NULL;
    }
    rows = host_line(rows);
    for (unsigned i = 0; i < r->warps; i++) {
        struct warp *w = &b->warps[i];
        w->block = b;
        w->launch = r;
        w->index = i;
        w->bottom.of = r->function;
        w->bottom.rows = rows + (size_t)i * r->function->frame_bytes;
        w->local = local + (size_t)i * LANES * r->local_per_thread;
        w->existing =
            r->threads - i * LANES >= LANES ? ALL_LANES : (1u << (r->threads - i * LANES)) - 1;
        w->absent = LANES - lanes_in(w->existing);
        *(uint32_t *)(void *)w->bottom.rows = ALL_LANES; /* predicate 0 is always true */
    }
    return b;
}

static void reset_block(struct sim_run *r, struct block *b, uint64_t index)
{
    const unsigned *grid = r->launch.grid;
    b->index = index;
    b->id[0] = (unsigned)(index % grid[0]);
    b->id[1] = (unsigned)(index / grid[0] % grid[1]);
    b->id[2] = (unsigned)(index / ((uint64_t)grid[0] * grid[1]));
    b->alive = r->threads;
    b->stuck = false;
    b->idle = 0;
    b->random = r->launch.seed ^ (index + 1) * UINT64_C(0xd1342543de82ef95);
    memset(b->barriers, 0, sizeof b->barriers);
    memset(b->shared, 0, (size_t)r->shared_bytes);
    for (unsigned i = 0; i < b->warp_count; i++) {
        struct warp *w = &b->warps[i];
        w->alive = w->existing;
        w->came = w->passed = 0;
        memset(w->came_to, 0, sizeof w->came_to);
        memset(w->taken, 0, sizeof w->taken);
        w->joins_used = 0;
        w->circle = (struct circle){0};
        w->failed_waits = 0;
        if (w->errors)
            memset(w->errors, 0, LANES * sizeof *w->errors);
        w->split_count = 1;
        w->splits[0] =
            (struct split){.pc = r->function->entry, .mask = w->existing, .frame = &w->bottom};
        w->now = &w->splits[0];
    }
}

static bool start_block(struct sim_run *r, struct cluster *c, uint64_t index, unsigned rank)
{
    struct block *b = r->idle;
    if (b)
        r->idle = b->next;
    else
        b = make_block(r);
    if (!b) {
        run_out_of_memory(r);
        return false;
    }
    reset_block(r, b, index);
    b->cluster = c;
    b->rank = rank;
    b->steps = 0;
    c->member[rank] = b;
    struct block **end = &r->resident;
    while (*end)
        end = &(*end)->next;
    *end = b;
    b->next = NULL;
    r->resident_count++;
    b->watched = (r->asked & ASKS(instruction)) != 0;
    TELL(r, block_begin, shown_block(r, b));
    return true;
}

/* Start the n-th cluster of the order; room for its blocks was checked. Which of them goes first is
 * drawn from the seed where the order of blocks is. */
static bool start_nth(struct sim_run *r, uint64_t n)
{
    uint64_t number = nth_cluster(r, n);
    uint64_t dice = r->launch.seed ^ (number + 1) * UINT64_C(0x9e6c63d0876a9a35);
    unsigned first = r->cluster_blocks > 1 && r->launch.schedule != SIM_LOCKSTEP
                         ? (unsigned)(random_next(&dice) % r->cluster_blocks)
                         : 0;
    struct cluster *c = cluster_new(r);
    bool ok = c != NULL;
    if (!ok)
        run_out_of_memory(r);
    for (unsigned i = 0; ok && i < r->cluster_blocks; i++) {
        unsigned rank = (first + i) % r->cluster_blocks;
        ok = start_block(r, c, cluster_block(r, number, rank), rank);
    }
    return ok;
}

/* Those that began before their turn are passed over. */
static void pass_early(struct sim_run *r)
{
    struct run_chosen *c = &r->chosen;
    for (unsigned i = 0; i < c->early_count; i++)
        if (c->early[i] == r->started) {
            r->started++;
            c->early[i] = c->early[--c->early_count];
            i = UINT_MAX; /* from the first one again */
        }
}

/* Start the next cluster, if there is one. */
static bool start_cluster(struct sim_run *r)
{
    const uint64_t n = r->started++;
    pass_early(r);
    return start_nth(r, n);
}

/* May another cluster start here? */
static bool has_cluster(struct sim_run *r)
{
    return r->started < r->until || (r->worker && cores_chunk(r));
}

/* ---- turns --------------------------------------------------------------------------- */

static uint64_t steps_left(const struct sim_run *r)
{
    return r->launch.step_limit ? r->launch.step_limit - r->steps : UINT64_MAX;
}

static uint64_t registers_digest(const struct frame *f)
{
    return hash_words(HASH_START, f->rows, f->of->frame_bytes);
}

/*
 * Lanes that wait for a lock may hold up the one of their warp that has it: it waits where they
 * would all go on together. Hardware since Volta lets it go on. Here it does once the others are
 * seen to go in circles: back at a place with the very registers that they had there. Lanes that
 * ask for the time never have the same registers again, so there a long wait is enough.
 */
static void look_for_circle(struct warp *w, uint64_t ran)
{
    struct circle *c = &w->circle;
    c->ran += ran;
    if (c->ran < SLICE || !w->now || w->launch->sim->limits.capability < 70)
        return;
    if (!c->watch && warp_others_wait(w)) {
        *c = (struct circle){SLICE, CIRCLE, w->now->pc, registers_digest(w->now->frame), false};
        return;
    }
    c->time_asked |= w->launch->time_asked;
    if (c->watch && ((w->now->pc == c->pc && registers_digest(w->now->frame) == c->registers) ||
                     (c->watch == 1 && c->time_asked))) {
        warp_let_others(w);
        c->watch = 0;
    } else if (c->watch)
        c->watch--;
    if (!c->watch)
        c->ran = 0;
}

/* Did lanes test an mbarrier very often without success? Perhaps it waits for other lanes of their
 * warp, and these wait for the lanes that test. */
static bool waits_too_often(struct warp *w)
{
    enum { OFTEN = 32 };
    const bool often = w->failed_waits >= OFTEN;
    w->failed_waits = often ? 1 : w->failed_waits;
    return often;
}

/*
 * One turn of a warp: its splits one after the other until all wait or the slice ends, or it
 * has looked at what others must change and lets them have their turn. Only
 * the step limit cuts a turn short; how much sim_step() is asked to do never does, so that a
 * launch takes the same course however it is stepped.
 */
static inline void warp_turn(struct sim_run *r, struct warp *w, uint64_t slice)
{
    bool drifts = r->launch.schedule == SIM_INDEPENDENT && !r->still.probing;
    w->yields = false;
    while (slice && steps_left(r) && r->status == SIM_RUNNING && w->split_count) {
        if (!warp_pick(w)) {
            if (!warp_force(w)) {
                w->block->idle |= 1u << w->index;
                return;
            }
            continue;
        }
        if (drifts)
            warp_drift(w);
        warp_load(w);
        uint64_t part = drifts           ? 1 + random_next(&w->block->random) % 8
                        : w->circle.watch ? 1
                                          : slice;
        r->given = part < steps_left(r) ? part : steps_left(r);
        w->left = r->given;
        r->turn = w;
        r->time_asked = false;
        enum after after = r->sim->exec.run(w);
        if (after <= MOVED)
            warp_save(w);
        uint64_t ran = r->given - w->left;
        slice -= ran < slice ? ran : slice;
        r->steps += ran;
        r->given = w->left = 0;
        r->turn = NULL;
        look_for_circle(w, ran);
        if (w->yields) {
            if ((r->still.probing || waits_too_often(w)) && warp_others_wait(w))
                warp_let_others(w);
            return;
        }
        w->block->busy = true;
    }
}

/* Is a split of the block in this state? */
static bool any_is(const struct block *b, enum split_state state)
{
    for (unsigned i = 0; i < b->warp_count; i++)
        for (unsigned k = 0; k < b->warps[i].split_count; k++)
            if (b->warps[i].splits[k].state == state)
                return true;
    return false;
}

static const char *const why_stuck[] = {
    [AT_SYNC] = "its mask names lanes that wait elsewhere, and all others wait as well",
    [AT_CLUSTER] = "all threads that are left wait, at the cluster's barrier or where others keep "
                   "them from it",
    [AT_BARRIER] = "all threads that are left wait at barriers which the others never reach"};

/* Lanes that wait for other lanes of their warp are named first: the rest may wait because of
 * them. */
static void tell_deadlock(struct sim_run *r, const struct block *b)
{
    struct warp *at = NULL;
    const struct split *s = NULL;
    for (unsigned i = 0; i < b->warp_count; i++)
        for (unsigned k = 0; k < b->warps[i].split_count; k++) {
            const struct split *one = &b->warps[i].splits[k];
            if (!s || (s->state == AT_BARRIER && one->state == AT_SYNC)) {
                s = one;
                at = &b->warps[i];
            }
        }
    if (!s) {
        whole_fault(r, SIM_DEADLOCK, "all threads wait and none can go on");
        return;
    }
    at->pc = s->state == AT_SYNC ? s->pc + 1 : s->pc;
    run_fault(at, SIM_DEADLOCK, lane_first(s->mask), "%s", why_stuck[s->state]);
}

/* The next warp of the block has its turn. Returns false when the block should be left: it is
 * done, or has used up its slice at the end of a round. */
static bool block_turn(struct sim_run *r, struct block *b)
{
    bool mixed = r->launch.schedule != SIM_LOCKSTEP && !r->still.probing;
    if (b->turn == 0) {
        b->busy = false;
        b->round_from = r->steps;
        b->first_warp = mixed ? (unsigned)(random_next(&b->random) % b->warp_count) : 0;
    }
    const unsigned turn_of = (b->first_warp + b->turn) % b->warp_count;
    const uint64_t slice = mixed ? 1 + random_next(&b->random) % 64 : SLICE;
    r->at.run = r;
    r->at.block_index = b->index;
    memcpy(r->at.block, b->id, sizeof b->id);
    if (!(b->idle >> turn_of & 1))
        warp_turn(r, &b->warps[turn_of], slice);
    if (++b->turn < b->warp_count && b->alive)
        return true;
    b->turn = 0;
    b->stuck = r->status == SIM_RUNNING && steps_left(r) && b->alive &&
               r->steps == b->round_from && !any_is(b, READY);
    if (b->stuck && (!any_is(b, AT_CLUSTER) || cluster_stuck(b)))
        tell_deadlock(r, b);
    return b->alive && b->busy && r->steps - b->slice_from < BLOCK_SLICE;
}

/* Takes a block that has ended off the list. The next block uses its memory. */
static void retire_block(struct sim_run *r, struct block *b)
{
    struct block **at = &r->resident;
    TELL(r, block_end, shown_block(r, b));
    while (*at != b)
        at = &(*at)->next;
    cluster_retire(r, b);
    *at = b->next;
    b->next = r->idle;
    r->idle = b;
    r->resident_count--;
    r->finished++;
    r->any_done = true;
}

/*
 * Go on to the block after b. At the end of the list, if no block came to its end, they may
 * be waiting for one that has not started: so a few more start, while there is room.
 */
static void next_block(struct sim_run *r, struct block *b)
{
    struct block *next = b->next;
    b->steps += r->steps - b->slice_from;
    if (!b->alive)
        retire_block(r, b);
    if (!next) {
        unsigned more = is_cooperative(r) ? UINT_MAX
                        : r->any_done                 ? 0
                                                      : 1 + r->resident_count / 4;
        r->mixed |= !r->any_done;
        while (more-- && r->resident_count + r->cluster_blocks <= r->resident_most &&
               has_cluster(r))
            if (!start_cluster(r))
                break;
        if (!r->any_done)
            still_look(r);
        r->any_done = false;
        next = r->resident;
    }
    r->current = next;
    if (next)
        next->slice_from = r->steps;
}

bool run_has_block(struct sim_run *r)
{
    if (!r->current && start_cluster(r)) {
        r->current = r->resident;
        r->current->slice_from = r->steps;
    }
    return r->current != NULL;
}

/* ---- a chosen warp ------------------------------------------------------------------- */

static struct block *block_of(const struct sim_run *r, uint64_t index)
{
    struct block *b = r->resident;
    while (b && b->index != index)
        b = b->next;
    return b;
}

/* The block begins before its turn, with its cluster. NULL: there is no room, or it has ended. */
static struct block *start_early(struct sim_run *r, uint64_t index)
{
    struct run_chosen *c = &r->chosen;
    if (c->early_count == EARLY_MOST || r->resident_count + r->cluster_blocks > r->resident_most)
        return NULL;
    for (uint64_t n = r->started; n < r->until; n++)
        for (unsigned rank = 0; rank < r->cluster_blocks; rank++) {
            if (cluster_block(r, nth_cluster(r, n), rank) != index)
                continue;
            for (unsigned i = 0; i < c->early_count; i++)
                if (c->early[i] == n)
                    return NULL;
            c->early[c->early_count++] = n;
            pass_early(r);
            return start_nth(r, n) ? block_of(r, index) : NULL;
        }
    return NULL;
}

static bool warp_is_ready(const struct warp *w)
{
    for (unsigned i = 0; i < w->split_count; i++)
        if (w->splits[i].state == READY)
            return true;
    return false;
}

bool run_choose(struct sim_run *r, uint64_t block, unsigned warp)
{
    struct block *b = block_of(r, block), *was = r->current;
    b = b ? b : start_early(r, block);
    bool ready = false;
    for (unsigned i = 0; b && i < b->warp_count; i++)
        ready |= (warp == ALL_WARPS || warp == i) && warp_is_ready(&b->warps[i]);
    if (!ready)
        return false;
    if (was && was != b)
        was->steps += r->steps - was->slice_from;
    if (was != b)
        b->slice_from = r->steps;
    r->current = b;
    r->chosen.goes_first = true;
    r->chosen.warp = warp;
    r->chosen.from = r->steps;
    return true;
}

/* A warp that goes in circles may wait for others without saying so, and they should go on. */
static bool chosen_goes_on(const struct sim_run *r, const struct warp *w)
{
    enum { LONGEST = 1 << 20 };
    return warp_is_ready(w) && !w->yields && r->steps - r->chosen.from < LONGEST;
}

static void chosen_turn(struct sim_run *r)
{
    struct block *b = r->current;
    if (r->chosen.warp == ALL_WARPS) {
        const bool in_round = block_turn(r, b);
        r->chosen.goes_first = in_round || (b->alive && b->busy);
    } else {
        struct warp *w = &b->warps[r->chosen.warp];
        r->at.run = r;
        r->at.block_index = b->index;
        memcpy(r->at.block, b->id, sizeof b->id);
        warp_turn(r, w, SLICE);
        r->chosen.goes_first = chosen_goes_on(r, w);
        if (!b->alive)
            b->turn = 0;
    }
    if (!b->alive || (!r->chosen.goes_first && r->chosen.warp == ALL_WARPS)) {
        r->chosen.goes_first = false;
        next_block(r, b);
    }
}

static void one_turn(struct sim_run *r)
{
    if (!run_has_block(r))
        return;
    struct block *b = r->current;
    if (r->chosen.goes_first)
        chosen_turn(r);
    else if (!block_turn(r, b))
        next_block(r, b);
}

/* Tells observers how many accesses they were not told of, since these were like the one before. */
bool run_is_watched(const struct sim_run *r, struct block *b)
{
    bool wanted = false;
    for (unsigned i = 0; b->watched && !wanted && i < r->listener_count; i++) {
        const struct sim_hooks *h = &r->listeners[i].hooks;
        wanted = h->instruction && (!h->watches || h->watches(r->listeners[i].self, b->index));
    }
    return b->watched = wanted;
}

void run_tell_repeated(struct sim_run *r)
{
    for (struct listener *l = r->listeners; l < r->listeners + r->listener_count; l++)
        for (uint32_t pc = 0; l->repeats && pc < r->module->count; pc++)
            if (l->repeats[pc].times)
                l->hooks.repeated(l->self, pc, l->repeats[pc].times);
}

static void free_blocks(struct sim_run *r, struct block *b)
{
    while (b) {
        struct block *next = b->next;
        free_block(r, b);
        b = next;
    }
}

/* The grid has ended, and a child grid begins; false: none does. */
static bool next_grid(struct sim_run *r)
{
    const struct run_grid *g = child_next(r);
    if (!g)
        return false;
    r->blocks_before += r->blocks;
    free_blocks(r, r->idle);
    r->idle = NULL;
    end_grid(r);
    memcpy(r->launch.grid, g->size, sizeof r->launch.grid);
    memcpy(r->launch.block, g->block, sizeof r->launch.block);
    memset(r->launch.cluster, 0, sizeof r->launch.cluster); /* the host's launch asked for it */
    r->launch.kernel = g->kernel;
    r->launch.shared_bytes = g->shared_bytes;
    r->launch.params = g->params;
    r->launch.plain = true;
    r->launch.seed = r->seed ^ g->number * UINT64_C(0xbf58476d1ce4e5b9);
    return start_grid(r) == 0;
}

/* Is there more to run? At the end of a grid, its next child grid begins. */
static bool has_more(struct sim_run *r)
{
    if (r->worker)
        return !cores_stop(r) && (r->resident || has_cluster(r));
    return r->finished < r->blocks || next_grid(r);
}

void run_turns(struct sim_run *r, uint64_t steps)
{
    const uint64_t from = r->steps, text_from = r->text_made;
    while (r->status == SIM_RUNNING && steps_left(r) && r->steps - from < steps &&
           r->text_made - text_from < TEXT_PART && !(r->trial && cores_decide(r)) && has_more(r))
        one_turn(r);
}

void run_rewind(struct sim_run *r)
{
    free_blocks(r, r->resident);
    free_blocks(r, r->idle);
    r->resident = r->idle = r->current = NULL;
    r->spare_clusters = NULL;
    r->resident_count = 0;
    r->steps = r->finished = r->started = 0;
    r->any_done = r->mixed = false;
    r->chosen = (struct run_chosen){.goes_first = false};
    memset(r->tally, 0, r->module->count * sizeof *r->tally);
    for (struct listener *l = r->listeners; l < r->listeners + r->listener_count; l++)
        if (l->repeats)
            memset(l->repeats, 0, r->module->count * sizeof *l->repeats);
}

void run_copy(struct sim_run *to, const struct sim_run *r)
{
    *to = *r;
    to->arena = to->of_grid = (struct arena){.from = r->arena.from};
    to->started = to->until = to->steps = to->finished = 0;
    to->resident = to->idle = to->current = NULL;
    to->spare_clusters = NULL;
    to->listeners = to->of_accesses = NULL;
    to->counts = NULL;
    to->listener_count = to->of_accesses_count = to->asked = 0;
    to->faults = NULL;
    to->prints = NULL;
    to->saved = NULL;
    to->saved_set = NULL;
    to->fault_count = to->fault_capacity = to->print_count = to->print_capacity = 0;
    to->saved_count = to->saved_capacity = to->saved_slots = 0;
    to->tally = NULL;
    to->hint = NULL;
    to->cores = NULL;
    to->trial = false;
}

void run_free(struct sim_run *r)
{
    struct allocator *from = &r->sim->allocator;
    free_blocks(r, r->resident);
    free_blocks(r, r->idle);
    mem_free(from, r->faults, r->fault_capacity * sizeof *r->faults);
    mem_free(from, r->prints, r->print_capacity * sizeof *r->prints);
    mem_free(from, r->saved, r->saved_capacity * sizeof *r->saved);
    mem_free(from, r->saved_set, r->saved_slots * sizeof *r->saved_set);
    arena_free(&r->of_grid);
    arena_free(&r->arena);
}

enum sim_status sim_step(struct sim_run *r, uint64_t steps)
{
    if (!r->cores)
        run_turns(r, steps);
    if (r->status != SIM_RUNNING || (r->cores && cores_step(r, steps)))
        return r->status;
    if (r->finished == r->blocks && !r->pending) {
        r->status = SIM_DONE;
        if (r->prints_lost)
            whole_fault(r, SIM_PRINTF_OVERFLOW,
                        "%zu printf calls did not fit into the buffer of %" PRIu64
                        " bytes and were lost",
                        r->prints_lost, r->sim->limits.printf_bytes);
        heap_leaks(r);
        run_tell_repeated(r);
        TELL(r, end, r);
    } else if (!steps_left(r)) {
        char why[96];
        snprintf(why, sizeof why, "no end after %" PRIu64 " warp instructions (the step limit)",
                 r->launch.step_limit);
        run_no_end(r, SIM_TIMEOUT, why);
    }
    return r->status;
}

double sim_part(const struct sim_run *r)
{
    const double all = (double)(r->blocks_before + r->blocks);
    const uint64_t finished = r->cores ? r->cores->finished : r->finished;
    return all > 0 ? (double)(r->blocks_before + finished) / all : 0;
}

/* If no block is running when the launch is stopped, the next block begins. Then there is a line at
 * which the launch was stopped. */
static void begin_next_block(struct sim_run *r)
{
    const uint64_t limit = r->launch.step_limit;
    if (r->resident || (limit && steps_left(r) <= STOP_STEPS) || !has_more(r))
        return;
    r->launch.step_limit = r->steps + STOP_STEPS;
    one_turn(r);
    r->launch.step_limit = limit;
}

void sim_stop(struct sim_run *r, enum sim_fault_kind kind, const char *message)
{
    struct sim_run *at = cores_standing(r);
    if (at->status == SIM_RUNNING)
        begin_next_block(at);
    if (at->status == SIM_RUNNING)
        run_no_end(at, kind, message);
    cores_stopped(r, at);
}

const struct sim_result *sim_result(struct sim_run *r)
{
    r->result = (struct sim_result){
        .faults = r->faults, .fault_count = (unsigned)r->fault_count,
        .prints = r->prints, .print_count = r->print_count, .prints_lost = r->prints_lost,
        .code = r->module->shown, .code_count = r->tally ? r->module->count : 0,
        .tally = r->tally, .steps = r->steps};
    return &r->result;
}

void sim_finish(struct sim_run *r)
{
    if (!r)
        return;
    struct sim *s = r->sim;
    if (r->cores)
        cores_end(r, false);
    if (r->status != SIM_DONE)
        memory_restore(r);
    heap_end(r);
    end_grid(r);
    child_end(r);
    struct allocation *texts = r->error_texts ? memory_near(s, r->error_texts) : NULL;
    if (texts)
        memory_drop(s, texts);
    run_free(r);
    s->running = NULL;
    mem_free(&s->allocator, r, sizeof *r);
}
