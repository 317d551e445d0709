/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The start of a launch: would the device take it, how much memory its blocks need, how many of
 * them are resident at one time, and in which order they start. Nothing runs yet: launch.c does
 * that.
 */
#include "sim/exec/wide.h"
#include "sim/reach.h"

#include "base/room.h"

#include <inttypes.h>
#include <string.h>

enum {
    RESIDENT_BYTES = 1 << 30, /* what blocks under way at one time may take here */
    BLOCK_BYTES = 392,        /* a block and a warp of it, as they are on a 64-bit machine: how */
    WARP_BYTES = 2752,        /* many blocks are under way doesn't depend on the machine */
    RECURSION = 64 << 10      /* stack of a thread that calls itself or uses alloca */
};

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

static bool is_named(const unsigned size[3])
{
    return size[0] || size[1] || size[2];
}

/* The kernel names the size of its clusters by __cluster_dims__. Otherwise the launch may. */
static void check_cluster(struct sim_run *r, const struct sim_kernel *k)
{
    static const char axis[] = "xyz";
    const unsigned *asked = r->launch.cluster;
    const unsigned *size = is_named(asked) ? asked : k->cluster;
    uint64_t blocks = product(size);
    if (is_named(size) && !blocks)
        whole_fault(r, SIM_BAD_LAUNCH, "a cluster of size 0: at least 1 is needed");
    else if (is_named(asked) && is_named(k->cluster) &&
             memcmp(asked, k->cluster, sizeof k->cluster) != 0)
        whole_fault(r, SIM_BAD_LAUNCH,
                    "clusters of (%u, %u, %u) blocks: the kernel names (%u, %u, %u) by "
                    "__cluster_dims__, and a launch can't change that",
                    asked[0], asked[1], asked[2], k->cluster[0], k->cluster[1], k->cluster[2]);
    else if (is_named(asked) && r->sim->limits.capability < 90)
        whole_fault(r, SIM_BAD_LAUNCH,
                    "a cluster of blocks needs compute capability 9.0; this device has %d.%d",
                    r->sim->limits.capability / 10, r->sim->limits.capability % 10);
    else if (k->needs_cluster && !is_named(asked))
        whole_fault(r, SIM_BAD_LAUNCH,
                    "the kernel leaves the size of its clusters to the launch, which names none: "
                    "__cluster_dims__(2, 1, 1), for example, does");
    else if (blocks > CLUSTER_MOST)
        whole_fault(r, SIM_BAD_LAUNCH, "%" PRIu64 " blocks in a cluster: at most %d", blocks,
                    CLUSTER_MOST);
    for (int i = 0; i < 3 && r->status != SIM_FAULTED; i++)
        if (size[i] && r->launch.grid[i] % size[i])
            whole_fault(r, SIM_BAD_LAUNCH,
                        "%u blocks in %c: the kernel's clusters have %u there, and the grid must "
                        "be a multiple of that", r->launch.grid[i], axis[i], size[i]);
}

static void check_kernel(struct sim_run *r, const struct sim_kernel *k)
{
    const struct sim_limits *l = &r->sim->limits;
    const uint64_t dynamic = r->launch.shared_bytes;
    const uint64_t shared = dynamic < UINT64_MAX / 2 ? k->static_shared + dynamic : dynamic;
    if (k->closed)
        whole_fault(r, SIM_UNSUPPORTED, "%s (line %d of the PTX)", k->closed, k->closed_line);
    else if (k->needs_capability > l->capability)
        whole_fault(r, SIM_UNSUPPORTED, "%s needs compute capability %d.%d; this device has %d.%d",
                    k->needs_what ? k->needs_what : "the kernel", k->needs_capability / 10,
                    k->needs_capability % 10, l->capability / 10, l->capability % 10);
    else if (k->static_shared > l->shared_per_block)
        whole_fault(r, SIM_BAD_LAUNCH,
                    "%" PRIu64 " bytes of static shared memory: this device allows at most %" PRIu64,
                    k->static_shared, l->shared_per_block);
    else if (shared > l->shared_per_block_optin)
        whole_fault(r, SIM_BAD_LAUNCH,
                    "%" PRIu64 " bytes of shared memory per block: this device allows at most %" PRIu64,
                    shared, l->shared_per_block_optin);
    else if (r->launch.not_opted_in && shared > l->shared_per_block)
        whole_fault(r, SIM_BAD_LAUNCH,
                    "%" PRIu64 " bytes of shared memory per block: what is above %" PRIu64
                    " must be asked for",
                    shared, l->shared_per_block);
    if (r->status != SIM_FAULTED)
        check_cluster(r, k);
    if (r->fault_count && r->faults[0].kind == SIM_UNSUPPORTED && k->closed) {
        struct sim_fault *f = &r->faults[0];
        f->ptx_line = k->closed_line;
        f->at.file = k->closed_file;
        f->at.line = k->closed_source_line;
        f->cure = k->lacks ? SIM_CURE_OTHER_DEVICE : SIM_CURE_UNKNOWN;
    }
}

static bool is_refused(struct sim_run *r)
{
    check_shape(r);
    if (r->status != SIM_FAULTED)
        check_kernel(r, r->launch.kernel);
    return r->status == SIM_FAULTED;
}

bool launch_refused(struct sim *s, const struct sim_launch *launch, struct sim_fault *why)
{
    struct sim_run asked = {.sim = s, .launch = *launch};
    const bool refused = is_refused(&asked);
    *why = asked.fault_count ? asked.faults[0] : (struct sim_fault){.kind = SIM_FAULT_NONE};
    mem_free(&s->allocator, asked.faults, asked.fault_capacity * sizeof *asked.faults);
    return refused;
}

/* Every warp takes one instruction at least, so a launch with more warps than steps is refused. */
static void check_steps(struct sim_run *r)
{
    uint64_t limit = r->launch.step_limit;
    if (limit && r->blocks > (limit - r->steps) / r->warps)
        whole_fault(r, SIM_TIMEOUT,
                    "no end after %" PRIu64 " warp instructions (the step limit): %" PRIu64
                    " blocks of %u warp%s need more",
                    limit, r->blocks, r->warps, r->warps == 1 ? "" : "s");
}

/* ---- setting up ---------------------------------------------------------------------- */

static struct sim_module *module_of(struct sim *s, const struct sim_kernel *k)
{
    for (struct sim_module *m = s->modules; m; m = m->next)
        if (k >= m->kernels && k < m->kernels + m->kernel_count)
            return m;
    return NULL;
}

static bool allocates(const struct sim_module *m)
{
    for (uint32_t i = 0; i < m->reached_count; i++)
        if (m->functions[m->reached[i]].allocates)
            return true;
    return false;
}

static int set_up_memory(struct sim_run *r)
{
    struct sim_module *m = r->module;
    uint64_t local = 0, most = r->sim->limits.local_per_thread;
    bool known;
    module_reach(m, r->function, true);
    if (shared_lay_out(r) < 0)
        return -1;
    for (uint32_t i = 0; i < m->reached_count; i++)
        local += m->functions[m->reached[i]].local_bytes + CALL_BYTES;
    if (module_recursive(m, &r->of_grid, &known) || allocates(m))
        local += RECURSION;
    most = most < WINDOW_SIZE ? most : WINDOW_SIZE;
    most = most > r->function->local_bytes ? most : r->function->local_bytes;
    r->local_per_thread = (uint32_t)((local < most ? local : most) + 15) & ~15u;
    r->hint = arena_alloc(&r->of_grid, (m->count + 1) * sizeof *r->hint);
    r->params = arena_alloc(&r->of_grid, r->function->params_bytes + 16);
    r->tid_rows = arena_alloc(&r->of_grid, (size_t)r->warps * 3 * LANES * sizeof *r->tid_rows);
    if (!known || !r->hint || !r->params || !r->tid_rows)
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

bool is_cooperative(const struct sim_run *r)
{
    return r->launch.kernel->cooperative && !r->launch.plain;
}

uint64_t block_bytes(const struct sim_run *r)
{
    return r->shared_bytes + BLOCK_BYTES +
           r->warps * ((uint64_t)WARP_BYTES + r->function->frame_bytes +
                       (uint64_t)LANES * r->local_per_thread);
}

/* Grid synchronisation: blocks count themselves in a word of the workspace and wait for each
 * other there, so all of them must be resident at once. */
static int set_up_cooperation(struct sim_run *r)
{
    struct allocation *a;
    if (!is_cooperative(r))
        return 0;
    if (r->blocks > r->resident_most)
        whole_fault(r, SIM_BAD_LAUNCH,
                    "%" PRIu64 " blocks can't be resident at once, as a grid that synchronises "
                    "needs: at most %u",
                    r->blocks, r->resident_most);
    else if (!room_for(r->blocks * block_bytes(r)))
        whole_fault(r, SIM_OUT_OF_MEMORY,
                    "%" PRIu64 " blocks that wait for each other need %" PRIu64 " bytes here at "
                    "once: this computer has no room for them",
                    r->blocks, r->blocks * block_bytes(r));
    else if (memory_allocate(r->sim, &r->sim->arrays, WORKSPACE_BYTES, 256,
                             "grid synchronisation", &a) < 0)
        return -1;
    else {
        a->module_owned = true;
        r->workspace = a->address;
    }
    return 0;
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
    const uint64_t bytes = block_bytes(r);
    if (!is_cooperative(r) && r->resident_most > RESIDENT_BYTES / bytes + 1)
        r->resident_most = (unsigned)(RESIDENT_BYTES / bytes + 1);
    if (r->resident_most < r->cluster_blocks)
        r->resident_most = r->cluster_blocks;
}

/* Which cluster is the n-th to start: in order, or a permutation drawn from the seed. */
uint64_t nth_cluster(const struct sim_run *r, uint64_t n)
{
    if (r->launch.schedule == SIM_LOCKSTEP || r->clusters < 2)
        return n;
    if (r->order)
        return r->order[n];
    uint64_t times, at = wide_divide(wide_product(n, r->block_step), r->clusters, &times);
    return at < r->clusters - r->random ? at + r->random : at - (r->clusters - r->random);
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
    r->order = arena_alloc(&r->of_grid, r->clusters * sizeof *r->order);
    if (!r->order)
        return -1;
    for (uint64_t i = 0; i < r->clusters; i++) {
        uint64_t k = random_next(&seed) % (i + 1);
        r->order[i] = r->order[k];
        r->order[k] = (uint32_t)i;
    }
    return 0;
}

/* ---- observers ----------------------------------------------------------------------- */

static unsigned asked_by(const struct sim_hooks *h)
{
    unsigned asked = 0;
#define X(hook) asked |= h->hook ? ASKS(hook) : 0;
    EACH_HOOK(X)
#undef X
    return asked;
}

/* Does this library know all hooks that are asked for? */
static int check_hooks(struct sim *s, const struct sim_launch *launch)
{
    struct sim_hooks hooks;
    for (unsigned i = 0; i < launch->observer_count; i++)
        if (sim_take(s, &hooks, sizeof hooks, launch->observers[i].hooks) != 0)
            return -1;
    return 0;
}

int listeners_room(struct sim_run *r, unsigned count)
{
    r->listeners = arena_alloc(&r->arena, (count + (size_t)1) * sizeof *r->listeners);
    r->of_accesses = arena_alloc(&r->arena, (count + (size_t)1) * sizeof *r->of_accesses);
    return r->listeners && r->of_accesses ? 0 : -1;
}

int listeners_add(struct sim_run *r, const struct sim_hooks *hooks, void *self)
{
    const unsigned asked = asked_by(hooks);
    struct repeat *repeats = NULL;
    if (hooks->repeated &&
        !(repeats = arena_alloc(&r->arena, (r->module->count + 1) * sizeof *repeats)))
        return -1;
    struct listener *l = &r->listeners[r->listener_count++];
    *l = (struct listener){.self = self, .repeats = repeats, .hooks = *hooks};
    l->access[SIM_LOAD] = hooks->load;
    l->access[SIM_STORE] = hooks->store;
    l->access[SIM_ATOMIC] = l->access[SIM_REDUCE] = hooks->atomic;
    r->asked |= asked;
    if (asked & (ASKS(load) | ASKS(store) | ASKS(atomic)))
        r->of_accesses[r->of_accesses_count++] = *l;
    return 0;
}

void listeners_ready(struct sim_run *r)
{
    if (r->of_accesses_count == 1 && r->of_accesses[0].repeats)
        r->counts = r->of_accesses;
}

static int set_up_listeners(struct sim_run *r)
{
    const struct sim_observer *o = r->launch.observers;
    struct sim_hooks hooks;
    if (listeners_room(r, r->launch.observer_count) < 0)
        return -1;
    for (unsigned i = 0; i < r->launch.observer_count; i++) {
        sim_take(r->sim, &hooks, sizeof hooks, o[i].hooks);
        if (listeners_add(r, &hooks, o[i].self) < 0)
            return -1;
    }
    listeners_ready(r);
    return 0;
}

static struct sim_begin begin_of(struct sim_run *r)
{
    struct sim_begin begin = {.run = r,
                              .code = r->module->shown,
                              .code_count = r->module->count,
                              .shared_bytes = r->shared_bytes,
                              .local_bytes = r->local_per_thread,
                              .system_at = r->shared.system_at,
                              .system_bytes = r->shared.system_bytes};
    memcpy(begin.grid, r->launch.grid, sizeof begin.grid);
    memcpy(begin.block, r->launch.block, sizeof begin.block);
    memcpy(begin.cluster, r->cluster, sizeof begin.cluster);
    return begin;
}

void run_tell_begin(struct sim_run *r)
{
    const struct sim_begin begin = begin_of(r);
    TELL(r, begin, &begin);
}

static void tell_grid(struct sim_run *r)
{
    const struct run_grid *g = r->grid;
    const struct sim_grid grid = {.begin = begin_of(r), .number = g->number,
                                  .parent = g->parent->number, .stream = g->stream,
                                  .tail = g->tail_launch, .events = g->parent->in_order};
    TELL(r, grid, &grid);
}

/* ---- a grid -------------------------------------------------------------------------- */

int start_grid(struct sim_run *r)
{
    const struct sim_launch *launch = &r->launch;
    r->function = &r->module->functions[r->module->kernel_function[launch->kernel -
                                                                  r->module->kernels]];
    r->threads = (unsigned)product(launch->block);
    r->warps = (r->threads + LANES - 1) / LANES;
    r->blocks = product(launch->grid);
    r->finished = r->started = 0;
    r->chosen = (struct run_chosen){.goes_first = false};
    cluster_shape(r);
    r->clusters = r->until = r->blocks / r->cluster_blocks;
    check_steps(r);
    if (r->status == SIM_FAULTED)
        return -1;
    if (set_up_memory(r) < 0 || set_up_order(r) < 0) {
        run_out_of_memory(r);
        return -1;
    }
    set_up_residency(r);
    if (set_up_cooperation(r) < 0)
        run_out_of_memory(r);
    if (r->status == SIM_FAULTED)
        return -1;
    still_begin(r);
    if (r->grid->number)
        tell_grid(r);
    return 0;
}

void end_grid(struct sim_run *r)
{
    struct allocation *a = r->workspace ? memory_near(r->sim, r->workspace) : NULL;
    if (a)
        memory_drop(r->sim, a);
    r->workspace = 0;
    arena_free(&r->of_grid);
    r->of_grid = (struct arena){.from = &r->sim->allocator};
    r->shared = (struct shared_layout){.piece = NULL};
    r->spare_clusters = NULL;
    r->order = NULL;
}

struct sim_run *sim_start(struct sim *s, const struct sim_launch *launch)
{
    struct sim_launch taken;
    if (sim_not_running(s, "another one starts") != 0 ||
        sim_take(s, &taken, sizeof taken, launch) != 0 || check_hooks(s, &taken) != 0)
        return NULL;
    struct sim_module *m = taken.kernel ? module_of(s, taken.kernel) : NULL;
    struct sim_run *r = m ? mem_alloc(&s->allocator, sizeof *r) : NULL;
    if (!r) {
        sim_fail(s, 0, m ? "out of memory" : "no such kernel is loaded");
        return NULL;
    }
    r->arena.from = r->of_grid.from = &s->allocator;
    s->running = r;
    r->sim = s;
    r->module = m;
    r->launch = taken;
    r->seed = taken.seed;
    r->grid = &r->host_grid;
    r->host_grid.kernel = taken.kernel;
    if (is_refused(r))
        return r;
    r->tally = arena_alloc(&r->arena, (m->count + 1) * sizeof *r->tally);
    if (!r->tally || set_up_listeners(r) < 0) {
        run_out_of_memory(r);
        return r;
    }
    if (start_grid(r) < 0)
        return r;
    heap_begin(r);
    r->trial = r->clusters > 1;
    run_tell_begin(r);
    return r;
}
