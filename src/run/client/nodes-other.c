/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes of graphs that are no work of their own: child graphs, events, memory, and empty ones. And
 * the calls that take a node of any kind.
 */
#include "run/client/node.h"
#include "run/memory.h"

#include <stdlib.h>

static const struct run_message nothing = {.what = RUN_EMPTY};

API cudaError_t cudaGraphAddEmptyNode(WHERE)
{
    return node_add(PLACE, cudaGraphNodeTypeEmpty, 0, cudaSuccess, &nothing, NULL, NULL);
}

/* ---- child graphs ---------------------------------------------------------------------- */

API cudaError_t cudaGraphAddChildGraphNode(WHERE, cudaGraph_t child)
{
    return node_add(PLACE, cudaGraphNodeTypeGraph, number_of(child), cudaSuccess, &nothing, NULL,
                    NULL);
}

API cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t n, cudaGraph_t *out)
{
    struct run_message m;
    struct told_node *t;
    cudaError_t error = node_get(__func__, n, cudaGraphNodeTypeGraph, out, &m, &t);
    if (!error)
        *out = pointer_of(m.number[1]);
    free(t);
    return error;
}

API cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t g, cudaGraphNode_t n,
                                                     cudaGraph_t child)
{
    return node_set(__func__, number_of(g), n, number_of(child), cudaSuccess, &nothing, NULL);
}

/* ---- events ---------------------------------------------------------------------------- */

static struct run_message record(cudaEvent_t e) { return REQUEST(EVENT_RECORD, number_of(e)); }
static struct run_message wait(cudaEvent_t e) { return REQUEST(STREAM_AFTER, 0, number_of(e)); }

/* The same calls for a node that records an event, and for one that waits for it. */
#define EVENT_NODE(Kind, type, request, at)                                                       \
    API cudaError_t cudaGraphAdd##Kind##Node(WHERE, cudaEvent_t event)                            \
    {                                                                                             \
        const struct run_message m = request(event);                                              \
        return node_add(PLACE, type, 0, event ? cudaSuccess : cudaErrorInvalidValue, &m, NULL,    \
                        NULL);                                                                    \
    }                                                                                             \
    API cudaError_t cudaGraph##Kind##NodeSetEvent(cudaGraphNode_t n, cudaEvent_t event)           \
    {                                                                                             \
        const struct run_message m = request(event);                                              \
        return node_set(__func__, 0, n, 0, event ? cudaSuccess : cudaErrorInvalidValue, &m,       \
                        NULL);                                                                    \
    }                                                                                             \
    API cudaError_t cudaGraphExec##Kind##NodeSetEvent(cudaGraphExec_t g, cudaGraphNode_t n,       \
                                                      cudaEvent_t event)                          \
    {                                                                                             \
        const struct run_message m = request(event);                                              \
        return node_set(__func__, number_of(g), n, 0, event ? cudaSuccess : cudaErrorInvalidValue, \
                        &m, NULL);                                                                \
    }                                                                                             \
    API cudaError_t cudaGraph##Kind##NodeGetEvent(cudaGraphNode_t n, cudaEvent_t *out)            \
    {                                                                                             \
        struct run_message m;                                                                     \
        struct told_node *t;                                                                      \
        cudaError_t error = node_get(__func__, n, type, out, &m, &t);                             \
        if (!error)                                                                               \
            *out = pointer_of(t->message.number[at]);                                             \
        free(t);                                                                                  \
        return error;                                                                             \
    }
EVENT_NODE(EventRecord, cudaGraphNodeTypeEventRecord, record, 0)
EVENT_NODE(EventWait, cudaGraphNodeTypeWaitEvent, wait, 1)

/* ---- memory ---------------------------------------------------------------------------- */

static cudaError_t add_memory(const struct node_place *where, struct cudaMemAllocNodeParams *p)
{
    uint64_t address = 0;
    cudaError_t error = p && p->poolProps.allocType == cudaMemAllocationTypePinned &&
                                p->poolProps.location.type == cudaMemLocationTypeDevice
                            ? cudaSuccess : cudaErrorInvalidValue;
    error = node_add(where, cudaGraphNodeTypeMemAlloc, error ? 0 : p->bytesize, error, &nothing,
                     NULL, &address);
    if (!error)
        p->dptr = pointer_of(address);
    return error;
}

API cudaError_t cudaGraphAddMemAllocNode(WHERE, struct cudaMemAllocNodeParams *p)
{
    return add_memory(PLACE, p);
}

API cudaError_t cudaGraphAddMemFreeNode(WHERE, void *at)
{
    const struct run_message m = REQUEST(RELEASE, number_of(at), MEMORY_DEVICE);
    return node_add(PLACE, cudaGraphNodeTypeMemFree, 0, at ? cudaSuccess : cudaErrorInvalidValue,
                    &m, NULL, NULL);
}

API cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t n, struct cudaMemAllocNodeParams *p)
{
    struct run_message m, where;
    struct told_node *t;
    cudaError_t error = node_get(__func__, n, cudaGraphNodeTypeMemAlloc, p, &m, &t);
    if (error)
        return error;
    where = REQUEST(POINTER, t->message.number[0]);
    error = run_call(__func__, &where);
    *p = (struct cudaMemAllocNodeParams){
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice}},
        .bytesize = where.number[2], .dptr = pointer_of(t->message.number[0])};
    free(t);
    return error;
}

API cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t n, void *out)
{
    struct run_message m;
    struct told_node *t;
    cudaError_t error = node_get(__func__, n, cudaGraphNodeTypeMemFree, out, &m, &t);
    if (!error)
        *(void **)out = pointer_of(t->message.number[0]);
    free(t);
    return error;
}

/* ---- conditions ------------------------------------------------------------------------ */

API cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *out, cudaGraph_t graph,
                                                 unsigned value, unsigned flags)
{
    struct run_message m = REQUEST(CONDITION, number_of(graph), value, flags);
    if (!out || flags > cudaGraphCondAssignDefault)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = run_call(__func__, &m);
    if (!error)
        *out = m.number[0];
    return error;
}

/* The program may keep the list of bodies as long as it has the node. */
static cudaError_t add_conditional(const struct node_place *where,
                                   struct cudaConditionalNodeParams *p)
{
    const struct run_message m = REQUEST(CONDITION, p->handle, p->type, p->size);
    uint64_t first = 0;
    cudaGraph_t *bodies = calloc(p->size ? p->size : 1, sizeof *bodies);
    cudaError_t error = node_add(where, cudaGraphNodeTypeConditional, p->size,
                                 bodies ? cudaSuccess : cudaErrorMemoryAllocation, &m, NULL,
                                 &first);
    if (error) {
        free(bodies);
        return error;
    }
    for (unsigned i = 0; i < p->size; i++)
        bodies[i] = pointer_of(first + i);
    p->phGraph_out = bodies;
    return cudaSuccess;
}

/* ---- a node of any kind ---------------------------------------------------------------- */

API cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, const cudaGraphEdgeData *edges,
                                 size_t count, struct cudaGraphNodeParams *p)
{
    struct run_message m = nothing;
    (void)edges;
    if (!p)
        return run_failed(__func__, cudaErrorInvalidValue);
    const struct node_place *where = PLACE;
    switch (p->type) {
    case cudaGraphNodeTypeKernel: return node_add_kernel(where, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
        return node_add(where, p->type, 0, run_copy_request(&p->memcpy.copyParams, &m), &m, NULL,
                        NULL);
    case cudaGraphNodeTypeMemset:
        return node_add(where, p->type, 0, run_fill_request(&p->memset, &m), &m, NULL, NULL);
    case cudaGraphNodeTypeHost:
        return node_add(where, p->type, 0, node_host_request(&p->host, &m), &m, NULL, NULL);
    case cudaGraphNodeTypeGraph:
        return node_add(where, p->type, number_of(p->graph.graph), cudaSuccess, &m, NULL, NULL);
    case cudaGraphNodeTypeEmpty:
        return node_add(where, p->type, 0, cudaSuccess, &m, NULL, NULL);
    case cudaGraphNodeTypeWaitEvent:
        m = wait(p->eventWait.event);
        return node_add(where, p->type, 0, cudaSuccess, &m, NULL, NULL);
    case cudaGraphNodeTypeEventRecord:
        m = record(p->eventRecord.event);
        return node_add(where, p->type, 0, cudaSuccess, &m, NULL, NULL);
    case cudaGraphNodeTypeMemAlloc: return add_memory(where, &p->alloc);
    case cudaGraphNodeTypeMemFree:
        m = REQUEST(RELEASE, number_of(p->free.dptr), MEMORY_DEVICE);
        return node_add(where, p->type, 0, cudaSuccess, &m, NULL, NULL);
    case cudaGraphNodeTypeConditional: return add_conditional(where, &p->conditional);
    default: return run_lacking("cudaGraphAddNode of this kind");
    }
}

static cudaError_t set_any(const char *name, uint64_t graph, cudaGraphNode_t n,
                           const struct cudaGraphNodeParams *p)
{
    struct run_message m = nothing;
    if (!p)
        return run_failed(name, cudaErrorInvalidValue);
    switch (p->type) {
    case cudaGraphNodeTypeKernel: return node_set_kernel(name, graph, n, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
        return node_set(name, graph, n, 0, run_copy_request(&p->memcpy.copyParams, &m), &m, NULL);
    case cudaGraphNodeTypeMemset:
        return node_set(name, graph, n, 0, run_fill_request(&p->memset, &m), &m, NULL);
    case cudaGraphNodeTypeHost:
        return node_set(name, graph, n, 0, node_host_request(&p->host, &m), &m, NULL);
    case cudaGraphNodeTypeGraph:
        return node_set(name, graph, n, number_of(p->graph.graph), cudaSuccess, &m, NULL);
    case cudaGraphNodeTypeWaitEvent:
        m = wait(p->eventWait.event);
        return node_set(name, graph, n, 0, cudaSuccess, &m, NULL);
    case cudaGraphNodeTypeEventRecord:
        m = record(p->eventRecord.event);
        return node_set(name, graph, n, 0, cudaSuccess, &m, NULL);
    default: return run_failed(name, cudaErrorInvalidValue);
    }
}

API cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t n, struct cudaGraphNodeParams *p)
{
    return set_any(__func__, 0, n, p);
}

API cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t g, cudaGraphNode_t n,
                                           struct cudaGraphNodeParams *p)
{
    return set_any(__func__, number_of(g), n, p);
}
