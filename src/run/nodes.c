/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program asks of graphs and their nodes. A node is a request of the usual kind, which comes
 * as the bytes of another request.
 */
#include "run/area.h"
#include "run/graph.h"

#include "base/mem.h"

#include <string.h>

/* ---- nodes ----------------------------------------------------------------------------- */

/* The bytes of a request of a node: first numbers, then a request, then its own bytes. */
struct inner {
    const uint64_t *number;
    size_t count;
    struct run_message message;
    const void *params;
};

static bool read_inner(const struct run_message *m, const struct buf *bytes, size_t count,
                       struct inner *out)
{
    const size_t before = count * sizeof(uint64_t);
    if (count > bytes->len / sizeof(uint64_t) || bytes->len - before < sizeof out->message)
        return false;
    *out = (struct inner){.number = (const void *)bytes->data, .count = count};
    memcpy(&out->message, bytes->data + before, sizeof out->message);
    out->params = bytes->data + before + sizeof out->message;
    out->message.bytes = bytes->len - before - sizeof out->message;
    memcpy(out->message.frame, m->frame, sizeof m->frame);
    return true;
}

/* What a card refuses when a node is made: the same as in a stream. */
static int32_t check(struct run *r, const struct run_message *m)
{
    switch (m->what) {
    case RUN_LAUNCH: return run_check_launch(r, m);
    case RUN_COPY: return run_check_copy(r, m);
    case RUN_FILL: return run_check_fill(r, m);
    case RUN_STREAM_CALL: return m->number[1] ? 0 : cudaErrorInvalidValue;
    case RUN_CONDITION: return graph_check_condition(r, m);
    default: return 0;
    }
}

/* Marks the nodes, and all that come before them. Mostly, those were added to the graph before. */
static void mark_before(const struct run_graph *g, const uint64_t *nodes, size_t count,
                        bool *before)
{
    for (size_t i = 0; i < count; i++)
        if (graph_node(g, nodes[i]))
            before[graph_index(g, nodes[i])] = true;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = g->count; i-- > 0;)
            for (size_t k = 0; before[i] && k < g->nodes[i]->after_count; k++) {
                bool *const mark = &before[graph_index(g, g->nodes[i]->after[k])];
                more |= !*mark && mark >= before + i;
                *mark = true;
            }
    }
}

/* Do all nodes that bring and free the memory come before a new one, and does the last one free
 * it? */
static bool has_ended(const struct run_graph *g, const bool *before, uint64_t address)
{
    size_t brought = 0, freed = 0;
    for (size_t i = 0; i < g->count; i++) {
        const struct run_node *n = g->nodes[i];
        const bool brings = n->type == cudaGraphNodeTypeMemAlloc;
        if ((!brings && n->type != cudaGraphNodeTypeMemFree) || n->message.number[0] != address)
            continue;
        if (!before[i])
            return false;
        brought += brings;
        freed += !brings;
    }
    return brought && brought == freed;
}

/* As on a card, memory that a graph has freed before the new node is given again at its address. 0:
 * there is none of this size. */
static uint64_t address_again(const struct run *r, const struct run_graph *g, const uint64_t *after,
                              size_t count, uint64_t bytes)
{
    uint64_t again = 0;
    bool *before = g && g->count ? mem_alloc(&allocator_libc, g->count * sizeof *before) : NULL;
    if (!before)
        return 0;
    mark_before(g, after, count, before);
    for (size_t i = 0; i < g->count && !again; i++) {
        const uint64_t address = g->nodes[i]->message.number[0];
        const struct run_area *a = g->nodes[i]->type == cudaGraphNodeTypeMemFree && before[i]
                                       ? area_at(r, address, false) : NULL;
        again = a && a->address == address && a->of_graph && a->bytes == bytes &&
                        has_ended(g, before, address)
                    ? address : 0;
    }
    mem_free(&allocator_libc, before, g->count * sizeof *before);
    return again;
}

int32_t graph_memory(struct run *r, const struct run_message *m, uint64_t graph,
                     const uint64_t *after, size_t count, uint64_t bytes, struct run_message *inner)
{
    const uint64_t again = address_again(r, graph_of(r, graph, false), after, count, bytes);
    *inner = (struct run_message){.what = RUN_COME, .number = {again}};
    if (again)
        return 0;
    struct run_message reserve = {.what = RUN_ALLOCATE, .number = {bytes, MEMORY_DEVICE}};
    memcpy(reserve.frame, m->frame, sizeof m->frame);
    int32_t error = run_reserve(r, &reserve);
    inner->number[0] = reserve.number[0];
    return error;
}

int32_t graph_add_request(struct run *r, uint64_t graph, enum cudaGraphNodeType type,
                          struct run_message *m, const void *params, const uint64_t *after,
                          size_t count, uint64_t child, struct run_node **out)
{
    uint64_t copy = 0;
    int32_t error = graph_of(r, graph, false) ? check(r, m) : cudaErrorInvalidValue;
    if (!error && type == cudaGraphNodeTypeGraph)
        error = graph_of(r, child, false) && child != graph
                    ? graph_copy(r, child, r->graphs[graph - 1]->level + 1, &copy)
                    : cudaErrorInvalidValue;
    if (!error)
        error = graph_add(r, graph, type, m, params, after, count, out);
    if (error) {
        if (copy)
            graph_free(r, copy);
        return error;
    }
    (*out)->child = copy;
    if (copy)
        r->graphs[copy - 1]->is_child = true;
    return 0;
}

static int32_t add_node(struct run *r, struct run_message *m, const struct buf *bytes)
{
    const enum cudaGraphNodeType type = (enum cudaGraphNodeType)m->number[1];
    struct inner in;
    struct run_node *made = NULL;
    if (!graph_of(r, m->number[0], false) || !read_inner(m, bytes, m->number[2], &in))
        return cudaErrorInvalidValue;
    int32_t error = 0;
    if (type == cudaGraphNodeTypeMemAlloc)
        error = graph_memory(r, m, m->number[0], in.number, in.count, m->number[3], &in.message);
    if (!error)
        error = graph_add_request(r, m->number[0], type, &in.message, in.params, in.number,
                                  in.count, m->number[3], &made);
    m->number[1] = in.message.number[0];
    if (!error && type == cudaGraphNodeTypeConditional)
        error = graph_add_bodies(r, r->graphs[m->number[0] - 1], made, &m->number[1]);
    m->number[0] = error ? 0 : made->number;
    return error;
}

/* A graph that was instantiated has the nodes of its child graphs too. */
static struct run_node *exec_node(const struct run *r, const struct run_graph *g, uint64_t number)
{
    struct run_node *found = NULL;
    for (size_t i = 0; g && i < g->count && !found; i++) {
        struct run_node *n = g->nodes[i];
        found = n->origin == number ? n
                : n->child          ? exec_node(r, r->graphs[n->child - 1], number) : NULL;
        for (size_t k = 0; k < n->body_count && !found; k++)
            found = exec_node(r, r->graphs[n->bodies[k] - 1], number);
    }
    return found;
}

/* In place of a graph in a node comes a copy of another one. */
static int32_t replace(struct run *r, uint64_t from, uint64_t *inner)
{
    uint64_t copy;
    int32_t error = graph_copy(r, from, r->graphs[*inner - 1]->level, &copy);
    if (error)
        return error;
    graph_free(r, *inner);
    r->graphs[copy - 1]->is_child = true;
    *inner = copy;
    return 0;
}

/* In a graph that runs, a kernel's node may change, but what kind it is may not. */
static int32_t set_node(struct run *r, struct run_message *m, const struct buf *bytes)
{
    uint64_t graph = m->number[0];
    struct inner in;
    struct run_node *n = graph ? exec_node(r, graph_of(r, graph, true), m->number[1])
                               : graph_find(r, m->number[1], &graph);
    if (!n || !read_inner(m, bytes, 0, &in))
        return cudaErrorInvalidValue;
    graph_settle(r, r->graphs[graph - 1]);
    if (n->child)
        return graph_of(r, m->number[2], false) ? replace(r, m->number[2], &n->child)
                                                : cudaErrorInvalidValue;
    if (in.message.what != n->message.what)
        return cudaErrorInvalidValue;
    int32_t error = check(r, &in.message);
    return error ? error : graph_set(n, &in.message, in.params);
}

static int32_t get_node(struct run *r, struct run_message *m, struct buf *answer)
{
    uint64_t graph;
    const struct run_node *n = graph_find(r, m->number[0], &graph);
    if (!n)
        return cudaErrorInvalidValue;
    m->number[0] = (uint64_t)n->type;
    m->number[1] = n->child;
    m->number[2] = graph;
    m->number[3] = n->body_count ? n->bodies[0] : 0;
    buf_add(answer, (const char *)&n->message, sizeof n->message);
    if (n->params)
        buf_add(answer, n->params, n->message.bytes);
    return answer->failed ? cudaErrorMemoryAllocation : 0;
}

static int32_t end_node(struct run *r, const struct run_message *m)
{
    uint64_t graph;
    struct run_node *n = graph_find(r, m->number[0], &graph);
    if (!n)
        return cudaErrorInvalidValue;
    if (n->type == cudaGraphNodeTypeMemAlloc || n->type == cudaGraphNodeTypeMemFree)
        return cudaErrorNotSupported; /* a card can't take these out of a graph either */
    graph_remove(r, r->graphs[graph - 1], n);
    return 0;
}

static int32_t find_node(struct run *r, struct run_message *m)
{
    const struct run_graph *g = graph_of(r, m->number[1], false);
    for (size_t i = 0; g && i < g->count; i++)
        if (g->nodes[i]->origin == m->number[0]) {
            m->number[0] = g->nodes[i]->number;
            return 0;
        }
    return cudaErrorInvalidValue;
}

static int32_t enable_node(struct run *r, struct run_message *m)
{
    struct run_node *n = exec_node(r, graph_of(r, m->number[0], true), m->number[1]);
    if (!n || (n->type != cudaGraphNodeTypeKernel && n->type != cudaGraphNodeTypeMemcpy &&
               n->type != cudaGraphNodeTypeMemset))
        return cudaErrorInvalidValue;
    graph_settle(r, graph_of(r, m->number[0], true));
    if (m->number[2] <= 1)
        n->disabled = m->number[2] == 0;
    m->number[0] = !n->disabled;
    return 0;
}

/* ---- edges ----------------------------------------------------------------------------- */

struct list { struct buf *out; size_t count, most; };

static void list_add(struct list *l, uint64_t a, uint64_t b)
{
    const uint64_t both[] = {a, b};
    if (l->count++ < l->most)
        buf_add(l->out, (const char *)both, b ? sizeof both : sizeof a);
}

static void list_of_node(const struct run_graph *g, const struct run_node *n, bool before,
                         struct list *l)
{
    if (before) {
        for (size_t k = 0; k < n->after_count; k++)
            list_add(l, n->after[k], 0);
        return;
    }
    for (size_t i = 0; i < g->count; i++)
        for (size_t k = 0; k < g->nodes[i]->after_count; k++)
            if (g->nodes[i]->after[k] == n->number)
                list_add(l, g->nodes[i]->number, 0);
}

static int32_t list_nodes(struct run *r, struct run_message *m, struct buf *answer)
{
    const enum run_list what = (enum run_list)m->number[2];
    uint64_t handle = m->number[0];
    const bool of_node = what == LIST_BEFORE || what == LIST_BEHIND;
    const struct run_node *node = of_node ? graph_find(r, m->number[1], &handle) : NULL;
    const struct run_graph *g = graph_of(r, handle, false);
    struct list l = {answer, 0, m->number[3]};
    if (!g || (of_node && !node))
        return cudaErrorInvalidValue;
    if (of_node)
        list_of_node(g, node, what == LIST_BEFORE, &l);
    for (size_t i = 0; i < g->count && !of_node; i++) {
        const struct run_node *n = g->nodes[i];
        if (what == LIST_NODES || (what == LIST_ROOTS && !n->after_count))
            list_add(&l, n->number, 0);
        for (size_t k = 0; k < n->after_count && what == LIST_EDGES; k++)
            list_add(&l, n->after[k], n->number);
    }
    m->number[0] = l.count;
    return answer->failed ? cudaErrorMemoryAllocation : 0;
}

static int32_t edge(struct run_node *from, struct run_node *to, bool removed)
{
    size_t at = 0;
    while (at < to->after_count && to->after[at] != from->number)
        at++;
    const bool there = at < to->after_count;
    if (from == to || there != removed)
        return cudaErrorInvalidValue;
    if (!removed)
        return graph_add_edge(from, to);
    memmove(to->after + at, to->after + at + 1,
            (to->after_count - at - 1) * sizeof *to->after);
    to->after = mem_resize(&allocator_libc, to->after, to->after_count * sizeof *to->after,
                           (to->after_count - 1) * sizeof *to->after);
    to->after_count--;
    return 0;
}

static int32_t change_edges(struct run *r, const struct run_message *m, const struct buf *bytes)
{
    const struct run_graph *g = graph_of(r, m->number[0], false);
    const uint64_t *pair = (const void *)bytes->data;
    int32_t error = g ? 0 : cudaErrorInvalidValue;
    for (size_t i = 0; i < bytes->len / (2 * sizeof *pair) && !error; i++) {
        struct run_node *from = graph_node(g, pair[2 * i]), *to = graph_node(g, pair[2 * i + 1]);
        error = from && to ? edge(from, to, m->number[1]) : cudaErrorInvalidValue;
    }
    return error;
}

/* ---- graphs ---------------------------------------------------------------------------- */

static bool is_sound(const struct run_graph *g)
{
    size_t *place = mem_alloc(&allocator_libc, (g->count + 1) * sizeof *place);
    bool sound = place && graph_sort(g, place);
    mem_free(&allocator_libc, place, place ? (g->count + 1) * sizeof *place : 0);
    return sound;
}

static int32_t copy_graph(struct run *r, struct run_message *m)
{
    const struct run_graph *g = graph_of(r, m->number[0], false);
    uint64_t made;
    if (!g || (m->number[1] && (!is_sound(g) || !graph_uses_conditions(r, g))))
        return cudaErrorInvalidValue;
    int32_t error = graph_copy(r, m->number[0], 0, &made);
    if (error)
        return error;
    r->graphs[made - 1]->is_exec = m->number[1];
    r->graphs[made - 1]->flags = m->number[2];
    m->number[0] = made;
    return 0;
}

static int32_t end_graph(struct run *r, const struct run_message *m)
{
    const struct run_graph *g = graph_of(r, m->number[0], m->number[1]);
    if (!g || g->is_child)
        return cudaErrorInvalidValue;
    graph_settle(r, g);
    graph_free(r, m->number[0]);
    return 0;
}

/* The first node that has no partner of the same kind at the same place; NULL: all have one. */
static const struct run_node *differing(const struct run_graph *exec, const struct run_graph *g,
                                        enum cudaGraphExecUpdateResult *why)
{
    for (size_t i = 0; i < g->count; i++) {
        const struct run_node *a = g->nodes[i], *b = i < exec->count ? exec->nodes[i] : NULL;
        *why = cudaGraphExecUpdateErrorTopologyChanged;
        if (!b || a->after_count != b->after_count)
            return a;
        for (size_t k = 0; k < a->after_count; k++)
            if (graph_index(g, a->after[k]) != graph_index(exec, b->after[k]))
                return a;
        *why = cudaGraphExecUpdateErrorNodeTypeChanged;
        if (a->type != b->type || a->body_count != b->body_count)
            return a;
        *why = cudaGraphExecUpdateErrorNotSupported;
        if (a->type == cudaGraphNodeTypeMemAlloc || a->type == cudaGraphNodeTypeMemFree)
            return a;
    }
    *why = cudaGraphExecUpdateErrorTopologyChanged;
    return exec->count > g->count ? exec->nodes[g->count] : NULL;
}

static int32_t update(struct run *r, struct run_graph *exec, const struct run_graph *g)
{
    int32_t error = 0;
    for (size_t i = 0; i < g->count && !error; i++) {
        const struct run_node *from = g->nodes[i];
        struct run_node *to = exec->nodes[i];
        if (from->child)
            error = replace(r, from->child, &to->child);
        else
            error = graph_set(to, &from->message, from->params);
        for (size_t k = 0; k < from->body_count && !error; k++)
            error = replace(r, from->bodies[k], &to->bodies[k]);
        to->origin = from->number;
    }
    return error;
}

static int32_t update_graph(struct run *r, struct run_message *m)
{
    enum cudaGraphExecUpdateResult why;
    struct run_graph *exec = graph_of(r, m->number[0], true);
    const struct run_graph *g = graph_of(r, m->number[1], false);
    if (!exec || !g)
        return cudaErrorInvalidValue;
    const struct run_node *other = differing(exec, g, &why);
    m->number[0] = other ? (uint64_t)why : cudaGraphExecUpdateSuccess;
    m->number[1] = other ? other->number : 0;
    m->number[2] = 0;
    graph_settle(r, exec);
    return other ? 0 : update(r, exec, g);
}

int32_t run_graph_request(struct run *r, struct run_message *m, const struct buf *bytes,
                          struct buf *answer, bool *known)
{
    const struct run_graph *exec = graph_of(r, m->number[0], true);
    switch (m->what) {
    case RUN_GRAPH: return graph_make(r, 0, &m->number[0]);
    case RUN_CONDITION: return run_condition(r, m);
    case RUN_GRAPH_END: return end_graph(r, m);
    case RUN_GRAPH_COPY: return copy_graph(r, m);
    case RUN_GRAPH_LAUNCH: return graph_launch(r, m);
    case RUN_GRAPH_UPDATE: return update_graph(r, m);
    case RUN_GRAPH_FLAGS:
        m->number[0] = exec ? exec->flags : 0;
        return exec ? 0 : cudaErrorInvalidValue;
    case RUN_NODE: return add_node(r, m, bytes);
    case RUN_NODE_SET: return set_node(r, m, bytes);
    case RUN_NODE_GET: return get_node(r, m, answer);
    case RUN_NODE_END: return end_node(r, m);
    case RUN_NODE_FIND: return find_node(r, m);
    case RUN_NODE_ENABLED: return enable_node(r, m);
    case RUN_NODE_LIST: return list_nodes(r, m, answer);
    case RUN_NODE_EDGES: return change_edges(r, m, bytes);
    default: *known = false; return 0;
    }
}
