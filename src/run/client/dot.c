/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A graph as text for the program `dot`: nodes, edges, and the graphs that lie in nodes.
 */
#include "run/client/node.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const kinds[cudaGraphNodeTypeCount] = {
    [cudaGraphNodeTypeKernel] = "KERNEL", [cudaGraphNodeTypeMemcpy] = "MEMCPY",
    [cudaGraphNodeTypeMemset] = "MEMSET", [cudaGraphNodeTypeHost] = "HOST",
    [cudaGraphNodeTypeGraph] = "GRAPH", [cudaGraphNodeTypeEmpty] = "EMPTY",
    [cudaGraphNodeTypeWaitEvent] = "WAIT EVENT", [cudaGraphNodeTypeEventRecord] = "EVENT RECORD",
    [cudaGraphNodeTypeMemAlloc] = "MEM ALLOC", [cudaGraphNodeTypeMemFree] = "MEM FREE",
    [cudaGraphNodeTypeConditional] = "CONDITIONAL"};

struct numbers { uint64_t *all; size_t count; };

static cudaError_t list(const char *name, uint64_t graph, enum run_list what, struct numbers *out)
{
    const size_t each = (what == LIST_EDGES ? 2 : 1) * sizeof *out->all;
    struct run_message m = REQUEST(NODE_LIST, graph, 0, what, 0);
    cudaError_t error = run_call(name, &m);
    *out = (struct numbers){NULL, 0};
    if (error)
        return error;
    out->count = (size_t)m.number[0];
    out->all = malloc(out->count * each + 1);
    if (!out->all)
        return run_failed(name, cudaErrorMemoryAllocation);
    m = REQUEST(NODE_LIST, graph, 0, what, out->count);
    return run_call_with(name, &m, NULL, 0, out->all, out->count * each);
}

static cudaError_t put_graph(const char *name, FILE *f, uint64_t graph);

static cudaError_t put_node(const char *name, FILE *f, uint64_t node)
{
    struct run_message m;
    struct told_node *t;
    struct called_kernel *k;
    const char *function = NULL;
    cudaError_t error = node_get(name, pointer_of(node), cudaGraphNodeTypeCount, &m, &m, &t);
    if (error)
        return error;
    if (m.number[0] == cudaGraphNodeTypeKernel)
        function = run_function_name(run_function_of(t->message.number[LAUNCH_KERNEL], &k));
    fprintf(f, "\"node_%llu\" [label=\"%llu\\n%s%s%s\"];\n", (unsigned long long)node,
            (unsigned long long)node, m.number[0] < cudaGraphNodeTypeCount && kinds[m.number[0]]
                                          ? kinds[m.number[0]] : "NODE",
            function ? "\\n" : "", function ? function : "");
    if (m.number[1])
        error = put_graph(name, f, m.number[1]);
    const uint64_t first = t->message.what == RUN_CONDITION ? m.number[3] : 0;
    for (uint64_t i = 0; first && i < t->message.number[2] && !error; i++)
        error = put_graph(name, f, first + i);
    free(t);
    return error;
}

static cudaError_t put_graph(const char *name, FILE *f, uint64_t graph)
{
    struct numbers nodes, edges = {NULL, 0};
    cudaError_t error = list(name, graph, LIST_NODES, &nodes);
    fprintf(f, "subgraph cluster_%llu {\nlabel=\"graph_%llu\";\n", (unsigned long long)graph,
            (unsigned long long)graph);
    for (size_t i = 0; i < nodes.count && !error; i++)
        error = put_node(name, f, nodes.all[i]);
    if (!error)
        error = list(name, graph, LIST_EDGES, &edges);
    for (size_t i = 0; i < edges.count && !error; i++)
        fprintf(f, "\"node_%llu\" -> \"node_%llu\";\n", (unsigned long long)edges.all[2 * i],
                (unsigned long long)edges.all[2 * i + 1]);
    fprintf(f, "}\n");
    free(nodes.all);
    free(edges.all);
    return error;
}

/* Flags ask for more about each node. */
API cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags)
{
    struct run_message m = REQUEST(NODE_LIST, number_of(graph), 0, LIST_NODES, 0);
    (void)flags;
    if (!path)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = run_call(__func__, &m);
    FILE *f = error ? NULL : fopen(path, "w");
    if (!f)
        return error ? error : run_failed(__func__, cudaErrorOperatingSystem);
    fprintf(f, "digraph dot {\n");
    error = put_graph(__func__, f, number_of(graph));
    fprintf(f, "}\n");
    const bool failed = ferror(f) != 0;
    return (fclose(f) != 0 || failed) && !error ? run_failed(__func__, cudaErrorOperatingSystem)
                                                : error;
}
