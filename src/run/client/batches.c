/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies by the batch, and copies that name devices. Each is one copy after the other.
 */
#include "run/client/client.h"

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind,
                            cudaStream_t);

static bool is_legacy(cudaStream_t s) { return !s || s == cudaStreamLegacy; }

API cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *bytes,
                                     size_t count, struct cudaMemcpyAttributes *how,
                                     size_t *how_from, size_t how_count, cudaStream_t s)
{
    if (!to || !from || !bytes || !count || !how || !how_from || !how_count || how_count > count ||
        how_from[0] != 0 || is_legacy(s))
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < count && !error; i++)
        error = cudaMemcpyAsync((void *)to[i], from[i], bytes[i], cudaMemcpyDefault, s);
    return error;
}

/* Memory in rows of so many bytes. */
static struct cudaPitchedPtr side(const struct cudaMemcpy3DOperand *o, const struct cudaExtent *e)
{
    const size_t row = o->op.ptr.rowLength ? o->op.ptr.rowLength : e->width;
    return (struct cudaPitchedPtr){o->op.ptr.ptr, row, row,
                                   o->op.ptr.layerHeight ? o->op.ptr.layerHeight : e->height};
}

API cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct cudaMemcpy3DBatchOp *list,
                                       unsigned long long flags, cudaStream_t s)
{
    if (!count || !list || flags || is_legacy(s))
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < count && !error; i++) {
        const struct cudaMemcpy3DBatchOp *o = &list[i];
        if (o->src.type == cudaMemcpyOperandTypeArray || o->dst.type == cudaMemcpyOperandTypeArray)
            return run_lacking("cudaMemcpy3DBatchAsync of arrays");
        const struct cudaMemcpy3DParms p = {.srcPtr = side(&o->src, &o->extent),
                                            .dstPtr = side(&o->dst, &o->extent),
                                            .extent = o->extent, .kind = cudaMemcpyDefault};
        error = run_copy(__func__, &p, s, false);
    }
    return error;
}

static cudaError_t copy_peer(const char *name, const struct cudaMemcpy3DPeerParms *p,
                             cudaStream_t s, bool waits)
{
    if (!p)
        return run_failed(name, cudaErrorInvalidValue);
    if ((!p->srcArray && p->srcDevice) || (!p->dstArray && p->dstDevice))
        return run_failed(name, cudaErrorInvalidDevice);
    const struct cudaMemcpy3DParms same = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                           p->dstPos, p->dstPtr, p->extent, cudaMemcpyDefault};
    return run_copy(name, &same, s, waits);
}

API cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    return copy_peer(__func__, p, NULL, true);
}

API cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t s)
{
    return copy_peer(__func__, p, s, false);
}
