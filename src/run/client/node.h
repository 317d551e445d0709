/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files that make nodes of graphs share.
 */
#ifndef RUN_CLIENT_NODE_H
#define RUN_CLIENT_NODE_H

#include "run/client/client.h"

/* A node to be: where, and behind which others. `name` is the call. */
struct node_place {
    const char *name;
    cudaGraphNode_t *out;
    cudaGraph_t graph;
    const cudaGraphNode_t *after;
    size_t count;
};
#define PLACE (&(const struct node_place){__func__, out, graph, after, count})
#define WHERE cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count

/* What cudalab knows of a node: its request and, of a kernel, the parameters. */
enum { PARAMS_MOST = 1 << 16 };
struct told_node { struct run_message message; char params[PARAMS_MOST]; };

/* An error that is given is the call's result. `more`: a child graph or the bytes of memory, whose
 * address comes back. */
cudaError_t node_add(const struct node_place *, enum cudaGraphNodeType, uint64_t more,
                     cudaError_t error, const struct run_message *inner, const void *params,
                     uint64_t *address);
/* graph: 0, or one that was instantiated. */
cudaError_t node_set(const char *name, uint64_t graph, cudaGraphNode_t, uint64_t child,
                     cudaError_t error, const struct run_message *inner, const void *params);
/* Of a node of this type, or of any for cudaGraphNodeTypeCount. `for_caller` is where the call's
 * answer goes; NULL is an error. Free the result. */
cudaError_t node_get(const char *name, cudaGraphNode_t, enum cudaGraphNodeType,
                     const void *for_caller, struct run_message *, struct told_node **);
cudaError_t node_add_kernel(const struct node_place *, const struct cudaKernelNodeParams *);
cudaError_t node_set_kernel(const char *name, uint64_t graph, cudaGraphNode_t,
                            const struct cudaKernelNodeParams *);
cudaError_t node_host_request(const struct cudaHostNodeParams *, struct run_message *);

#endif
