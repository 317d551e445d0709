/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A launch from start to finish: checking it, keeping blocks resident, giving warps their
 * turns, collecting faults.
 *
 * Blocks are resumable: each keeps its warps, splits and shared memory until it is done, and
 * one that makes no end within its slice (it may be waiting for another block) lets others
 * run. A step budget is counted in warp instructions, so it ends at the same place everywhere.
 */
#include "sim/decode.h"

#include "base/hash.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    SLICE = 1 << 16,          /* warp instructions before another warp has its turn */
    BLOCK_SLICE = 1 << 16,    /* and another block */
    CIRCLE = 1 << 10,         /* steps of the longest loop that is seen to wait */
    RESIDENT_BYTES = 1 << 30, /* what blocks under way at one time may take here */
    RECURSION = 64 << 10,     /* stack of a thread that calls itself or uses alloca */
    MOST_FAULTS = 1000
};

/* ---- faults and events --------------------------------------------------------------- */

static void place(const struct warp *w, unsigned lane, struct sim_place *p)
{
    const unsigned *size = w->launch->launch.block;
    unsigned t = w->index * LANES + lane;
    memcpy(p->block, w->block->id, sizeof p->block);
    p->thread[0] = t % size[0];
    p->thread[1] = t / size[0] % size[1];
    p->thread[2] = t / (size[0] * size[1]);
}

/* The record of a fault of this kind: the one that stands at `at` already, or a new one. */
struct sim_fault *fault_record(struct sim_run *r, enum sim_fault_kind kind,
                               const struct sim_instruction *at)
{
    for (size_t i = 0; at && i < r->fault_count; i++)
        if (r->faults[i].kind == kind && r->faults[i].at.line == at->line &&
            (at->line || r->faults[i].ptx_line == at->ptx_line)) {
            r->faults[i].count++;
            return NULL;
        }
    if (r->fault_count >= MOST_FAULTS ||
        mem_grow(&r->sim->allocator, (void **)&r->faults, &r->fault_capacity, r->fault_count,
                 sizeof *r->faults) < 0)
        return NULL;
    struct sim_fault *f = &r->faults[r->fault_count++];
    *f = (struct sim_fault){.kind = kind, .count = 1, .when = run_steps(r)};
    if (at) {
        f->at.file = at->file;
        f->at.line = at->line;
        f->ptx_line = at->ptx_line;
    }
    return f;
}

struct sim_fault *run_fault(struct warp *w, enum sim_fault_kind kind, unsigned lane,
                            const char *fmt, ...)
{
    struct sim_run *r = w->launch;
    va_list ap;
    if (sim_fault_ends(kind))
        r->status = SIM_FAULTED;
    struct sim_fault *f = fault_record(r, kind, &r->module->shown[w->pc - 1]);
    if (!f)
        return NULL;
    f->has_place = true;
    place(w, lane, &f->at);
    va_start(ap, fmt);
    vsnprintf(f->message, sizeof f->message, fmt, ap);
    va_end(ap);
    return f;
}

static void whole_fault(struct sim_run *r, enum sim_fault_kind kind, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
static void whole_fault(struct sim_run *r, enum sim_fault_kind kind, const char *fmt, ...)
{
    struct sim_fault *f = fault_record(r, kind, NULL);
    va_list ap;
    if (sim_fault_ends(kind))
        r->status = SIM_FAULTED;
    if (!f)
        return;
    va_start(ap, fmt);
    vsnprintf(f->message, sizeof f->message, fmt, ap);
    va_end(ap);
}

/* ---- where an endless launch stands -------------------------------------------------- */

/* Of a block's warps, those that stand at one line, running or waiting for others. */
struct standing {
    int line;
    bool waits;
    unsigned warps;
};

/* Splits of one warp at one place count once. Returns how many kinds there are. */
static unsigned stand(const struct sim_run *r, const struct block *b, struct standing *out,
                      unsigned room)
{
    unsigned n = 0;
    for (unsigned i = 0; i < b->warp_count; i++) {
        const struct warp *w = &b->warps[i];
        for (unsigned k = 0, counted = 0; k < w->split_count; k++) {
            const struct split *s = &w->splits[k];
            const struct standing here = {.line = r->module->shown[s->pc].line,
                                          .waits = s->state != READY};
            unsigned at = 0;
            while (at < n && (out[at].line != here.line || out[at].waits != here.waits))
                at++;
            if (at == room)
                continue;
            if (at == n)
                out[n++] = here;
            out[at].warps += !(counted >> at & 1);
            counted |= 1u << at;
        }
    }
    return n;
}

/* The first lanes that could go on, of the block that came first; NULL where none can. */
static const struct split *still_running(const struct block *b, struct warp **of)
{
    for (; b; b = b->next)
        for (unsigned i = 0; i < b->warp_count; i++)
            for (unsigned k = 0; k < b->warps[i].split_count; k++)
                if (b->warps[i].splits[k].state == READY) {
                    *of = &b->warps[i];
                    return &b->warps[i].splits[k];
                }
    return NULL;
}

static void no_end(struct sim_run *r, enum sim_fault_kind kind, const char *why)
{
    struct standing all[4];
    struct warp *w;
    const struct split *s = still_running(r->resident, &w);
    if (!s) {
        whole_fault(r, kind, "%s", why);
        return;
    }
    w->pc = s->pc + 1;
    struct sim_fault *f = run_fault(w, kind, lane_first(s->mask), "%s", why);
    unsigned n = f && w->block->warp_count > 1 ? stand(r, w->block, all, 4) : 0;
    for (unsigned i = 0; i < n && all[i].line; i++) {
        size_t at = strlen(f->message);
        snprintf(f->message + at, sizeof f->message - at, "%s %u warp%s%s at line %d",
                 i ? "," : "; its block has", all[i].warps, all[i].warps == 1 ? "" : "s",
                 all[i].waits ? " waiting" : "", all[i].line);
    }
}

enum after run_out_of_memory(struct warp *w)
{
    whole_fault(w->launch, SIM_OUT_OF_MEMORY, "this computer ran out of memory for the simulation");
    return FAULTED;
}

void observe_block(struct sim_run *r, const struct block *b, enum sim_event_kind kind)
{
    if (!(r->wants & kind))
        return;
    struct sim_event e = {.kind = kind,
                          .block_index = b->index,
                          .code = r->module->shown,
                          .run = r,
                          .when = run_steps(r)};
    memcpy(e.block, b->id, sizeof e.block);
    run_tell(r, &e);
}

/* ---- is it a launch that the device would take? -------------------------------------- */

static uint64_t product(const unsigned n[3])
{
    uint64_t xy = (uint64_t)n[0] * n[1];
    return n[2] && xy > UINT64_MAX / n[2] ? UINT64_MAX : xy * n[2];
}

static void check_shape(struct sim_run *r)
{
    const struct sim_limits *l = &r->sim->limits;
    static const char axis[] = "xyz";
    for (int i = 0; i < 3; i++) {
        if (r->launch.grid[i] == 0 || r->launch.block[i] == 0)
            whole_fault(r, SIM_BAD_LAUNCH, "a %s of size 0 in %c: at least 1 is needed",
                        r->launch.grid[i] ? "block" : "grid", axis[i]);
        else if (r->launch.grid[i] > l->max_grid[i])
            whole_fault(r, SIM_BAD_LAUNCH, "%u blocks in %c: this device allows at most %u",
                        r->launch.grid[i], axis[i], l->max_grid[i]);
        else if (r->launch.block[i] > l->max_block[i])
            whole_fault(r, SIM_BAD_LAUNCH, "%u threads in %c: this device allows at most %u",
                        r->launch.block[i], axis[i], l->max_block[i]);
        if (r->status == SIM_FAULTED)
            return;
    }
    if (product(r->launch.block) > l->max_threads_per_block)
        whole_fault(r, SIM_BAD_LAUNCH,
                    "%" PRIu64 " threads in a block: this device allows at most %u",
                    product(r->launch.block), l->max_threads_per_block);
}

/* What __cluster_dims__ asks for; a launch here can't ask for clusters itself. */
static void check_cluster(struct sim_run *r, const struct sim_kernel *k)
{
    static const char axis[] = "xyz";
    const bool named = k->cluster[0] || k->cluster[1] || k->cluster[2];
    uint64_t blocks = product(k->cluster);
    if (named && !blocks)
        whole_fault(r, SIM_BAD_LAUNCH, "a cluster of size 0: at least 1 is needed");
    else if (k->needs_cluster)
        whole_fault(r, SIM_BAD_LAUNCH,
                    "the kernel leaves the size of its clusters to the launch, which names none: "
                    "__cluster_dims__(2, 1, 1), for example, does");
    else if (blocks > CLUSTER_MOST)
        whole_fault(r, SIM_BAD_LAUNCH, "%" PRIu64 " blocks in a cluster: at most %d", blocks,
                    CLUSTER_MOST);
    for (int i = 0; i < 3 && r->status != SIM_FAULTED; i++)
        if (k->cluster[i] && r->launch.grid[i] % k->cluster[i])
            whole_fault(r, SIM_BAD_LAUNCH,
                        "%u blocks in %c: the kernel's clusters have %u there, and the grid must "
                        "be a multiple of it", r->launch.grid[i], axis[i], k->cluster[i]);
}

static void check_kernel(struct sim_run *r, const struct sim_kernel *k)
{
    const struct sim_limits *l = &r->sim->limits;
    size_t shared = k->static_shared + r->launch.shared_bytes;
    if (k->closed)
        whole_fault(r, SIM_UNSUPPORTED, "%s (line %d of the PTX)", k->closed, k->closed_line);
    else if (k->needs_capability > l->capability)
        whole_fault(r, SIM_UNSUPPORTED, "%s needs compute capability %d.%d; this device has %d.%d",
                    k->needs_what ? k->needs_what : "the kernel", k->needs_capability / 10,
                    k->needs_capability % 10, l->capability / 10, l->capability % 10);
    else if (k->static_shared > l->shared_per_block)
        whole_fault(r, SIM_BAD_LAUNCH,
                    "%zu bytes of static shared memory: this device allows at "
                    "most %zu",
                    k->static_shared, l->shared_per_block);
    else if (shared > l->shared_per_block_optin)
        whole_fault(r, SIM_BAD_LAUNCH,
                    "%zu bytes of shared memory a block: this device allows at "
                    "most %zu",
                    shared, l->shared_per_block_optin);
    else if (r->launch.not_opted_in && shared > l->shared_per_block)
        whole_fault(r, SIM_BAD_LAUNCH,
                    "%zu bytes of shared memory a block: what is above %zu must be asked for",
                    shared, l->shared_per_block);
    if (r->status != SIM_FAULTED)
        check_cluster(r, k);
    if (r->fault_count && r->faults[0].kind == SIM_UNSUPPORTED && k->closed)
        r->faults[0].ptx_line = k->closed_line;
}

/* Every warp takes one instruction at least: more warps than steps need not be tried. */
static void check_steps(struct sim_run *r)
{
    uint64_t limit = r->launch.step_limit;
    if (limit && r->blocks > limit / r->warps)
        whole_fault(r, SIM_TIMEOUT,
                    "no end after %" PRIu64 " warp instructions (the step limit): %" PRIu64
                    " blocks of %u warp%s need more",
                    limit, r->blocks, r->warps, r->warps == 1 ? "" : "s");
}

/* ---- setting up ---------------------------------------------------------------------- */

static struct function *function_of(struct sim_module *m, const struct sim_kernel *k)
{
    return &m->functions[m->kernel_function[k - m->kernels]];
}

static struct sim_module *module_of(struct sim *s, const struct sim_kernel *k)
{
    for (struct sim_module *m = s->modules; m; m = m->next)
        if (k >= m->kernels && k < m->kernels + m->kernel_count)
            return m;
    return NULL;
}

/* Do the reached functions call each other in a circle? Those that call none of the rest fall
 * away until nobody is left, or only the circle. A pointer may lead anywhere. */
static bool recursive(struct sim_module *m, unsigned char *gone)
{
    bool more = true, left = false;
    while (more) {
        more = false;
        left = false;
        for (uint32_t i = 0; i < m->function_count; i++) {
            const struct function *f = &m->functions[i];
            bool holds = f->through_pointer && f->ptx->is_entry == 0;
            if (!f->reached || gone[i])
                continue;
            for (uint32_t k = 0; k < f->call_count; k++)
                holds |= !gone[f->calls[k]];
            gone[i] = !holds;
            more |= !holds;
            left |= holds;
        }
    }
    return left;
}

static bool allocates(const struct sim_module *m)
{
    for (uint32_t i = 0; i < m->function_count; i++)
        if (m->functions[i].reached && m->functions[i].allocates)
            return true;
    return false;
}

static int set_up_memory(struct sim_run *r)
{
    struct sim_module *m = r->module;
    size_t dynamic_at, local = 0;
    unsigned char *gone = arena_get(&r->arena, m->function_count + 1);
    module_reach(m, r->function);
    module_shared(m, &dynamic_at);
    module_set_shared(m, dynamic_at);
    r->dynamic_at = dynamic_at;
    r->shared_bytes = dynamic_at + r->launch.shared_bytes;
    if (r->launch.shared_bytes == 0)
        r->shared_bytes = r->launch.kernel->static_shared;
    for (uint32_t i = 0; i < m->function_count; i++)
        local += m->functions[i].reached ? m->functions[i].local_bytes : 0;
    if (gone && (recursive(m, gone) || allocates(m)))
        local += RECURSION;
    r->local_per_thread = (uint32_t)(local + 15) & ~15u;
    r->tally = arena_get(&r->arena, (m->count + 1) * sizeof *r->tally);
    r->hint = arena_get(&r->arena, (m->count + 1) * sizeof *r->hint);
    r->patterns = arena_get(&r->arena, (m->count + 1) * sizeof *r->patterns);
    r->params = arena_get(&r->arena, r->function->params_bytes + 16);
    r->tid_rows = arena_get(&r->arena, (size_t)r->warps * 3 * LANES * sizeof *r->tid_rows);
    if (!gone || !r->tally || !r->hint || !r->patterns || !r->params || !r->tid_rows)
        return -1;
    if (r->launch.params)
        memcpy(r->params, r->launch.params, r->function->params_bytes);
    for (unsigned t = 0; t < r->warps * LANES; t++) {
        uint32_t *row = r->tid_rows + (t / LANES * 3) * LANES + t % LANES;
        row[0] = t % r->launch.block[0];
        row[LANES] = t / r->launch.block[0] % r->launch.block[1];
        row[2 * LANES] = t / (r->launch.block[0] * r->launch.block[1]);
    }
    return 0;
}

static bool is_cooperative(const struct sim_run *r)
{
    return r->launch.kernel->cooperative && !r->launch.plain;
}

/* Grid synchronisation: blocks count themselves in a word of the workspace and wait for each
 * other there, so all of them must be resident at once. */
static int set_up_cooperation(struct sim_run *r)
{
    enum { WORKSPACE = 32 };
    struct allocation *a;
    if (!is_cooperative(r))
        return 0;
    if (r->blocks > r->resident_most)
        whole_fault(r, SIM_BAD_LAUNCH,
                    "%" PRIu64 " blocks can't be resident at once, as a grid that synchronises "
                    "needs: at most %u",
                    r->blocks, r->resident_most);
    else if (memory_get(r->sim, WORKSPACE, 256, "grid synchronisation", &a) < 0)
        return -1;
    else {
        a->module_owned = true;
        r->workspace = a->address;
    }
    return 0;
}

static void end_cooperation(struct sim_run *r)
{
    struct allocation *a = r->workspace ? memory_near(r->sim, r->workspace) : NULL;
    if (a)
        memory_drop(r->sim, a);
}

static void set_up_residency(struct sim_run *r)
{
    const struct sim_limits *l = &r->sim->limits;
    unsigned per_sm = l->max_blocks_per_sm, by_threads = l->max_threads_per_sm / (r->warps * LANES);
    if (by_threads < per_sm)
        per_sm = by_threads;
    if (r->shared_bytes && l->shared_per_sm / r->shared_bytes < per_sm)
        per_sm = (unsigned)(l->shared_per_sm / r->shared_bytes);
    r->resident_most = (per_sm ? per_sm : 1) * (l->multiprocessors ? l->multiprocessors : 1);
    size_t bytes = r->shared_bytes + sizeof(struct block) +
                   r->warps * (sizeof(struct warp) + r->function->frame_bytes +
                               (size_t)LANES * r->local_per_thread);
    if (!is_cooperative(r) && r->resident_most > RESIDENT_BYTES / bytes + 1)
        r->resident_most = (unsigned)(RESIDENT_BYTES / bytes + 1);
    if (r->resident_most < r->cluster_blocks)
        r->resident_most = r->cluster_blocks;
}

/* Which cluster is the n-th to start: in order, or a permutation drawn from the seed. */
static uint64_t nth_cluster(const struct sim_run *r, uint64_t n)
{
    if (r->launch.schedule == SIM_LOCKSTEP || r->clusters < 2)
        return n;
    if (r->order)
        return r->order[n];
    return (uint64_t)(((unsigned __int128)n * r->block_step + r->random) % r->clusters);
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static int set_up_order(struct sim_run *r)
{
    enum { SMALL = 1 << 16 };
    uint64_t seed = r->launch.seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    if (r->launch.schedule == SIM_LOCKSTEP)
        return 0;
    r->random = random_next(&seed) % r->clusters;
    r->block_step = r->clusters / 2 + random_next(&seed) % r->clusters / 2 + 1;
    while (gcd(r->block_step, r->clusters) != 1)
        r->block_step++;
    if (r->clusters > SMALL)
        return 0;
    r->order = arena_get(&r->arena, r->clusters * sizeof *r->order);
    if (!r->order)
        return -1;
    for (uint64_t i = 0; i < r->clusters; i++) {
        uint64_t k = random_next(&seed) % (i + 1);
        r->order[i] = r->order[k];
        r->order[k] = (uint32_t)i;
    }
    return 0;
}

struct sim_run *sim_start(struct sim *s, const struct sim_launch *launch)
{
    struct sim_module *m = launch->kernel ? module_of(s, launch->kernel) : NULL;
    struct sim_run *r = m && !s->running ? mem_get(&s->allocator, sizeof *r) : NULL;
    if (!r) {
        sim_fail(s, 0,
                 !m           ? "no such kernel is loaded"
                 : s->running ? "another launch is still running"
                              : "out of memory");
        return NULL;
    }
    arena_init(&r->arena, &s->allocator);
    s->running = r;
    r->sim = s;
    r->module = m;
    r->launch = *launch;
    r->function = function_of(m, launch->kernel);
    check_shape(r);
    if (r->status != SIM_FAULTED)
        check_kernel(r, launch->kernel);
    if (r->status == SIM_FAULTED)
        return r;
    r->threads = (unsigned)product(launch->block);
    r->warps = (r->threads + LANES - 1) / LANES;
    r->blocks = product(launch->grid);
    cluster_shape(r);
    r->clusters = r->blocks / r->cluster_blocks;
    check_steps(r);
    if (r->status == SIM_FAULTED)
        return r;
    for (unsigned i = 0; i < launch->observer_count; i++)
        r->wants |= launch->observers[i].wants;
    if (set_up_memory(r) < 0 || set_up_order(r) < 0) {
        whole_fault(r, SIM_OUT_OF_MEMORY, "this computer ran out of memory for the simulation");
        return r;
    }
    set_up_residency(r);
    if (set_up_cooperation(r) < 0)
        whole_fault(r, SIM_OUT_OF_MEMORY, "this computer ran out of memory for the simulation");
    if (r->status == SIM_FAULTED)
        return r;
    struct sim_event e = {.kind = SIM_EV_BEGIN,
                          .code = m->shown,
                          .count = m->count,
                          .run = r,
                          .shared_bytes = r->shared_bytes,
                          .local_bytes = r->local_per_thread};
    memcpy(e.grid, launch->grid, sizeof e.grid);
    memcpy(e.block_size, launch->block, sizeof e.block_size);
    memcpy(e.cluster, r->cluster, sizeof e.cluster);
    run_tell(r, &e);
    return r;
}

/* ---- blocks -------------------------------------------------------------------------- */

static void free_block(struct sim_run *r, struct block *b)
{
    struct allocator *from = &r->sim->allocator;
    arena_free(&b->frames);
    mem_put(from, b->shared, r->shared_bytes + 16);
    mem_put(from, b, sizeof *b);
}

static struct block *make_block(struct sim_run *r)
{
    struct allocator *from = &r->sim->allocator;
    struct block *b = mem_get(from, sizeof *b);
    if (!b)
        return NULL;
    arena_init(&b->frames, from);
    b->warp_count = r->warps;
    b->shared = mem_get(from, r->shared_bytes + 16);
    b->warps = arena_get(&b->frames, r->warps * sizeof *b->warps);
    unsigned char *rows = arena_get(&b->frames, (size_t)r->warps * r->function->frame_bytes + 64);
    unsigned char *local =
        arena_get(&b->frames, (size_t)r->warps * LANES * r->local_per_thread + 16);
    if (!b->shared || !b->warps || !rows || !local) {
        free_block(r, b);
        return NULL;
    }
    rows += (64 - (uintptr_t)rows % 64) % 64;
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
    b->random = r->launch.seed ^ (index + 1) * UINT64_C(0xd1342543de82ef95);
    memset(b->barriers, 0, sizeof b->barriers);
    memset(b->shared, 0, r->shared_bytes);
    for (unsigned i = 0; i < b->warp_count; i++) {
        struct warp *w = &b->warps[i];
        w->alive = w->existing;
        w->came = w->passed = 0;
        memset(w->taken, 0, sizeof w->taken);
        w->joins_used = 0;
        w->circle = (struct circle){0};
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
        whole_fault(r, SIM_OUT_OF_MEMORY, "this computer ran out of memory for the simulation");
        return false;
    }
    reset_block(r, b, index);
    b->cluster = c;
    b->rank = rank;
    c->member[rank] = b;
    struct block **end = &r->resident;
    while (*end)
        end = &(*end)->next;
    *end = b;
    b->next = NULL;
    r->resident_count++;
    observe_block(r, b, SIM_EV_BLOCK);
    return true;
}

/* Start the next cluster, if there is one; room for its blocks was checked. Which of them goes
 * first is drawn from the seed where the order of blocks is. */
static bool start_cluster(struct sim_run *r)
{
    uint64_t number = nth_cluster(r, r->started++);
    uint64_t dice = r->launch.seed ^ (number + 1) * UINT64_C(0x9e6c63d0876a9a35);
    unsigned first = r->cluster_blocks > 1 && r->launch.schedule != SIM_LOCKSTEP
                         ? (unsigned)(random_next(&dice) % r->cluster_blocks)
                         : 0;
    struct cluster *c = cluster_new(r);
    bool ok = c != NULL;
    if (!ok)
        whole_fault(r, SIM_OUT_OF_MEMORY, "this computer ran out of memory for the simulation");
    for (unsigned i = 0; ok && i < r->cluster_blocks; i++) {
        unsigned rank = (first + i) % r->cluster_blocks;
        ok = start_block(r, c, cluster_block(r, number, rank), rank);
    }
    return ok;
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
 * seen to go in circles: back at a place with the very registers that they had there.
 */
static void look_for_circle(struct warp *w, uint64_t ran)
{
    struct circle *c = &w->circle;
    c->ran += ran;
    if (c->ran < SLICE || !w->now || w->launch->sim->limits.capability < 70)
        return;
    if (!c->watch && warp_others_wait(w)) {
        *c = (struct circle){SLICE, CIRCLE, w->now->pc, registers_digest(w->now->frame)};
        return;
    }
    if (c->watch && w->now->pc == c->pc && registers_digest(w->now->frame) == c->registers) {
        warp_let_others(w);
        c->watch = 0;
    } else if (c->watch)
        c->watch--;
    if (!c->watch)
        c->ran = 0;
}

/*
 * One turn of a warp: its splits one after the other until all wait or the slice ends, or it
 * has looked at what others must change and lets them have their turn. Only
 * the step limit cuts a turn short; how much sim_step() is asked to do never does, so that a
 * launch takes the same course however it is stepped.
 */
static void warp_turn(struct sim_run *r, struct warp *w, uint64_t slice)
{
    bool drifts = r->launch.schedule == SIM_INDEPENDENT;
    w->yields = false;
    while (slice && steps_left(r) && r->status == SIM_RUNNING && w->split_count) {
        if (!warp_pick(w)) {
            if (!warp_force(w))
                return;
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
        enum after after = r->sim->exec.run(w);
        if (after <= MOVED)
            warp_save(w);
        uint64_t ran = r->given - w->left;
        slice -= ran < slice ? ran : slice;
        r->steps += ran;
        r->given = w->left = 0;
        r->turn = NULL;
        look_for_circle(w, ran);
        if (w->yields)
            return;
        w->block->busy = true;
    }
}

static bool all_wait(const struct block *b)
{
    for (unsigned i = 0; i < b->warp_count; i++)
        for (unsigned k = 0; k < b->warps[i].split_count; k++)
            if (b->warps[i].splits[k].state == READY)
                return false;
    return true;
}

static const char *why_stuck(enum split_state state)
{
    return state == AT_SYNC ? "its mask names lanes that wait elsewhere, and all others wait as well"
           : state == AT_CLUSTER
               ? "all threads that are left wait, at the cluster's barrier or where others keep "
                 "them from it"
               : "all threads that are left wait at barriers which the others never reach";
}

/* Lanes that wait for others of their warp are told of first: these may be why the rest waits. */
static void deadlock(struct sim_run *r, const struct block *b)
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
    run_fault(at, SIM_DEADLOCK, lane_first(s->mask), "%s", why_stuck(s->state));
}

static bool waits_for_cluster(const struct block *b)
{
    for (unsigned i = 0; i < b->warp_count; i++)
        for (unsigned k = 0; k < b->warps[i].split_count; k++)
            if (b->warps[i].splits[k].state == AT_CLUSTER)
                return true;
    return false;
}

/* The next warp of the block has its turn. Returns false when the block should be left: it is
 * done, or has used up its slice at the end of a round. */
static bool block_turn(struct sim_run *r, struct block *b)
{
    bool mixed = r->launch.schedule != SIM_LOCKSTEP;
    if (b->turn == 0) {
        b->busy = false;
        b->round_from = r->steps;
        b->first_warp = mixed ? (unsigned)(random_next(&b->random) % b->warp_count) : 0;
    }
    struct warp *w = &b->warps[(b->first_warp + b->turn) % b->warp_count];
    events_of(r, b);
    warp_turn(r, w, mixed ? 1 + random_next(&b->random) % 64 : SLICE);
    if (++b->turn < b->warp_count && b->alive)
        return true;
    b->turn = 0;
    b->stuck = r->status == SIM_RUNNING && steps_left(r) && b->alive &&
               r->steps == b->round_from && all_wait(b);
    if (b->stuck && (!waits_for_cluster(b) || cluster_stuck(b)))
        deadlock(r, b);
    return b->alive && b->busy && r->steps - b->slice_from < BLOCK_SLICE;
}

/* Take a block that is done off the list; its memory serves the next one. */
static void retire(struct sim_run *r, struct block *b)
{
    struct block **at = &r->resident;
    observe_block(r, b, SIM_EV_BLOCK_END);
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
    if (!b->alive)
        retire(r, b);
    if (!next) {
        unsigned more = is_cooperative(r) ? UINT_MAX
                        : r->any_done                 ? 0
                                                      : 1 + r->resident_count / 4;
        while (more-- && r->resident_count + r->cluster_blocks <= r->resident_most &&
               r->started < r->clusters)
            if (!start_cluster(r))
                break;
        r->any_done = false;
        next = r->resident;
    }
    r->current = next;
    if (next)
        next->slice_from = r->steps;
}

static void one_turn(struct sim_run *r)
{
    if (!r->current) {
        if (!start_cluster(r))
            return;
        r->current = r->resident;
        r->current->slice_from = r->steps;
    }
    struct block *b = r->current;
    if (!block_turn(r, b))
        next_block(r, b);
}

enum sim_status sim_step(struct sim_run *r, uint64_t steps)
{
    uint64_t from = r->steps;
    while (r->status == SIM_RUNNING && r->finished < r->blocks && steps_left(r) &&
           r->steps - from < steps)
        one_turn(r);
    if (r->status != SIM_RUNNING)
        return r->status;
    if (r->finished == r->blocks) {
        r->status = SIM_DONE;
        if (r->prints_lost)
            whole_fault(r, SIM_PRINTF_OVERFLOW,
                        "%zu printf calls did not fit into the buffer of "
                        "%zu bytes and were lost",
                        r->prints_lost, r->sim->limits.printf_bytes);
        heap_leaks(r);
        run_tell(r, &(struct sim_event){.kind = SIM_EV_END, .run = r, .when = r->steps});
    } else if (!steps_left(r)) {
        char why[96];
        snprintf(why, sizeof why, "no end after %" PRIu64 " warp instructions (the step limit)",
                 r->launch.step_limit);
        no_end(r, SIM_TIMEOUT, why);
    }
    return r->status;
}

double sim_part(const struct sim_run *r)
{
    return r->blocks ? (double)r->finished / (double)r->blocks : 0;
}

void sim_stop(struct sim_run *r, enum sim_fault_kind kind, const char *message)
{
    if (r->status == SIM_RUNNING)
        no_end(r, kind, message);
}

const struct sim_result *sim_result(struct sim_run *r)
{
    r->result = (struct sim_result){.faults = r->faults,
                                    .fault_count = (unsigned)r->fault_count,
                                    .prints = r->prints,
                                    .print_count = r->print_count,
                                    .prints_lost = r->prints_lost,
                                    .code = r->module->shown,
                                    .tally = r->tally,
                                    .code_count = r->tally ? r->module->count : 0,
                                    .steps = r->steps};
    return &r->result;
}

static void free_blocks(struct sim_run *r, struct block *b)
{
    while (b) {
        struct block *next = b->next;
        free_block(r, b);
        b = next;
    }
}

void sim_finish(struct sim_run *r)
{
    if (!r)
        return;
    struct sim *s = r->sim;
    struct allocator *from = &s->allocator;
    if (r->status != SIM_DONE)
        memory_restore(r);
    heap_end(r);
    end_cooperation(r);
    free_blocks(r, r->resident);
    free_blocks(r, r->idle);
    mem_put(from, r->faults, r->fault_capacity * sizeof *r->faults);
    mem_put(from, r->prints, r->print_capacity * sizeof *r->prints);
    mem_put(from, r->saved, r->saved_capacity * sizeof *r->saved);
    mem_put(from, r->saved_set, r->saved_slots * sizeof *r->saved_set);
    arena_free(&r->arena);
    s->running = NULL;
    mem_put(from, r, sizeof *r);
}
