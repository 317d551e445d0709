/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When a launch gets workers, and what becomes of them: see cores.h.
 *
 * What can't be the same on several cores is known beforehand for most kernels: see can_share().
 * A kernel for which the guess was wrong stays on one core for its next launches.
 */
#include "sim/cores.h"

#include <string.h>

/* Warp instructions on one core before it is decided; of a launch that is worth the workers; of a
 * share that is worth one. After a wrong guess, so many launches of the kernel stay on one core.
 * Fewer pages than FEW_PAGES are compared by one thread. A worker takes PART instructions at a
 * time. A test build shares nearly all launches, so that all tests of kernels are tests of this. */
#ifdef TEST_BUILD
enum { TRIAL = 1 << 6, WORTH = 1, SHARE = 1, SHUNNED = 0, FEW_PAGES = 2, PART = 1 << 6 };
#else
enum { TRIAL = 1 << 14, WORTH = 1 << 17, SHARE = 1 << 15, SHUNNED = 16, FEW_PAGES = 256,
       PART = 1 << 15 };
#endif
enum { CHUNKS = 32, MOST_CHUNK = 4096, MOST_ALLOCATIONS = 4096 };

/* ---- may the launch be shared? --------------------------------------------------------- */

static bool is_time(const char *text)
{
    return strstr(text, "%clock") || strstr(text, "%globaltimer");
}

/* May instruction pc of the function run beside other blocks? Time, memory from malloc, child grids
 * and results of atomics depend on the order of blocks. Nothing notes what images touch, nor bulk
 * copies. */
static bool can_share(const struct sim_module *m, const struct function *f, uint32_t pc)
{
    const struct sim_instruction *i = &m->shown[pc];
    const bool atomic = m->code[pc].access >= SIM_ATOMIC && m->code[pc].space == SIM_GLOBAL;
    if (i->kind == SIM_CLASS_TEXTURE || i->kind == SIM_CLASS_BULK ||
        i->kind == SIM_CLASS_MBARRIER || i->callee == SIM_CALL_MALLOC ||
        i->callee == SIM_CALL_FREE || i->callee == SIM_CALL_RUNTIME || is_time(i->text))
        return false;
    return !(atomic && (m->code[pc].bytes > 8 || atomics_result_used(m, f, pc)));
}

/* Of all that the kernel can reach. */
static bool kernel_can(const struct sim_run *r)
{
    const struct sim_module *m = r->module;
    if (is_cooperative(r) || r->still.possible)
        return false;
    for (uint32_t i = 0; i < m->reached_count; i++) {
        const struct function *f = &m->functions[m->reached[i]];
        for (uint32_t pc = f->entry; pc < f->end; pc++)
            if (!can_share(m, f, pc))
                return false;
    }
    return true;
}

static bool observers_can(const struct sim_run *r)
{
    for (unsigned i = 0; i < r->listener_count; i++) {
        const struct sim_hooks *h = &r->listeners[i].hooks;
        if (!h->split || !h->join || (h->clean && !h->clean(r->listeners[i].self)))
            return false;
    }
    return true;
}

/* A caller's own allocator is never called by two threads. Heap memory of earlier launches has no
 * saved pages. */
static bool sim_can(const struct sim *s)
{
    return s->allocator.resize == allocator_libc.resize && !s->heap_bytes &&
           s->allocation_count <= MOST_ALLOCATIONS;
}

static bool is_clean(const struct sim_run *r)
{
    return r->status == SIM_RUNNING && !r->fault_count && !r->print_count && !r->prints_lost &&
           !r->text_made && !r->pending && !r->grid->number;
}

static struct function *function_of(const struct sim_run *r)
{
    return &r->module->functions[r->function - r->module->functions];
}

static unsigned workers_for(const struct sim_run *r, uint64_t work)
{
    uint64_t most = r->sim->cores ? r->sim->cores : threads_most();
    most = most < SIM_CORES_MOST ? most : SIM_CORES_MOST;
    most = most < work / SHARE ? most : work / SHARE;
    return (unsigned)(most < r->clusters / 2 ? most : r->clusters / 2);
}

/* ---- the workers begin ----------------------------------------------------------------- */

static void forget_pages(struct sim *s)
{
    for (size_t i = 0; i < s->allocation_count; i++) {
        struct allocation *a = s->allocations[i];
        mem_free(&s->allocator, a->saved, (a->size + PAGE - 1) / PAGE);
        a->saved = NULL;
    }
}

/* From now on all workers know which pages are saved. */
static int share_pages(struct sim_run *r)
{
    struct sim *s = r->sim;
    for (size_t i = 0; i < s->allocation_count; i++) {
        struct allocation *a = s->allocations[i];
        if (!a->freed && !a->constant &&
            !(a->saved = mem_alloc(&s->allocator, (a->size + PAGE - 1) / PAGE)))
            return -1;
    }
    for (size_t i = 0; i < r->saved_count; i++)
        r->saved[i]->of->saved[r->saved[i]->page] = PAGE_SAVED;
    return 0;
}

/* All is as before the launch: it begins anew. */
static void start_over(struct sim_run *r)
{
    memory_restore(r);
    run_rewind(r);
    run_tell_begin(r);
}

static void free_worker(struct cores *c, struct worker *w, bool counts)
{
    const struct sim_run *r = c->run;
    for (unsigned i = 0; i < w->run.listener_count; i++)
        r->listeners[i].hooks.join(r->listeners[i].self, w->run.listeners[i].self, counts);
    run_free(&w->run);
    mem_free(&r->sim->allocator, w, sizeof *w);
}

/* Observers of its own. One worker at a time asks for them. */
static bool split_observers(struct worker *w)
{
    const struct sim_run *r = w->cores->run;
    bool made = listeners_room(&w->run, r->listener_count) == 0;
    while (__atomic_test_and_set(&w->cores->splitting, __ATOMIC_ACQUIRE))
        ;
    for (unsigned i = 0; made && i < r->listener_count; i++) {
        const struct listener *l = &r->listeners[i];
        void *self = l->hooks.split(l->self);
        made = self && listeners_add(&w->run, &l->hooks, self) == 0;
        if (self && !made)
            l->hooks.join(l->self, self, false);
    }
    __atomic_clear(&w->cores->splitting, __ATOMIC_RELEASE);
    return made;
}

/* In its own thread a worker gets what it needs. What it has in common with the launch's own run,
 * it only reads. False: memory is out. */
static bool begin_worker(struct worker *w)
{
    const struct cores *c = w->cores;
    const struct sim_run *r = c->run;
    struct sim_run *own = &w->run;
    const size_t rows = r->module->count + 1;
    w->begun = true;
    own->resident_most = r->resident_most / c->count > r->cluster_blocks
                             ? r->resident_most / c->count
                             : r->cluster_blocks;
    own->tally = arena_alloc(&own->arena, rows * sizeof *own->tally);
    own->hint = arena_alloc(&own->arena, rows * sizeof *own->hint);
    w->sums = arena_alloc(&own->arena, (r->sim->allocation_count + 1) * sizeof *w->sums);
    if (!own->tally || !own->hint || !w->sums || touched_begin(own, &w->touched) < 0 ||
        !split_observers(w))
        return false;
    listeners_ready(own);
    own->asked |= ASKS(load) | ASKS(store) | ASKS(atomic);
    run_tell_begin(own);
    return true;
}

/* The workers share the steps, and take a part at a time until none are left. So nobody waits for a
 * worker whose core has other work too. */
static void run_worker(void *cores, unsigned number)
{
    struct cores *c = cores;
    struct worker *w = c->workers[number];
    uint64_t done;
    if (!w->begun && !begin_worker(w)) {
        cores_give_up(&w->run);
        return;
    }
    do {
        done = w->run.steps;
        run_turns(&w->run, c->share);
        done = w->run.steps - done;
    } while (__atomic_sub_fetch(&c->steps, (int64_t)done, __ATOMIC_RELAXED) > 0 &&
             done >= c->share);
}

static bool make_workers(struct cores *c, unsigned count)
{
    struct allocator *from = &c->run->sim->allocator;
    c->workers = arena_alloc(&c->run->of_grid, count * sizeof *c->workers);
    for (; c->workers && c->count < count; c->count++) {
        struct worker *w = mem_alloc(from, sizeof *w);
        if (!w)
            return false;
        w->cores = c;
        w->chunk = UINT64_MAX;
        run_copy(&w->run, c->run);
        w->run.worker = w;
        w->run.touched = &w->touched;
        c->workers[c->count] = w;
    }
    return c->workers && atomics_begin(c) && share_pages(c->run) == 0 &&
           threads_ready(&c->run->sim->threads, from, count - 1);
}

/* -1: there is no room for it, and the launch goes on on one core from its beginning. */
static int begin(struct sim_run *r, unsigned count)
{
    struct cores *c = arena_alloc(&r->of_grid, sizeof *c);
    if (!c)
        return -1;
    start_over(r);
    *c = (struct cores){.run = r, .asked = r->asked};
    c->chunk = r->clusters / ((uint64_t)count * CHUNKS) + 1;
    c->chunk = c->chunk < MOST_CHUNK ? c->chunk : MOST_CHUNK;
    r->cores = c;
    if (!make_workers(c, count)) {
        cores_end(r, false);
        return -1;
    }
    r->asked = 0;
    return 0;
}

/* How many instructions the launch may have, by those of the blocks that have ended. */
static uint64_t estimate(const struct sim_run *r)
{
    const uint64_t each = r->finished ? r->steps / r->finished : r->steps;
    return each < UINT64_MAX / r->blocks ? each * r->blocks : UINT64_MAX;
}

bool cores_decide(struct sim_run *r)
{
    if ((!r->finished && r->steps < TRIAL) || (r->finished && estimate(r) < WORTH && r->steps < TRIAL))
        return false;
    struct function *f = function_of(r);
    r->trial = false;
    if (estimate(r) < WORTH || !is_clean(r) || !sim_can(r->sim))
        return false;
    if (f->shunned) {
        f->shunned--;
        return false;
    }
    const unsigned count = workers_for(r, estimate(r));
    if (count < 2 || !observers_can(r))
        return false;
    if (f->shares == SHARES_UNKNOWN)
        f->shares = kernel_can(r) ? SHARES_YES : SHARES_NO;
    return f->shares == SHARES_YES && begin(r, count) == 0;
}

/* ---- while they run -------------------------------------------------------------------- */

void cores_give_up(struct sim_run *r)
{
    __atomic_store_n(&r->worker->cores->stop, true, __ATOMIC_RELAXED);
}

/* Findings and text depend on who came first. */
static bool worker_is_clean(const struct sim_run *r)
{
    bool clean = is_clean(r);
    for (unsigned i = 0; clean && i < r->listener_count; i++)
        if (r->listeners[i].hooks.clean)
            clean = r->listeners[i].hooks.clean(r->listeners[i].self);
    return clean;
}

bool cores_chunk(struct sim_run *r)
{
    struct worker *w = r->worker;
    struct cores *c = w->cores;
    if (!worker_is_clean(r))
        cores_give_up(r);
    if (cores_stop(r))
        return false;
    atomics_chunk_done(w);
    const uint64_t from = __atomic_fetch_add(&c->next, c->chunk, __ATOMIC_RELAXED);
    if (from >= r->clusters)
        return false;
    w->chunk = from / c->chunk;
    r->started = from;
    r->until = r->clusters - from < c->chunk ? r->clusters : from + c->chunk;
    return true;
}

static void gather(const struct cores *c, struct touched_bytes *all[SIM_CORES_MOST])
{
    for (unsigned i = 0; i < c->count; i++)
        all[i] = &c->workers[i]->touched;
}

/* The workers share the pages, each count-th one. */
static void look_for_meeting(void *cores, unsigned number)
{
    const struct cores *c = cores;
    struct touched_bytes *all[SIM_CORES_MOST];
    gather(c, all);
    c->workers[number]->met = touched_meet(c->run->sim, all, c->count, number, c->count);
}

static bool have_met(struct cores *c)
{
    struct touched_bytes *all[SIM_CORES_MOST];
    bool met = false;
    gather(c, all);
    if (touched_pages(c->run->sim, all, c->count) < FEW_PAGES)
        return touched_meet(c->run->sim, all, c->count, 0, 1);
    threads_do(c->run->sim->threads, c->count, look_for_meeting, c);
    for (unsigned i = 0; i < c->count; i++)
        met |= c->workers[i]->met;
    return met;
}

/* What all workers did together, and is it too much or of the wrong kind? */
static bool is_wrong(const struct cores *c, uint64_t *steps, uint64_t *finished)
{
    const uint64_t limit = c->run->launch.step_limit;
    bool wrong = __atomic_load_n(&c->stop, __ATOMIC_RELAXED), mixed = false, logged = false;
    *steps = *finished = 0;
    for (unsigned i = 0; i < c->count; i++) {
        const struct sim_run *r = &c->workers[i]->run;
        wrong |= !worker_is_clean(r);
        *steps += r->steps;
        *finished += r->finished;
        mixed |= r->mixed;
        logged |= c->workers[i]->logged;
    }
    wrong |= mixed && logged; /* the order of kept atomics is not known */
    return wrong || (limit && (*steps > limit || (*steps == limit && *finished < c->run->blocks)));
}

static void add_up(struct cores *c)
{
    struct sim_run *r = c->run;
    for (unsigned i = 0; i < c->count; i++) {
        struct sim_run *own = &c->workers[i]->run;
        run_tell_repeated(own);
        for (uint32_t pc = 0; pc < r->module->count; pc++) {
            r->tally[pc].warps += own->tally[pc].warps;
            r->tally[pc].lanes += own->tally[pc].lanes;
            r->tally[pc].off += own->tally[pc].off;
            r->tally[pc].diverged += own->tally[pc].diverged;
            r->tally[pc].absent += own->tally[pc].absent;
        }
        r->steps += own->steps;
        r->finished += own->finished;
    }
    r->started = r->clusters;
}

bool cores_step(struct sim_run *r, uint64_t steps)
{
    struct cores *c = r->cores;
    uint64_t done, finished;
    c->steps = (int64_t)(steps < INT64_MAX / c->count ? steps * c->count : INT64_MAX);
    c->share = steps < PART ? steps : PART;
    threads_do(c->run->sim->threads, c->count, run_worker, c);
    bool wrong = is_wrong(c, &done, &finished);
    const bool all = finished == r->blocks;
    if (!wrong && (all || done >= 2 * c->compared)) {
        wrong = have_met(c);
        c->compared = done;
    }
    c->finished = finished;
    if (!wrong && !all)
        return true;
    wrong = wrong || !atomics_finish(c);
    if (!wrong)
        add_up(c);
    else
        function_of(r)->shunned = SHUNNED;
    cores_end(r, !wrong);
    return false;
}

/* ---- the end --------------------------------------------------------------------------- */

void cores_end(struct sim_run *r, bool right)
{
    struct cores *c = r->cores;
    for (unsigned i = 0; !right && i < c->count; i++)
        memory_restore(&c->workers[i]->run);
    if (!right)
        memory_restore(r);
    atomics_free(c);
    for (unsigned i = 0; i < c->count; i++)
        free_worker(c, c->workers[i], right);
    forget_pages(r->sim);
    r->asked = c->asked;
    r->cores = NULL;
}

/* The worker that is furthest behind has the block that a launch on one core would stand at. */
struct sim_run *cores_standing(struct sim_run *r)
{
    struct sim_run *at = NULL;
    for (unsigned i = 0; r->cores && i < r->cores->count; i++) {
        struct sim_run *own = &r->cores->workers[i]->run;
        if (own->resident && (!at || own->resident->index < at->resident->index))
            at = own;
    }
    if (!r->cores)
        return r;
    at = at ? at : &r->cores->workers[0]->run;
    at->finished = r->cores->finished;
    return at;
}

void cores_stopped(struct sim_run *r, struct sim_run *at)
{
    if (at == r)
        return;
    r->faults = at->faults;
    r->fault_count = at->fault_count;
    r->fault_capacity = at->fault_capacity;
    r->status = at->status;
    at->faults = NULL;
    at->fault_capacity = at->fault_count = 0;
    cores_end(r, false);
}
