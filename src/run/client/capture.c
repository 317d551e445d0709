/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams that are captured as graphs.
 */
#include "run/client/client.h"

#include <stdlib.h>

API cudaError_t cudaStreamBeginCapture(cudaStream_t s, enum cudaStreamCaptureMode mode)
{
    return CALL(CAPTURE, number_of(s), mode, 0);
}

API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t s, cudaGraph_t graph,
                                              const cudaGraphNode_t *after,
                                              const cudaGraphEdgeData *edges, size_t count,
                                              enum cudaStreamCaptureMode mode)
{
    (void)edges;
    if (!graph || (count && !after))
        return run_failed(__func__, cudaErrorInvalidValue);
    return run_call_with(__func__, &REQUEST(CAPTURE, number_of(s), mode, number_of(graph)), after,
                         count * sizeof *after, NULL, 0);
}

API cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *graph)
{
    struct run_message m = REQUEST(CAPTURE_END, number_of(s), !graph);
    cudaError_t error = run_call(__func__, &m);
    if (graph)
        *graph = error ? NULL : pointer_of(m.number[0]);
    return error;
}

API cudaError_t cudaStreamIsCapturing(cudaStream_t s, enum cudaStreamCaptureStatus *status)
{
    struct run_message m = REQUEST(CAPTURE_INFO, number_of(s));
    if (!status)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = run_call(__func__, &m);
    if (!error)
        *status = (enum cudaStreamCaptureStatus)m.number[0];
    return error;
}

/* The nodes that the next one waits for. They are the library's, until the thread asks again. */
static __thread struct { cudaGraphNode_t *nodes; size_t room; } told;

API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                                         unsigned long long *id, cudaGraph_t *graph,
                                         const cudaGraphNode_t **nodes,
                                         const cudaGraphEdgeData **edges, size_t *count)
{
    struct run_message m;
    if (!status)
        return run_failed(__func__, cudaErrorInvalidValue);
    for (;;) {
        m = REQUEST(CAPTURE_INFO, number_of(s), told.room);
        cudaError_t error = run_call_with(__func__, &m, NULL, 0, told.nodes,
                                          told.room * sizeof *told.nodes);
        if (error)
            return error;
        if (m.number[3] <= told.room)
            break;
        cudaGraphNode_t *grown = realloc(told.nodes, (size_t)m.number[3] * sizeof *grown);
        if (!grown)
            return run_failed(__func__, cudaErrorMemoryAllocation);
        told.nodes = grown;
        told.room = (size_t)m.number[3];
    }
    *status = (enum cudaStreamCaptureStatus)m.number[0];
    if (*status != cudaStreamCaptureStatusActive)
        return cudaSuccess;
    if (id)
        *id = m.number[1];
    if (graph)
        *graph = pointer_of(m.number[2]);
    if (nodes)
        *nodes = told.nodes;
    if (edges)
        *edges = NULL; /* all are of the usual kind */
    if (count)
        *count = (size_t)m.number[3];
    return cudaSuccess;
}

API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t *nodes,
                                                    const cudaGraphEdgeData *edges, size_t count,
                                                    unsigned flags)
{
    (void)edges;
    if (flags > 1 || (count && !nodes))
        return run_failed(__func__, cudaErrorInvalidValue);
    return run_call_with(__func__, &REQUEST(CAPTURE_SET, number_of(s), flags), nodes,
                         count * sizeof *nodes, NULL, 0);
}

API cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
        return run_failed(__func__, cudaErrorInvalidValue);
    enum cudaStreamCaptureMode before = run_capture_mode;
    run_capture_mode = *mode;
    *mode = before;
    return cudaSuccess;
}
