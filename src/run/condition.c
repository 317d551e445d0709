/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conditional nodes of graphs. A condition is a number of 32 bits in the device's memory, and its
 * handle is the address. A kernel sets it by a store, which checkers see like others. What the node
 * does is known only when all before it is done. So the node is one operation of the queue, and the
 * nodes of its bodies are done within that operation, one after the other.
 */
#include "run/graph.h"

#include "base/mem.h"

#include <string.h>

struct run_condition {
    uint64_t address;
    uint64_t graph; /* that it was made for */
    uint32_t value; /* at a launch */
    bool has_value;
};

/* What a node's request and its operation have; a condition that is set has no node. */
enum { HANDLE, KIND, BODIES, GRAPH, NODE };
enum { SETS = cudaGraphCondTypeSwitch + 1, VALUE = BODIES };

static const struct run_condition *condition_of(const struct run *r, uint64_t handle)
{
    for (size_t i = 0; i < r->condition_count; i++)
        if (r->conditions[i].address == handle)
            return &r->conditions[i];
    return NULL;
}

bool run_is_condition(const struct run *r, uint64_t address)
{
    return condition_of(r, address / sizeof(uint32_t) * sizeof(uint32_t)) != NULL;
}

int32_t run_condition(struct run *r, struct run_message *m)
{
    struct err e;
    struct device *d = r->session.device;
    uint64_t address;
    if (!graph_of(r, m->number[0], false))
        return cudaErrorInvalidValue;
    struct run_condition *grown = mem_resize(&allocator_libc, r->conditions,
                                             r->condition_count * sizeof *grown,
                                             (r->condition_count + 1) * sizeof *grown);
    if (!grown)
        return cudaErrorMemoryAllocation;
    r->conditions = grown;
    if (d->ops->allocate(d, sizeof(uint32_t), "the condition", &address, &e) != 0) {
        r->conditions = mem_resize(&allocator_libc, grown,
                                   (r->condition_count + 1) * sizeof *grown,
                                   r->condition_count * sizeof *grown);
        return cudaErrorMemoryAllocation;
    }
    grown[r->condition_count++] = (struct run_condition){
        address, m->number[0], (uint32_t)m->number[1], m->number[2] != 0};
    m->number[0] = address;
    return 0;
}

void run_forget_conditions(struct run *r)
{
    struct err e;
    struct device *d = r->session.device;
    for (size_t i = 0; i < r->condition_count; i++)
        d->ops->free(d, r->conditions[i].address, &e);
    mem_free(&allocator_libc, r->conditions, r->condition_count * sizeof *r->conditions);
    r->conditions = NULL;
    r->condition_count = 0;
}

/* ---- nodes ----------------------------------------------------------------------------- */

int32_t graph_check_condition(const struct run *r, const struct run_message *m)
{
    const uint64_t kind = m->number[KIND], count = m->number[BODIES];
    enum { MOST = 4096 };
    const bool fits = kind == cudaGraphCondTypeIf      ? count == 1 || count == 2
                      : kind == cudaGraphCondTypeWhile ? count == 1
                                                       : kind == cudaGraphCondTypeSwitch && count;
    return fits && count <= MOST && condition_of(r, m->number[HANDLE]) ? 0 : cudaErrorInvalidValue;
}

int32_t graph_add_bodies(struct run *r, const struct run_graph *g, struct run_node *n,
                         uint64_t *first)
{
    const size_t count = (size_t)n->message.number[BODIES];
    int32_t error = 0;
    n->bodies = mem_alloc(&allocator_libc, count * sizeof *n->bodies);
    if (!n->bodies)
        error = cudaErrorMemoryAllocation;
    while (!error && n->body_count < count) {
        error = graph_make(r, g->level + 1, &n->bodies[n->body_count]);
        if (error)
            break;
        r->graphs[n->bodies[n->body_count] - 1]->is_child = true;
        n->body_count++;
    }
    if (error) {
        if (n->bodies)
            n->bodies = mem_resize(&allocator_libc, n->bodies, count * sizeof *n->bodies,
                                   n->body_count * sizeof *n->bodies);
        graph_remove(r, r->graphs[g->handle - 1], n);
        return error;
    }
    *first = n->bodies[0];
    return 0;
}

/* Does a node of the graph, or of those in it, have the condition? */
static bool uses_condition(const struct run *r, const struct run_graph *g, uint64_t handle)
{
    bool uses = false;
    for (size_t i = 0; i < g->count && !uses; i++) {
        const struct run_node *n = g->nodes[i];
        uses = (n->body_count && n->message.number[HANDLE] == handle) ||
               (n->child && uses_condition(r, r->graphs[n->child - 1], handle));
        for (size_t k = 0; k < n->body_count && !uses; k++)
            uses = uses_condition(r, r->graphs[n->bodies[k] - 1], handle);
    }
    return uses;
}

bool graph_uses_conditions(const struct run *r, const struct run_graph *g)
{
    for (size_t i = 0; i < r->condition_count; i++)
        if (r->conditions[i].graph == g->handle &&
            !uses_condition(r, g, r->conditions[i].address))
            return false;
    return true;
}

struct run_message graph_condition(const struct run_graph *g, const struct run_node *n)
{
    struct run_message m = n->message;
    if (m.what == RUN_CONDITION) {
        m.number[GRAPH] = g->handle;
        m.number[NODE] = n->number;
    }
    return m;
}

/* Calls a function for each graph that lies in the node. */
static void guard_graph(struct run *r, size_t operation, const struct run_graph *g)
{
    for (size_t i = 0; i < g->count; i++) {
        const struct run_node *n = g->nodes[i];
        if (n->child)
            guard_graph(r, operation, r->graphs[n->child - 1]);
        graph_guard_bodies(r, operation, n);
        run_guard_begin(r, operation, &n->message, n->params);
    }
}

void graph_guard_bodies(struct run *r, size_t operation, const struct run_node *n)
{
    for (size_t i = 0; i < n->body_count; i++)
        guard_graph(r, operation, r->graphs[n->bodies[i] - 1]);
}

static bool has_conditions(const struct run *r, const struct run_graph *g)
{
    bool has = false;
    for (size_t i = 0; g && i < g->count && !has; i++)
        has = g->nodes[i]->body_count ||
              (g->nodes[i]->child && has_conditions(r, r->graphs[g->nodes[i]->child - 1]));
    return has;
}

void graph_settle(struct run *r, const struct run_graph *g)
{
    if (has_conditions(r, g))
        run_wait_all(r);
}

/* ---- launches -------------------------------------------------------------------------- */

int32_t graph_reset_conditions(struct run *r, const struct run_graph *g, size_t *begin)
{
    int32_t error = 0;
    for (size_t i = 0; i < g->count && !error; i++) {
        const struct run_node *n = g->nodes[i];
        const struct run_condition *c = n->body_count
                                            ? condition_of(r, n->message.number[HANDLE]) : NULL;
        if (c && c->has_value) {
            struct run_message m = n->message;
            m.number[KIND] = SETS;
            m.number[VALUE] = c->value;
            error = run_enqueue_after(r, &m, RUN_NO_STREAM, NULL, begin, 1, begin);
        }
        if (n->child && !error)
            error = graph_reset_conditions(r, r->graphs[n->child - 1], begin);
        for (size_t k = 0; k < n->body_count && !error; k++)
            error = graph_reset_conditions(r, r->graphs[n->bodies[k] - 1], begin);
    }
    return error;
}

static int32_t do_graph(struct run *r, size_t operation, uint64_t handle);

static int32_t do_node(struct run *r, size_t operation, const struct run_graph *g,
                       const struct run_node *n)
{
    const struct run_message m = graph_condition(g, n);
    return n->disabled ? 0
           : n->child  ? do_graph(r, operation, n->child)
                       : run_do_within(r, operation, &m, n->params);
}

static int32_t do_graph(struct run *r, size_t operation, uint64_t handle)
{
    const struct run_graph *g = r->graphs[handle - 1];
    const size_t bytes = (g->count + 1) * sizeof(size_t);
    size_t *place = mem_alloc(&allocator_libc, bytes);
    if (!place)
        return cudaErrorMemoryAllocation;
    int32_t error = graph_sort(g, place) ? 0 : cudaErrorInvalidValue;
    for (size_t i = 0; i < g->count && !error; i++)
        error = do_node(r, operation, g, g->nodes[place[i]]);
    mem_free(&allocator_libc, place, bytes);
    return error;
}

int32_t run_condition_now(struct run *r, const struct run_message *m, size_t operation)
{
    struct err e;
    struct device *d = r->session.device;
    const uint64_t kind = m->number[KIND], at = m->number[HANDLE];
    uint32_t value = (uint32_t)m->number[VALUE];
    if (kind == SETS)
        return d->ops->write(d, at, &value, sizeof value, &e) == 0 ? 0 : cudaErrorInvalidValue;
    const struct run_node *n = graph_node(r->graphs[m->number[GRAPH] - 1], m->number[NODE]);
    int32_t error = 0;
    do {
        if (d->ops->read(d, &value, at, sizeof value, &e) != 0)
            return cudaErrorInvalidValue;
        const uint64_t body = kind == cudaGraphCondTypeSwitch ? value
                              : value                         ? 0
                              : kind == cudaGraphCondTypeIf   ? 1
                                                              : UINT64_MAX;
        if (body >= n->body_count)
            break;
        error = do_graph(r, operation, n->bodies[body]);
    } while (kind == cudaGraphCondTypeWhile && !error && !r->broken &&
             budget_end(&r->session.budget) == BUDGET_LEFT);
    return error;
}
