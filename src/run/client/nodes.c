/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes of graphs. What a node does is the request that a call outside of graphs would send.
 */
#include "run/client/node.h"

#include <stdlib.h>
#include <string.h>

static cudaError_t send(const char *name, struct run_message *m, const cudaGraphNode_t *after,
                        size_t count, const struct run_message *inner, const void *params)
{
    const size_t before = count * sizeof *after, own = (size_t)inner->bytes;
    char *bytes = malloc(before + sizeof *inner + own);
    if (!bytes)
        return run_failed(name, cudaErrorMemoryAllocation);
    if (before)
        memcpy(bytes, after, before);
    memcpy(bytes + before, inner, sizeof *inner);
    if (own)
        memcpy(bytes + before + sizeof *inner, params, own);
    cudaError_t error = run_call_with(name, m, bytes, before + sizeof *inner + own, NULL, 0);
    free(bytes);
    return error;
}

cudaError_t node_add(const struct node_place *p, enum cudaGraphNodeType type, uint64_t more,
                     cudaError_t error, const struct run_message *inner, const void *params,
                     uint64_t *address)
{
    struct run_message m = REQUEST(NODE, number_of(p->graph), type, p->count, more);
    if (error || !p->out || (p->count && !p->after))
        return run_failed(p->name, error ? error : cudaErrorInvalidValue);
    error = send(p->name, &m, p->after, p->count, inner, params);
    if (error)
        return error;
    *p->out = pointer_of(m.number[0]);
    if (address)
        *address = m.number[1];
    return cudaSuccess;
}

cudaError_t node_set(const char *name, uint64_t graph, cudaGraphNode_t n, uint64_t child,
                     cudaError_t error, const struct run_message *inner, const void *params)
{
    return error ? run_failed(name, error)
                 : send(name, &REQUEST(NODE_SET, graph, number_of(n), child), NULL, 0, inner,
                        params);
}

cudaError_t node_get(const char *name, cudaGraphNode_t n, enum cudaGraphNodeType type,
                     const void *for_caller, struct run_message *m, struct told_node **out)
{
    struct told_node *t = for_caller ? calloc(1, sizeof *t) : NULL;
    *m = REQUEST(NODE_GET, number_of(n));
    *out = t;
    if (!t)
        return run_failed(name, for_caller ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
    cudaError_t error = run_call_with(name, m, NULL, 0, t, sizeof *t);
    if (!error && type != cudaGraphNodeTypeCount && m->number[0] != (uint64_t)type)
        error = run_failed(name, cudaErrorInvalidValue);
    if (error) {
        free(t);
        *out = NULL;
    }
    return error;
}

API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t n, enum cudaGraphNodeType *type)
{
    struct run_message m;
    struct told_node *t;
    cudaError_t error = node_get(__func__, n, cudaGraphNodeTypeCount, type, &m, &t);
    if (!error)
        *type = (enum cudaGraphNodeType)m.number[0];
    free(t);
    return error;
}

/* ---- kernels --------------------------------------------------------------------------- */

static cudaError_t kernel_request(const struct cudaKernelNodeParams *p, struct run_message *m,
                                  char **params)
{
    *params = NULL;
    if (!p || (p->extra && p->kernelParams))
        return cudaErrorInvalidValue;
    if (p->extra)
        return cudaErrorNotSupported;
    const struct kernel_launch l = {.function = p->func, .grid = p->gridDim, .block = p->blockDim,
                             .shared = p->sharedMemBytes};
    return run_launch_request(&l, p->kernelParams, m, params);
}

cudaError_t node_add_kernel(const struct node_place *where, const struct cudaKernelNodeParams *p)
{
    struct run_message m;
    char *params;
    cudaError_t error = kernel_request(p, &m, &params);
    error = node_add(where, cudaGraphNodeTypeKernel, 0, error, &m, params, NULL);
    free(params);
    return error;
}

cudaError_t node_set_kernel(const char *name, uint64_t graph, cudaGraphNode_t n,
                            const struct cudaKernelNodeParams *p)
{
    struct run_message m;
    char *params;
    cudaError_t error = kernel_request(p, &m, &params);
    error = node_set(name, graph, n, 0, error, &m, params);
    free(params);
    return error;
}

API cudaError_t cudaGraphAddKernelNode(WHERE, const struct cudaKernelNodeParams *p)
{
    return node_add_kernel(PLACE, p);
}

API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t n,
                                             const struct cudaKernelNodeParams *p)
{
    return node_set_kernel(__func__, 0, n, p);
}

API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t g, cudaGraphNode_t n,
                                                 const struct cudaKernelNodeParams *p)
{
    return node_set_kernel(__func__, number_of(g), n, p);
}

/* The parameters stay in the library's memory: a program may keep the pointers to them. */
API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t n, struct cudaKernelNodeParams *p)
{
    struct run_message m;
    struct told_node *t;
    struct called_kernel *k = NULL;
    cudaError_t error = node_get(__func__, n, cudaGraphNodeTypeKernel, p, &m, &t);
    if (error)
        return error;
    const uint64_t *v = t->message.number;
    const void *function = run_function_of(v[0], &k);
    const size_t pointers = k ? k->params * sizeof(void *) : 0;
    char *kept = k ? malloc(pointers + k->bytes + 1) : NULL;
    if (!kept) {
        free(t);
        return run_failed(__func__, k ? cudaErrorMemoryAllocation : cudaErrorInvalidDeviceFunction);
    }
    memcpy(kept + pointers, t->params, k->bytes);
    for (unsigned i = 0; i < k->params; i++)
        ((void **)(void *)kept)[i] = kept + pointers + k->at[i][0];
    *p = (struct cudaKernelNodeParams){
        .func = (void *)(uintptr_t)function,
        .gridDim = {(unsigned)v[1], (unsigned)v[2], (unsigned)v[3]},
        .blockDim = {(unsigned)v[4], (unsigned)v[5], (unsigned)v[6]},
        .sharedMemBytes = (unsigned)v[7], .kernelParams = (void **)(void *)kept};
    free(t);
    return cudaSuccess;
}

/* ---- attributes of kernels ------------------------------------------------------------- */

API cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t n, cudaLaunchAttributeID id,
                                                cudaLaunchAttributeValue *out)
{
    struct run_message m;
    struct told_node *t;
    cudaError_t error = node_get(__func__, n, cudaGraphNodeTypeKernel, out, &m, &t);
    if (error)
        return error;
    const uint64_t *v = t->message.number;
    switch (id) {
    case cudaLaunchAttributeCooperative: out->cooperative = (int)v[LAUNCH_COOPERATIVE]; break;
    case cudaLaunchAttributePriority: out->priority = (int)(int64_t)v[LAUNCH_PRIORITY]; break;
    case cudaLaunchAttributeClusterDimension:
        out->clusterDim.x = (unsigned)v[LAUNCH_CLUSTER];
        out->clusterDim.y = (unsigned)v[LAUNCH_CLUSTER + 1];
        out->clusterDim.z = (unsigned)v[LAUNCH_CLUSTER + 2];
        break;
    default: error = run_lacking("cudaGraphKernelNodeGetAttribute of other attributes");
    }
    free(t);
    return error;
}

API cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t n, cudaLaunchAttributeID id,
                                                const cudaLaunchAttributeValue *value)
{
    struct run_message m;
    struct told_node *t;
    cudaError_t error = node_get(__func__, n, cudaGraphNodeTypeKernel, value, &m, &t);
    if (error)
        return error;
    uint64_t *v = t->message.number;
    switch (id) {
    case cudaLaunchAttributeCooperative: v[LAUNCH_COOPERATIVE] = value->cooperative != 0; break;
    case cudaLaunchAttributePriority:
        v[LAUNCH_PRIORITY] = (uint64_t)(int64_t)value->priority;
        break;
    case cudaLaunchAttributeClusterDimension:
        v[LAUNCH_CLUSTER] = value->clusterDim.x;
        v[LAUNCH_CLUSTER + 1] = value->clusterDim.y;
        v[LAUNCH_CLUSTER + 2] = value->clusterDim.z;
        break;
    case cudaLaunchAttributeAccessPolicyWindow: break; /* a cache's, which changes no result */
    default:
        free(t);
        return run_lacking("cudaGraphKernelNodeSetAttribute of other attributes");
    }
    error = node_set(__func__, 0, n, 0, cudaSuccess, &t->message, t->params);
    free(t);
    return error;
}

API cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from)
{
    struct run_message m;
    struct told_node *a, *b = NULL;
    cudaError_t error = node_get(__func__, from, cudaGraphNodeTypeKernel, &a, &m, &a);
    if (!error)
        error = node_get(__func__, to, cudaGraphNodeTypeKernel, &b, &m, &b);
    if (!error) {
        for (int i = LAUNCH_COOPERATIVE; i <= LAUNCH_PRIORITY; i++)
            b->message.number[i] = a->message.number[i];
        error = node_set(__func__, 0, to, 0, cudaSuccess, &b->message, b->params);
    }
    free(a);
    free(b);
    return error;
}

/* ---- nodes of one request --------------------------------------------------------------- */

/* The three calls of a kind of node whose work is one request: to add the node, to change it, and to
 * change it in a graph that was instantiated. */
#define NODE_CALLS(Kind, suffix, PARAMETERS, request)                                             \
    API cudaError_t cudaGraphAdd##Kind##Node##suffix(WHERE, PARAMETERS)                           \
    {                                                                                             \
        struct run_message m;                                                                     \
        return node_add(PLACE, cudaGraphNodeType##Kind, 0, request, &m, NULL, NULL);              \
    }                                                                                             \
    API cudaError_t cudaGraph##Kind##NodeSetParams##suffix(cudaGraphNode_t node, PARAMETERS)      \
    {                                                                                             \
        struct run_message m;                                                                     \
        return node_set(__func__, 0, node, 0, request, &m, NULL);                                 \
    }                                                                                             \
    API cudaError_t cudaGraphExec##Kind##NodeSetParams##suffix(cudaGraphExec_t g,                 \
                                                               cudaGraphNode_t node, PARAMETERS)  \
    {                                                                                             \
        struct run_message m;                                                                     \
        return node_set(__func__, number_of(g), node, 0, request, &m, NULL);                      \
    }

#define COPY const struct cudaMemcpy3DParms *p
#define ROW  void *to, const void *from, size_t n, enum cudaMemcpyKind kind
#define TO_SYMBOL                                                                                 \
    const void *symbol, const void *from, size_t n, size_t offset, enum cudaMemcpyKind kind
#define FROM_SYMBOL                                                                               \
    void *to, const void *symbol, size_t n, size_t offset, enum cudaMemcpyKind kind
NODE_CALLS(Memcpy, , COPY, run_copy_request(p, &m))
NODE_CALLS(Memcpy, 1D, ROW, run_row_request(to, from, n, kind, &m))
NODE_CALLS(Memcpy, ToSymbol, TO_SYMBOL,
           run_symbol_request(symbol, from, n, offset, kind, true, &m))
NODE_CALLS(Memcpy, FromSymbol, FROM_SYMBOL,
           run_symbol_request(symbol, to, n, offset, kind, false, &m))
NODE_CALLS(Memset, , const struct cudaMemsetParams *p, run_fill_request(p, &m))

API cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t n, struct cudaMemcpy3DParms *p)
{
    struct run_message m;
    struct told_node *t;
    cudaError_t error = node_get(__func__, n, cudaGraphNodeTypeMemcpy, p, &m, &t);
    if (error)
        return error;
    const uint64_t *v = t->message.number;
    *p = (struct cudaMemcpy3DParms){
        .srcPtr = {pointer_of(v[1]), v[6], v[2], v[6] ? v[8] / v[6] : 0},
        .dstPtr = {pointer_of(v[0]), v[5], v[2], v[5] ? v[7] / v[5] : 0},
        .extent = {v[2], v[3], v[4]}, .kind = (enum cudaMemcpyKind)v[9]};
    free(t);
    return cudaSuccess;
}

API cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t n, struct cudaMemsetParams *p)
{
    struct run_message m;
    struct told_node *t;
    cudaError_t error = node_get(__func__, n, cudaGraphNodeTypeMemset, p, &m, &t);
    if (error)
        return error;
    const uint64_t *v = t->message.number;
    *p = (struct cudaMemsetParams){.dst = pointer_of(v[0]), .pitch = v[4], .value = (unsigned)v[1],
                                   .elementSize = (unsigned)v[7], .width = v[2] / (v[7] ? v[7] : 1),
                                   .height = v[3]};
    free(t);
    return cudaSuccess;
}

cudaError_t node_host_request(const struct cudaHostNodeParams *p, struct run_message *m)
{
    void *at;
    if (!p || !p->fn)
        return cudaErrorInvalidValue;
    memcpy(&at, &p->fn, sizeof at);
    *m = REQUEST(STREAM_CALL, 0, number_of(at), number_of(p->userData));
    return cudaSuccess;
}

NODE_CALLS(Host, , const struct cudaHostNodeParams *p, node_host_request(p, &m))

API cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t n, struct cudaHostNodeParams *p)
{
    struct run_message m;
    struct told_node *t;
    cudaError_t error = node_get(__func__, n, cudaGraphNodeTypeHost, p, &m, &t);
    if (error)
        return error;
    void *at = pointer_of(t->message.number[1]);
    memcpy(&p->fn, &at, sizeof at);
    p->userData = pointer_of(t->message.number[2]);
    free(t);
    return cudaSuccess;
}
