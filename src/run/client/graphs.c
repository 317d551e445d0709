/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graphs: making, copying, instantiating and launching them; what they consist of.
 */
#include "run/client/client.h"

#include <stdio.h>
#include <stdlib.h>

API cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    if (flags)
        return run_failed(__func__, cudaErrorInvalidValue);
    return run_make(__func__, (void **)graph, REQUEST(GRAPH));
}

API cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
    cudaError_t error = CALL(GRAPH_END, number_of(g), false);
    if (!error)
        run_objects_end(number_of(g));
    return error;
}

API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t g)
{
    cudaError_t error = CALL(GRAPH_END, number_of(g), true);
    if (!error)
        run_objects_end(number_of(g));
    return error;
}

static cudaError_t copy(const char *name, uint64_t graph, bool instantiates, uint64_t flags,
                        uint64_t *out)
{
    struct run_message m = REQUEST(GRAPH_COPY, graph, instantiates, flags);
    cudaError_t error = run_call(name, &m);
    if (error)
        return error;
    *out = m.number[0];
    run_objects_copy(graph, *out);
    return cudaSuccess;
}

API cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t graph)
{
    uint64_t made;
    if (!out)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = copy(__func__, number_of(graph), false, 0, &made);
    if (!error)
        *out = pointer_of(made);
    return error;
}

static cudaError_t instantiate(const char *name, cudaGraphExec_t *out, cudaGraph_t graph,
                               unsigned long long flags)
{
    enum { KNOWN = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                   cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority };
    uint64_t made;
    if (!out || (flags & ~(unsigned long long)KNOWN))
        return run_failed(name, cudaErrorInvalidValue);
    if (flags & cudaGraphInstantiateFlagDeviceLaunch)
        return run_lacking("cudaGraphInstantiate for launches by the device");
    cudaError_t error = copy(name, number_of(graph), true, flags, &made);
    if (!error)
        *out = pointer_of(made);
    return error;
}

API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph,
                                     unsigned long long flags)
{
    return instantiate(__func__, out, graph, flags);
}

API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t graph,
                                              unsigned long long flags)
{
    return instantiate(__func__, out, graph, flags);
}

API cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *out, cudaGraph_t graph,
                                               cudaGraphInstantiateParams *p)
{
    if (!p)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = instantiate(__func__, out, graph, p->flags);
    p->errNode_out = NULL;
    p->result_out = error ? cudaGraphInstantiateError : cudaGraphInstantiateSuccess;
    return error;
}

API cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t g, unsigned long long *flags)
{
    struct run_message m = REQUEST(GRAPH_FLAGS, number_of(g));
    if (!flags)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = run_call(__func__, &m);
    *flags = error ? 0 : m.number[0];
    return error;
}

API cudaError_t cudaGraphLaunch(cudaGraphExec_t g, cudaStream_t s)
{
    return CALL(GRAPH_LAUNCH, number_of(g), number_of(s));
}

/* There is nothing to bring to the device before a launch. */
API cudaError_t cudaGraphUpload(cudaGraphExec_t g, cudaStream_t s)
{
    (void)s;
    return CALL(GRAPH_FLAGS, number_of(g));
}

API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                    cudaGraphExecUpdateResultInfo *out)
{
    struct run_message m = REQUEST(GRAPH_UPDATE, number_of(exec), number_of(graph));
    if (!out)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = run_call(__func__, &m);
    if (error) {
        *out = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateError};
        return error;
    }
    *out = (cudaGraphExecUpdateResultInfo){
        .result = (enum cudaGraphExecUpdateResult)m.number[0],
        .errorNode = pointer_of(m.number[1]), .errorFromNode = pointer_of(m.number[2])};
    return out->result == cudaGraphExecUpdateSuccess
               ? cudaSuccess : run_failed(__func__, cudaErrorGraphExecUpdateFailure);
}

/* ---- what a graph consists of ---------------------------------------------------------- */

/* Without a list it only counts. The rest of a list that is too long is cleared. */
static cudaError_t list(const char *name, uint64_t graph, uint64_t node, enum run_list what,
                        cudaGraphNode_t *nodes, size_t *count)
{
    const unsigned each = what == LIST_EDGES ? 2 : 1;
    if (!count)
        return run_failed(name, cudaErrorInvalidValue);
    const size_t most = nodes ? *count : 0;
    struct run_message m = REQUEST(NODE_LIST, graph, node, what, most);
    cudaError_t error = run_call_with(name, &m, NULL, 0, nodes, most * each * sizeof *nodes);
    if (error)
        return error;
    for (size_t i = (size_t)m.number[0]; i < most; i++)
        nodes[i * each] = nodes[i * each + each - 1] = NULL;
    if (!nodes || m.number[0] < most)
        *count = (size_t)m.number[0];
    return cudaSuccess;
}

static void clear_edges(cudaGraphEdgeData *edges, size_t count)
{
    for (size_t i = 0; edges && i < count; i++)
        edges[i] = (cudaGraphEdgeData){0};
}

API cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *count)
{
    return list(__func__, number_of(g), 0, LIST_NODES, nodes, count);
}

API cudaError_t cudaGraphGetRootNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *count)
{
    return list(__func__, number_of(g), 0, LIST_ROOTS, nodes, count);
}

API cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                  cudaGraphEdgeData *edges, size_t *count)
{
    if ((from == NULL) != (to == NULL))
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaGraphNode_t *pairs = from && count ? malloc((2 * *count + 1) * sizeof *pairs) : NULL;
    if (from && count && !pairs)
        return run_failed(__func__, cudaErrorMemoryAllocation);
    const size_t most = pairs ? *count : 0;
    cudaError_t error = list(__func__, number_of(g), 0, LIST_EDGES, pairs, count);
    for (size_t i = 0; i < most && !error; i++) {
        from[i] = pairs[2 * i];
        to[i] = pairs[2 * i + 1];
    }
    clear_edges(edges, error ? 0 : most);
    free(pairs);
    return error;
}

API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t n, cudaGraphNode_t *nodes,
                                             cudaGraphEdgeData *edges, size_t *count)
{
    cudaError_t error = list(__func__, 0, number_of(n), LIST_BEFORE, nodes, count);
    clear_edges(edges, error || !nodes ? 0 : *count);
    return error;
}

API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t n, cudaGraphNode_t *nodes,
                                               cudaGraphEdgeData *edges, size_t *count)
{
    cudaError_t error = list(__func__, 0, number_of(n), LIST_BEHIND, nodes, count);
    clear_edges(edges, error || !nodes ? 0 : *count);
    return error;
}

static cudaError_t change_edges(const char *name, cudaGraph_t g, bool removes,
                                const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                size_t count)
{
    if (count && (!from || !to))
        return run_failed(name, cudaErrorInvalidValue);
    uint64_t *pairs = malloc((2 * count + 1) * sizeof *pairs);
    if (!pairs)
        return run_failed(name, cudaErrorMemoryAllocation);
    for (size_t i = 0; i < count; i++) {
        pairs[2 * i] = number_of(from[i]);
        pairs[2 * i + 1] = number_of(to[i]);
    }
    cudaError_t error = run_call_with(name, &REQUEST(NODE_EDGES, number_of(g), removes), pairs,
                                      2 * count * sizeof *pairs, NULL, 0);
    free(pairs);
    return error;
}

API cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from,
                                         const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                         size_t count)
{
    (void)edges; /* a programmatic edge waits for the whole kernel: that is allowed */
    return change_edges(__func__, g, false, from, to, count);
}

API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to,
                                            const cudaGraphEdgeData *edges, size_t count)
{
    (void)edges;
    return change_edges(__func__, g, true, from, to, count);
}

API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t n) { return CALL(NODE_END, number_of(n)); }

API cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *out, cudaGraphNode_t n, cudaGraph_t g)
{
    return run_make(__func__, (void **)out, REQUEST(NODE_FIND, number_of(n), number_of(g)));
}

API cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t g, cudaGraphNode_t n, unsigned *on)
{
    struct run_message m = REQUEST(NODE_ENABLED, number_of(g), number_of(n), 2);
    if (!on)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = run_call(__func__, &m);
    if (!error)
        *on = (unsigned)m.number[0];
    return error;
}

API cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t g, cudaGraphNode_t n, unsigned on)
{
    return CALL(NODE_ENABLED, number_of(g), number_of(n), on != 0);
}
