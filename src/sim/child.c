/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps the child grids of a launch, and says which of them begins next. How one is launched is in
 * runtime.c, how it runs in launch.c.
 */
#include "sim/run.h"

#include <stdlib.h>

static void append(struct grid_list *l, struct run_grid *g)
{
    g->next = NULL;
    if (l->last)
        l->last->next = g;
    else
        l->first = g;
    l->last = g;
}

static struct run_grid *take_first(struct grid_list *l)
{
    struct run_grid *g = l->first;
    if (g && !(l->first = g->next))
        l->last = NULL;
    return g;
}

static void forget(struct sim_run *r, struct run_grid *g)
{
    struct allocator *from = &r->sim->allocator;
    struct allocation *a = g->buffer ? memory_near(r->sim, g->buffer) : NULL;
    if (a && a->address == g->buffer)
        memory_drop(r->sim, a);
    mem_free(from, g->params, g->params ? g->kernel->param_bytes + GRID_PARAMS_EXTRA : 0);
    if (g != &r->host_grid)
        mem_free(from, g, sizeof *g);
}

struct run_grid *child_prepare(struct sim_run *r)
{
    const size_t kernels = sim_kernel_count(r->module);
    if (!r->child_kernels &&
        !(r->child_kernels = arena_alloc(&r->arena, (kernels + 1) * sizeof *r->child_kernels)))
        return NULL;
    struct run_grid *g = mem_alloc(&r->sim->allocator, sizeof *g);
    if (!g)
        return NULL;
    g->parent = r->grid;
    g->depth = r->grid->depth + 1;
    g->next = r->prepared;
    r->prepared = g;
    r->pending++;
    return g;
}

/* Threads launch soon after they got a buffer, so the latest grids are asked first. */
struct run_grid *child_prepared(struct sim_run *r, uint64_t buffer)
{
    struct run_grid *g = r->prepared;
    while (g && g->buffer != buffer)
        g = g->next;
    return g;
}

static void take_prepared(struct sim_run *r, const struct run_grid *g)
{
    struct run_grid **at = &r->prepared;
    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
}

void child_queue(struct sim_run *r, struct run_grid *g)
{
    take_prepared(r, g);
    g->number = ++r->child_grids;
    const size_t kernel = (size_t)(g->kernel - sim_kernel_at(r->module, 0));
    if (kernel < sim_kernel_count(r->module)) /* else it is one of the runtime's own */
        r->child_kernels[kernel]++;
    append(g->tail_launch ? &g->parent->tail : &g->parent->children, g);
}

void child_drop(struct sim_run *r, struct run_grid *g)
{
    take_prepared(r, g);
    r->pending--;
    forget(r, g);
}

/* ---- their order --------------------------------------------------------------------- */

static int by_stream(const void *a, const void *b)
{
    const struct run_grid *x = *(struct run_grid *const *)a, *y = *(struct run_grid *const *)b;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_drawn(const void *a, const void *b)
{
    const struct run_grid *x = *(struct run_grid *const *)a, *y = *(struct run_grid *const *)b;
    if (x->drawn != y->drawn)
        return x->drawn < y->drawn ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Draws a place for each grid. Those of one stream share their places in the order of their
 * launches. */
static void draw_places(struct sim_run *r, const struct run_grid *parent, struct run_grid **all,
                        uint64_t *drawn, size_t count)
{
    uint64_t seed = r->seed ^ (parent->number + 1) * UINT64_C(0x8cb92ba72f3d8dd7);
    qsort(all, count, sizeof(struct run_grid *), by_stream);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && all[end]->stream == all[i]->stream; end++)
            drawn[end] = random_next(&seed);
        qsort(drawn + i, end - i, sizeof *drawn, by_size);
        for (size_t k = i; k < end; k++)
            all[k]->drawn = drawn[k];
    }
    qsort(all, count, sizeof(struct run_grid *), by_drawn);
}

/* Without memory for it, they run in the order of their launches, which is right as well. */
static void decide_order(struct sim_run *r, struct run_grid *parent)
{
    struct allocator *from = &r->sim->allocator;
    struct grid_list old = parent->children;
    size_t count = 0;
    parent->ready = true;
    for (const struct run_grid *g = old.first; g; g = g->next)
        count++;
    if (r->launch.schedule == SIM_LOCKSTEP || parent->in_order || count < 2)
        return;
    struct run_grid **all = mem_alloc(from, count * sizeof(struct run_grid *));
    uint64_t *drawn = mem_alloc(from, count * sizeof *drawn);
    for (size_t i = 0; all && drawn && i < count; i++)
        all[i] = take_first(&parent->children);
    if (all && drawn)
        draw_places(r, parent, all, drawn, count);
    for (size_t i = 0; all && drawn && i < count; i++)
        append(&parent->children, all[i]);
    mem_free(from, all, all ? count * sizeof(struct run_grid *) : 0);
    mem_free(from, drawn, drawn ? count * sizeof *drawn : 0);
}

struct run_grid *child_next(struct sim_run *r)
{
    struct run_grid *next = NULL;
    while (r->prepared)
        child_drop(r, r->prepared);
    while (r->pending && !next) {
        struct run_grid *g = r->grid;
        if (!g->ready)
            decide_order(r, g);
        next = take_first(g->children.first ? &g->children : &g->tail);
        if (next)
            continue;
        r->grid = g->parent;
        forget(r, g);
    }
    if (next) {
        r->pending--;
        next->streams = r->streams;
        r->grid = next;
    }
    return next;
}

/* Forgets the children of a grid, and then the grid, without recursion. */
void child_end(struct sim_run *r)
{
    while (r->prepared)
        child_drop(r, r->prepared);
    while (r->grid) {
        struct run_grid *g = r->grid, *child = take_first(&g->children);
        child = child ? child : take_first(&g->tail);
        r->grid = child ? child : g->parent;
        if (!child)
            forget(r, g);
    }
}
