/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes of graphs whose parameters the driver API has in structs of its own. All other functions of
 * graphs are the runtime's: driver-same.def.
 */
#include "run/client/driver.h"

/* CUDA_KERNEL_NODE_PARAMS: it begins as the runtime's struct does. */
struct driver_kernel_node { struct cudaKernelNodeParams of_runtime; CUfunction kernel;
                            CUcontext context; };

#define OUT_NODE cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n
cudaError_t cudaGraphAddKernelNode(OUT_NODE, const struct cudaKernelNodeParams *);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t, const struct cudaKernelNodeParams *);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t, struct cudaKernelNodeParams *);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                             const struct cudaKernelNodeParams *);
cudaError_t cudaGraphAddMemcpyNode(OUT_NODE, const struct cudaMemcpy3DParms *);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t, const struct cudaMemcpy3DParms *);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t, struct cudaMemcpy3DParms *);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                             const struct cudaMemcpy3DParms *);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *, cudaGraph_t, unsigned long long);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo *);

static CUresult begin(const char *name, bool fits)
{
    CUresult error = run_driver_ready();
    if (!error && !fits)
        error = CUDA_ERROR_INVALID_VALUE;
    if (error)
        return run_driver_failed(name, error);
    run_called_as = name;
    return CUDA_SUCCESS;
}

static CUresult finish(cudaError_t error)
{
    const CUresult result = run_driver_result(error);
    run_called_as = NULL;
    return result;
}

/* ---- kernels --------------------------------------------------------------------------- */

/* A kernel of a library is named in a member of its own. */
static bool read_kernel(const struct driver_kernel_node *p, struct cudaKernelNodeParams *out)
{
    if (!p || (p->of_runtime.extra && !p->of_runtime.kernelParams))
        return false;
    *out = p->of_runtime;
    if (!out->func)
        out->func = p->kernel;
    return true;
}

API CUresult cuGraphAddKernelNode_v2(OUT_NODE, const struct driver_kernel_node *p)
{
    struct cudaKernelNodeParams k;
    CUresult error = begin(__func__, read_kernel(p, &k));
    return error ? error : finish(cudaGraphAddKernelNode(out, g, after, n, &k));
}

API CUresult cuGraphKernelNodeSetParams_v2(cudaGraphNode_t node, const struct driver_kernel_node *p)
{
    struct cudaKernelNodeParams k;
    CUresult error = begin(__func__, read_kernel(p, &k));
    return error ? error : finish(cudaGraphKernelNodeSetParams(node, &k));
}

API CUresult cuGraphExecKernelNodeSetParams_v2(cudaGraphExec_t g, cudaGraphNode_t node,
                                               const struct driver_kernel_node *p)
{
    struct cudaKernelNodeParams k;
    CUresult error = begin(__func__, read_kernel(p, &k));
    return error ? error : finish(cudaGraphExecKernelNodeSetParams(g, node, &k));
}

API CUresult cuGraphKernelNodeGetParams_v2(cudaGraphNode_t node, struct driver_kernel_node *p)
{
    CUresult error = begin(__func__, p != NULL);
    if (!error)
        error = finish(cudaGraphKernelNodeGetParams(node, &p->of_runtime));
    if (!error) {
        p->kernel = NULL;
        p->context = run_driver_context();
    }
    return error;
}

/* ---- copies ---------------------------------------------------------------------------- */

API CUresult cuGraphAddMemcpyNode(OUT_NODE, const struct driver_copy *c, CUcontext context)
{
    struct cudaMemcpy3DParms p;
    CUresult error = begin(__func__, run_driver_copy(c, &p));
    (void)context;
    return error ? error : finish(cudaGraphAddMemcpyNode(out, g, after, n, &p));
}

API CUresult cuGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct driver_copy *c)
{
    struct cudaMemcpy3DParms p;
    CUresult error = begin(__func__, run_driver_copy(c, &p));
    return error ? error : finish(cudaGraphMemcpyNodeSetParams(node, &p));
}

API CUresult cuGraphExecMemcpyNodeSetParams(cudaGraphExec_t g, cudaGraphNode_t node,
                                            const struct driver_copy *c, CUcontext context)
{
    struct cudaMemcpy3DParms p;
    CUresult error = begin(__func__, run_driver_copy(c, &p));
    (void)context;
    return error ? error : finish(cudaGraphExecMemcpyNodeSetParams(g, node, &p));
}

static struct driver_side side_of(const struct cudaPitchedPtr *m, bool on_host, bool unified)
{
    return (struct driver_side){
        .type = unified ? DRIVER_UNIFIED : on_host ? DRIVER_HOST : DRIVER_DEVICE,
        .host = on_host && !unified ? m->ptr : NULL,
        .device = on_host && !unified ? 0 : number_of(m->ptr), .pitch = m->pitch,
        .height = m->ysize};
}

API CUresult cuGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct driver_copy *c)
{
    struct cudaMemcpy3DParms p;
    CUresult error = begin(__func__, c != NULL);
    if (!error)
        error = finish(cudaGraphMemcpyNodeGetParams(node, &p));
    if (error)
        return error;
    const bool unified = p.kind == cudaMemcpyDefault, same = p.kind == cudaMemcpyHostToHost;
    *c = (struct driver_copy){
        side_of(&p.srcPtr, same || p.kind == cudaMemcpyHostToDevice, unified),
        side_of(&p.dstPtr, same || p.kind == cudaMemcpyDeviceToHost, unified), p.extent.width,
        p.extent.height, p.extent.depth};
    return CUDA_SUCCESS;
}

/* ---- instantiating --------------------------------------------------------------------- */

/* As CUDA 11 has it, with a place for the node that is wrong. */
static CUresult instantiate(const char *name, cudaGraphExec_t *out, cudaGraph_t g,
                            cudaGraphNode_t *node, char *log, size_t room)
{
    CUresult error = begin(name, true);
    if (node)
        *node = NULL;
    if (log && room)
        *log = '\0';
    return error ? error : finish(cudaGraphInstantiateWithFlags(out, g, 0));
}

API CUresult cuGraphInstantiate_v2(cudaGraphExec_t *out, cudaGraph_t g, cudaGraphNode_t *node,
                                   char *log, size_t room)
{
    return instantiate(__func__, out, g, node, log, room);
}

API CUresult cuGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t g, cudaGraphNode_t *node,
                                char *log, size_t room)
{
    return instantiate(__func__, out, g, node, log, room);
}

API CUresult cuGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g, cudaGraphNode_t *node,
                               enum cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info = {0};
    CUresult error = begin(__func__, result != NULL);
    if (error)
        return error;
    error = finish(cudaGraphExecUpdate(exec, g, &info));
    *result = info.result;
    if (node)
        *node = info.errorNode;
    return error;
}
