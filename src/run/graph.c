/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graphs: their nodes and edges, copies of them, and the launch.
 */
#include "run/graph.h"

#include "base/mem.h"

#include <string.h>

/* ---- graphs and nodes ------------------------------------------------------------------ */

struct run_graph *graph_of(const struct run *r, uint64_t handle, bool is_exec)
{
    struct run_graph *g = handle && handle <= r->graph_count ? r->graphs[handle - 1] : NULL;
    return g && g->is_exec == is_exec ? g : NULL;
}

struct run_node *graph_node(const struct run_graph *g, uint64_t number)
{
    const size_t i = g && number ? graph_index(g, number) : 0;
    return g && number && i < g->count && g->nodes[i]->number == number ? g->nodes[i] : NULL;
}

struct run_node *graph_find(const struct run *r, uint64_t number, uint64_t *handle)
{
    for (*handle = 1; *handle <= r->graph_count; ++*handle) {
        struct run_node *n = graph_node(graph_of(r, *handle, false), number);
        if (n)
            return n;
    }
    return NULL;
}

int32_t graph_make(struct run *r, unsigned level, uint64_t *handle)
{
    *handle = 0;
    if (level > GRAPH_LEVELS) {
        report_remark(r->report, "a graph in more than %d others is refused", GRAPH_LEVELS);
        return cudaErrorNotSupported;
    }
    struct run_graph *g = mem_alloc(&allocator_libc, sizeof *g);
    if (!g || mem_grow(&allocator_libc, (void **)&r->graphs, &r->graph_capacity, r->graph_count,
                       sizeof *r->graphs) != 0) {
        mem_free(&allocator_libc, g, g ? sizeof *g : 0);
        return cudaErrorMemoryAllocation;
    }
    *handle = r->graph_count + 1;
    *g = (struct run_graph){.handle = *handle, .level = level};
    r->graphs[r->graph_count++] = g;
    return 0;
}

static void free_node(struct run *r, struct run_node *n)
{
    if (n->child)
        graph_free(r, n->child);
    for (size_t i = 0; i < n->body_count; i++)
        graph_free(r, n->bodies[i]);
    mem_free(&allocator_libc, n->bodies, n->body_count * sizeof *n->bodies);
    mem_free(&allocator_libc, n->params, n->params ? n->message.bytes : 0);
    mem_free(&allocator_libc, n->after, n->after_count * sizeof *n->after);
    mem_free(&allocator_libc, n, sizeof *n);
}

void graph_free(struct run *r, uint64_t handle)
{
    struct run_graph *g = r->graphs[handle - 1];
    r->graphs[handle - 1] = NULL;
    for (size_t i = 0; i < g->count; i++)
        free_node(r, g->nodes[i]);
    mem_free(&allocator_libc, g->nodes, g->count * sizeof *g->nodes);
    run_clock_free(&g->clock);
    mem_free(&allocator_libc, g, sizeof *g);
}

void run_forget_graphs(struct run *r)
{
    for (uint64_t handle = 1; handle <= r->graph_count; handle++)
        if (r->graphs[handle - 1])
            graph_free(r, handle);
    mem_free(&allocator_libc, r->graphs, r->graph_capacity * sizeof *r->graphs);
    r->graphs = NULL;
    r->graph_count = r->graph_capacity = 0;
    run_forget_conditions(r);
}

int32_t graph_set(struct run_node *n, const struct run_message *m, const void *params)
{
    const uint64_t bytes = params ? m->bytes : 0; /* others may come with a request, for nothing */
    void *kept = bytes ? mem_alloc(&allocator_libc, bytes) : NULL;
    if (bytes && !kept)
        return cudaErrorMemoryAllocation;
    if (bytes)
        memcpy(kept, params, bytes);
    mem_free(&allocator_libc, n->params, n->params ? n->message.bytes : 0);
    n->params = kept;
    n->message = *m;
    n->message.bytes = bytes;
    return 0;
}

int32_t graph_add_edge(struct run_node *from, struct run_node *to)
{
    uint64_t *grown = mem_resize(&allocator_libc, to->after, to->after_count * sizeof *grown,
                                 (to->after_count + 1) * sizeof *grown);
    if (!grown)
        return cudaErrorMemoryAllocation;
    to->after = grown;
    to->after[to->after_count++] = from->number;
    return 0;
}

int32_t graph_add(struct run *r, uint64_t handle, enum cudaGraphNodeType type,
                  const struct run_message *m, const void *params, const uint64_t *after,
                  size_t count, struct run_node **out)
{
    struct run_graph *g = r->graphs[handle - 1];
    struct run_node *n = mem_alloc(&allocator_libc, sizeof *n);
    struct run_node **grown = mem_resize(&allocator_libc, g->nodes, g->count * sizeof *grown,
                                         (g->count + 1) * sizeof *grown);
    if (grown)
        g->nodes = grown;
    int32_t error = n && grown ? 0 : cudaErrorMemoryAllocation;
    if (n)
        *n = (struct run_node){.number = r->node_count + 1, .type = type};
    if (!error)
        error = graph_set(n, m, params);
    for (size_t i = 0; i < count && !error; i++) {
        struct run_node *before = graph_node(g, after[i]);
        bool twice = false;
        for (size_t k = 0; k < i; k++)
            twice = twice || after[k] == after[i];
        error = before && !twice ? graph_add_edge(before, n) : cudaErrorInvalidValue;
    }
    if (error) {
        if (n)
            free_node(r, n);
        return error;
    }
    r->node_count++;
    g->nodes[g->count++] = n;
    *out = n;
    return 0;
}

static void drop_edge(struct run_node *n, uint64_t to)
{
    size_t kept = 0;
    for (size_t i = 0; i < n->after_count; i++)
        if (n->after[i] != to)
            n->after[kept++] = n->after[i];
    if (kept == n->after_count)
        return;
    n->after = mem_resize(&allocator_libc, n->after, n->after_count * sizeof *n->after,
                          kept * sizeof *n->after);
    n->after_count = kept;
}

void graph_remove(struct run *r, struct run_graph *g, struct run_node *n)
{
    size_t kept = 0;
    for (size_t i = 0; i < g->count; i++) {
        drop_edge(g->nodes[i], n->number);
        if (g->nodes[i] != n)
            g->nodes[kept++] = g->nodes[i];
    }
    g->nodes = mem_resize(&allocator_libc, g->nodes, g->count * sizeof *g->nodes,
                          kept * sizeof *g->nodes);
    g->count = kept;
    free_node(r, n);
}

/* ---- copies ---------------------------------------------------------------------------- */

/* The numbers of nodes grow along the list. */
size_t graph_index(const struct run_graph *g, uint64_t number)
{
    size_t low = 0, high = g->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->nodes[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Edges of the copy lead to the nodes at the same places. */
static int32_t copy_edges(const struct run_graph *from, const struct run_graph *to)
{
    int32_t error = 0;
    for (size_t i = 0; i < from->count; i++)
        for (size_t k = 0; k < from->nodes[i]->after_count && !error; k++)
            error = graph_add_edge(to->nodes[graph_index(from, from->nodes[i]->after[k])],
                                   to->nodes[i]);
    return error;
}

/* The copy of a node gets copies of the graphs that are in it. */
static int32_t copy_inner(struct run *r, const struct run_node *from, unsigned level,
                          struct run_node *to)
{
    const size_t bytes = from->body_count * sizeof *to->bodies;
    int32_t error = from->child ? graph_copy(r, from->child, level, &to->child) : 0;
    if (to->child)
        r->graphs[to->child - 1]->is_child = true;
    to->bodies = bytes && !error ? mem_alloc(&allocator_libc, bytes) : NULL;
    if (bytes && !error && !to->bodies)
        error = cudaErrorMemoryAllocation;
    while (!error && to->body_count < from->body_count) {
        uint64_t *body = &to->bodies[to->body_count];
        error = graph_copy(r, from->bodies[to->body_count], level, body);
        if (!error) {
            r->graphs[*body - 1]->is_child = true;
            to->body_count++;
        }
    }
    if (error && to->bodies)
        to->bodies = mem_resize(&allocator_libc, to->bodies, bytes,
                                to->body_count * sizeof *to->bodies);
    return error;
}

int32_t graph_copy(struct run *r, uint64_t from, unsigned level, uint64_t *handle)
{
    int32_t error = graph_make(r, level, handle);
    if (error)
        return error;
    const size_t count = r->graphs[from - 1]->count;
    for (size_t i = 0; i < count && !error; i++) {
        const struct run_node *n = r->graphs[from - 1]->nodes[i];
        struct run_node *made;
        error = graph_add(r, *handle, n->type, &n->message, n->params, NULL, 0, &made);
        if (error)
            break;
        made->origin = n->number;
        made->disabled = n->disabled;
        error = copy_inner(r, n, level + 1, made);
    }
    if (!error)
        error = copy_edges(r->graphs[from - 1], r->graphs[*handle - 1]);
    if (error) {
        graph_free(r, *handle);
        *handle = 0;
    }
    return error;
}

/* ---- launching ------------------------------------------------------------------------- */

bool graph_sort(const struct run_graph *g, size_t *place)
{
    size_t sorted = 0;
    for (size_t i = 0; i < g->count; i++)
        g->nodes[i]->operation = 0;
    for (size_t before = SIZE_MAX; sorted < g->count && before != sorted;) {
        before = sorted;
        for (size_t i = 0; i < g->count; i++) {
            bool ready = !g->nodes[i]->operation;
            for (size_t k = 0; k < g->nodes[i]->after_count && ready; k++)
                ready = g->nodes[graph_index(g, g->nodes[i]->after[k])]->operation;
            if (ready) {
                place[sorted++] = i;
                g->nodes[i]->operation = 1;
            }
        }
    }
    return sorted == g->count;
}

static const struct run_message nothing = {.what = RUN_EMPTY};

static int32_t enqueue_nodes(struct run *r, const struct run_graph *g, size_t begin, size_t *end);

/* A node that waits for no other comes behind the operation that begins the launch. */
static int32_t enqueue_node(struct run *r, const struct run_graph *g, struct run_node *n,
                            size_t begin)
{
    const size_t bytes = (n->after_count + 1) * sizeof(size_t);
    size_t *after = mem_alloc(&allocator_libc, bytes);
    if (!after)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < n->after_count; i++)
        after[i] = g->nodes[graph_index(g, n->after[i])]->operation;
    after[n->after_count] = begin;
    const bool runs = !n->disabled && !n->child;
    const struct run_message m = graph_condition(g, n);
    int32_t error = run_enqueue_after(r, runs ? &m : &nothing, RUN_NO_STREAM, n->params, after,
                                      (unsigned)n->after_count + 1, &n->operation);
    if (!error && runs)
        graph_guard_bodies(r, n->operation, n);
    if (!error && n->child && !n->disabled)
        error = enqueue_nodes(r, r->graphs[n->child - 1], n->operation, &n->operation);
    mem_free(&allocator_libc, after, bytes);
    return error;
}

static int32_t enqueue_nodes(struct run *r, const struct run_graph *g, size_t begin, size_t *end)
{
    const size_t bytes = (g->count + 1) * sizeof(size_t);
    size_t *place = mem_alloc(&allocator_libc, bytes);
    if (!place)
        return cudaErrorMemoryAllocation;
    int32_t error = graph_sort(g, place) ? 0 : cudaErrorInvalidValue;
    for (size_t i = 0; i < g->count && !error; i++)
        error = enqueue_node(r, g, g->nodes[place[i]], begin);
    for (size_t i = 0; i < g->count; i++)
        place[i] = g->nodes[i]->operation;
    place[g->count] = begin;
    if (!error)
        error = run_enqueue_after(r, &nothing, RUN_NO_STREAM, NULL, place,
                                  (unsigned)g->count + 1, end);
    mem_free(&allocator_libc, place, bytes);
    return error;
}

/* Memory that an earlier launch brought and that is still there can't come again. */
static int32_t free_first(struct run *r, const struct run_graph *g)
{
    for (size_t i = 0; i < g->count; i++) {
        const struct run_node *n = g->nodes[i];
        if (n->type != cudaGraphNodeTypeMemAlloc)
            continue;
        run_wait_all(r);
        if (!run_is_there(r, n->message.number[0]))
            continue;
        if (!(g->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch))
            return cudaErrorInvalidValue;
        run_leave_now(r, n->message.number[0]);
    }
    return 0;
}

/* Two launches of one graph come one after the other, in whatever streams. */
int32_t graph_launch(struct run *r, const struct run_message *m)
{
    struct run_graph *g = graph_of(r, m->number[0], true);
    struct run_message empty = *m;
    size_t begin, end;
    if (!g)
        return cudaErrorInvalidValue;
    empty.what = RUN_EMPTY;
    empty.bytes = 0;
    int32_t error = free_first(r, g);
    run_make_room(r);
    if (!error)
        error = run_stream_behind(r, m->number[1], &g->clock);
    if (!error)
        error = run_enqueue_after(r, &empty, m->number[1], NULL, &g->last, 1, &begin);
    if (!error)
        error = graph_reset_conditions(r, g, &begin);
    if (!error)
        error = enqueue_nodes(r, g, begin, &end);
    if (!error)
        error = run_enqueue_after(r, &empty, m->number[1], NULL, &end, 1, &g->last);
    if (error)
        return error;
    run_clock_free(&g->clock);
    if (!run_clock_join(&g->clock, &run_stamp_of(r, g->last)->clock))
        return cudaErrorMemoryAllocation;
    run_begin_some(r);
    return 0;
}
