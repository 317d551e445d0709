/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions whose arguments are others in CUDA 11 or 12 than in CUDA 13. A program asks for a
 * function by its name and the version of its toolkit's runtime (the file `versions`), so each form
 * has the version that it belongs to.
 */
#include "run/client/client.h"

#define VERSION_11 "libcudart.so.11.0"
#define VERSION_12 "libcudart.so.12"
#define FORM(name, of, version, parameters, arguments)                                            \
    API cudaError_t name##of parameters { return name##_old arguments; }                          \
    __asm__(".symver " #name #of ", " #name "@" version);

/* The body of a form follows its name, which CUDA 11 alone has, or CUDA 11 and 12, or 12 alone. */
#define OLD_11(name, parameters, arguments)                                                       \
    static cudaError_t name##_old parameters;                                                     \
    FORM(name, _of_11, VERSION_11, parameters, arguments)                                         \
    static cudaError_t name##_old parameters
#define OLD_12(name, parameters, arguments)                                                       \
    static cudaError_t name##_old parameters;                                                     \
    FORM(name, _of_12, VERSION_12, parameters, arguments)                                         \
    static cudaError_t name##_old parameters
#define OLD(name, parameters, arguments)                                                          \
    static cudaError_t name##_old parameters;                                                     \
    FORM(name, _of_11, VERSION_11, parameters, arguments)                                         \
    FORM(name, _of_12, VERSION_12, parameters, arguments)                                         \
    static cudaError_t name##_old parameters
/* The same for a program whose threads have default streams of their own. */
#define OLD_PER_THREAD(name, parameters, arguments)                                               \
    OLD(name##_ptsz, parameters, arguments)                                                       \
    {                                                                                             \
        run_per_thread = true;                                                                    \
        cudaError_t error = name##_old arguments;                                                 \
        run_per_thread = false;                                                                   \
        return error;                                                                             \
    }
#define OLD_12_PER_THREAD(name, parameters, arguments)                                            \
    OLD_12(name##_ptsz, parameters, arguments)                                                    \
    {                                                                                             \
        run_per_thread = true;                                                                    \
        cudaError_t error = name##_old arguments;                                                 \
        run_per_thread = false;                                                                   \
        return error;                                                                             \
    }
/* CUDA 12 has this one as CUDA 13 has it, and not CUDA 11. */
#define SAME_12(name, parameters, arguments)                                                      \
    cudaError_t name parameters;                                                                  \
    API cudaError_t name##_of_12 parameters { return name arguments; }                            \
    __asm__(".symver " #name "_of_12, " #name "@" VERSION_12);
/* CUDA 12 gives the form of CUDA 13 a name with a number, beside the old form. */
#define NUMBERED(numbered, name, parameters, arguments)                                           \
    cudaError_t name parameters;                                                                  \
    API cudaError_t numbered parameters { return name arguments; }

#define STATUS enum cudaStreamCaptureStatus *status
#define MODE unsigned flags
#define NODES cudaGraphNode_t *nodes
#define EDGES const cudaGraphEdgeData *edges
#define TOLD_EDGES cudaGraphEdgeData *edges
#define PAIRS cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to
#define TOLD_PAIRS cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to
#define NEW_NODE cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after

/* ---- memory ---------------------------------------------------------------------------- */

cudaError_t cudaMemAdvise(const void *, size_t, enum cudaMemoryAdvise, struct cudaMemLocation);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, struct cudaMemLocation, unsigned,
                                 cudaStream_t);

/* A device, or the host. */
static struct cudaMemLocation place_of(int device)
{
    return (struct cudaMemLocation){
        device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
        device == cudaCpuDeviceId ? 0 : device};
}

OLD(cudaMemAdvise, (const void *at, size_t n, enum cudaMemoryAdvise advice, int device),
    (at, n, advice, device))
{
    return cudaMemAdvise(at, n, advice, place_of(device));
}

OLD(cudaMemPrefetchAsync, (const void *at, size_t n, int device, cudaStream_t s),
    (at, n, device, s))
{
    return cudaMemPrefetchAsync(at, n, place_of(device), 0, s);
}

OLD_PER_THREAD(cudaMemPrefetchAsync, (const void *at, size_t n, int device, cudaStream_t s),
               (at, n, device, s))
NUMBERED(cudaMemPrefetchAsync_v2_ptsz, cudaMemPrefetchAsync_ptsz,
         (const void *at, size_t n, struct cudaMemLocation to, unsigned flags, cudaStream_t s),
         (at, n, to, flags, s))

/* ---- copies by the batch ---------------------------------------------------------------- */

cudaError_t cudaMemcpyBatchAsync(void *const *, const void *const *, const size_t *, size_t,
                                 struct cudaMemcpyAttributes *, size_t *, size_t, cudaStream_t);
cudaError_t cudaMemcpy3DBatchAsync(size_t, struct cudaMemcpy3DBatchOp *, unsigned long long,
                                   cudaStream_t);

/* Which copy has failed is not known: SIZE_MAX says so. */
static cudaError_t told_failed(cudaError_t error, size_t *failed)
{
    if (error && failed)
        *failed = SIZE_MAX;
    return error;
}

#define BATCH                                                                                     \
    void **to, void **from, size_t *bytes, size_t count, struct cudaMemcpyAttributes *how,        \
        size_t *how_from, size_t how_count, size_t *failed, cudaStream_t s
#define BATCH_3D                                                                                  \
    size_t count, struct cudaMemcpy3DBatchOp *list, size_t *failed, unsigned long long flags,     \
        cudaStream_t s
OLD_12(cudaMemcpyBatchAsync, (BATCH), (to, from, bytes, count, how, how_from, how_count, failed, s))
{
    return told_failed(cudaMemcpyBatchAsync(to, (const void *const *)from, bytes, count, how,
                                            how_from, how_count, s), failed);
}

OLD_12(cudaMemcpy3DBatchAsync, (BATCH_3D), (count, list, failed, flags, s))
{
    return told_failed(cudaMemcpy3DBatchAsync(count, list, flags, s), failed);
}

OLD_12_PER_THREAD(cudaMemcpyBatchAsync, (BATCH),
                  (to, from, bytes, count, how, how_from, how_count, failed, s))
OLD_12_PER_THREAD(cudaMemcpy3DBatchAsync, (BATCH_3D), (count, list, failed, flags, s))

/* ---- graphs ---------------------------------------------------------------------------- */

SAME_12(cudaGraphInstantiate, (cudaGraphExec_t *out, cudaGraph_t g, unsigned long long flags),
        (out, g, flags))
SAME_12(cudaGraphExecUpdate,
        (cudaGraphExec_t exec, cudaGraph_t g, cudaGraphExecUpdateResultInfo *info),
        (exec, g, info))

OLD_11(cudaGraphInstantiate,
       (cudaGraphExec_t *out, cudaGraph_t g, cudaGraphNode_t *node, char *log, size_t room),
       (out, g, node, log, room))
{
    if (node)
        *node = NULL;
    if (log && room)
        *log = '\0';
    return cudaGraphInstantiate(out, g, 0);
}

OLD_11(cudaGraphExecUpdate,
       (cudaGraphExec_t exec, cudaGraph_t g, cudaGraphNode_t *node,
        enum cudaGraphExecUpdateResult *result), (exec, g, node, result))
{
    cudaGraphExecUpdateResultInfo info = {.result = cudaGraphExecUpdateError};
    cudaError_t error = cudaGraphExecUpdate(exec, g, &info);
    if (node)
        *node = info.errorNode;
    if (result)
        *result = info.result;
    return error;
}

/* Edges were of one kind only. */
NUMBERED(cudaGraphGetEdges_v2, cudaGraphGetEdges, (TOLD_PAIRS, TOLD_EDGES, size_t *count),
         (g, from, to, edges, count))
OLD(cudaGraphGetEdges, (TOLD_PAIRS, size_t *count), (g, from, to, count))
{
    return cudaGraphGetEdges(g, from, to, NULL, count);
}

NUMBERED(cudaGraphNodeGetDependencies_v2, cudaGraphNodeGetDependencies,
         (cudaGraphNode_t n, NODES, TOLD_EDGES, size_t *count), (n, nodes, edges, count))
OLD(cudaGraphNodeGetDependencies, (cudaGraphNode_t n, NODES, size_t *count), (n, nodes, count))
{
    return cudaGraphNodeGetDependencies(n, nodes, NULL, count);
}

NUMBERED(cudaGraphNodeGetDependentNodes_v2, cudaGraphNodeGetDependentNodes,
         (cudaGraphNode_t n, NODES, TOLD_EDGES, size_t *count), (n, nodes, edges, count))
OLD(cudaGraphNodeGetDependentNodes, (cudaGraphNode_t n, NODES, size_t *count), (n, nodes, count))
{
    return cudaGraphNodeGetDependentNodes(n, nodes, NULL, count);
}

NUMBERED(cudaGraphAddDependencies_v2, cudaGraphAddDependencies, (PAIRS, EDGES, size_t count),
         (g, from, to, edges, count))
OLD(cudaGraphAddDependencies, (PAIRS, size_t count), (g, from, to, count))
{
    return cudaGraphAddDependencies(g, from, to, NULL, count);
}

NUMBERED(cudaGraphRemoveDependencies_v2, cudaGraphRemoveDependencies,
         (PAIRS, EDGES, size_t count), (g, from, to, edges, count))
OLD(cudaGraphRemoveDependencies, (PAIRS, size_t count), (g, from, to, count))
{
    return cudaGraphRemoveDependencies(g, from, to, NULL, count);
}

NUMBERED(cudaGraphAddNode_v2, cudaGraphAddNode,
         (NEW_NODE, EDGES, size_t count, struct cudaGraphNodeParams *p),
         (out, g, after, edges, count, p))
OLD_12(cudaGraphAddNode, (NEW_NODE, size_t count, struct cudaGraphNodeParams *p),
       (out, g, after, count, p))
{
    return cudaGraphAddNode(out, g, after, NULL, count, p);
}

/* ---- captures -------------------------------------------------------------------------- */

#define CAPTURE cudaStream_t s, STATUS, unsigned long long *id
#define CAPTURED cudaGraph_t *g, const cudaGraphNode_t **nodes
NUMBERED(cudaStreamGetCaptureInfo_v3, cudaStreamGetCaptureInfo,
         (CAPTURE, CAPTURED, const cudaGraphEdgeData **edges, size_t *count),
         (s, status, id, g, nodes, edges, count))
NUMBERED(cudaStreamGetCaptureInfo_v3_ptsz, cudaStreamGetCaptureInfo_ptsz,
         (CAPTURE, CAPTURED, const cudaGraphEdgeData **edges, size_t *count),
         (s, status, id, g, nodes, edges, count))

API cudaError_t cudaStreamGetCaptureInfo_v2(CAPTURE, CAPTURED, size_t *count)
{
    return cudaStreamGetCaptureInfo(s, status, id, g, nodes, NULL, count);
}

API cudaError_t cudaStreamGetCaptureInfo_v2_ptsz(CAPTURE, CAPTURED, size_t *count)
{
    return cudaStreamGetCaptureInfo_ptsz(s, status, id, g, nodes, NULL, count);
}

OLD(cudaStreamGetCaptureInfo, (CAPTURE), (s, status, id))
{
    return cudaStreamGetCaptureInfo(s, status, id, NULL, NULL, NULL, NULL);
}

OLD_PER_THREAD(cudaStreamGetCaptureInfo, (CAPTURE), (s, status, id))
NUMBERED(cudaStreamUpdateCaptureDependencies_v2, cudaStreamUpdateCaptureDependencies,
         (cudaStream_t s, NODES, EDGES, size_t count, MODE), (s, nodes, edges, count, flags))
NUMBERED(cudaStreamUpdateCaptureDependencies_v2_ptsz, cudaStreamUpdateCaptureDependencies_ptsz,
         (cudaStream_t s, NODES, EDGES, size_t count, MODE), (s, nodes, edges, count, flags))
OLD(cudaStreamUpdateCaptureDependencies, (cudaStream_t s, NODES, size_t count, MODE),
    (s, nodes, count, flags))
{
    return cudaStreamUpdateCaptureDependencies(s, nodes, NULL, count, flags);
}

OLD_PER_THREAD(cudaStreamUpdateCaptureDependencies, (cudaStream_t s, NODES, size_t count, MODE),
               (s, nodes, count, flags))
