/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the size of each struct that programs give to the runtime, and where its members lie. It is
 * compiled with the stand-ins' types and with the toolkit's headers, and must print the same.
 */
#include <stddef.h>
#include <stdio.h>

#ifdef STAND_IN
#include "cudalab_runtime_types.h"
#else
#include <cuda_runtime_api.h>
#endif

#define SIZE(type) printf("%s %zu\n", #type, sizeof(type));
#define AT(type, member) printf("%s.%s %zu\n", #type, #member, offsetof(type, member));
#define AT2(type, a, b) SIZE(type) AT(type, a) AT(type, b)
#define AT3(type, a, b, c) AT2(type, a, b) AT(type, c)
#define AT4(type, a, b, c, d) AT3(type, a, b, c) AT(type, d)

int main(void)
{
    AT4(struct cudaDeviceProp, uuid, totalGlobalMem, memPitch, maxThreadsDim)
    AT4(struct cudaDeviceProp, totalConstMem, textureAlignment, multiProcessorCount, maxTexture3D)
    AT4(struct cudaDeviceProp, surfaceAlignment, concurrentKernels, pciBusID, l2CacheSize)
    AT4(struct cudaDeviceProp, sharedMemPerMultiprocessor, cooperativeLaunch,
        sharedMemPerBlockOptin, reservedSharedMemPerBlock)
    AT4(struct cudaDeviceProp, memoryPoolsSupported, clusterLaunch, hostNumaId, gpuPciDeviceID)
    AT4(struct cudaFuncAttributes, localSizeBytes, maxThreadsPerBlock, numRegs, cacheModeCA)
    AT4(struct cudaFuncAttributes, maxDynamicSharedSizeBytes, preferredShmemCarveout,
        requiredClusterDepth, nonPortableClusterSizeAllowed)
    AT4(struct cudaPointerAttributes, type, device, devicePointer, hostPointer)
    AT4(struct cudaPitchedPtr, ptr, pitch, xsize, ysize)
    AT3(struct cudaExtent, width, height, depth)
    AT3(struct cudaPos, x, y, z)
    AT4(struct cudaMemcpy3DParms, srcPos, srcPtr, dstArray, dstPos)
    AT3(struct cudaMemcpy3DParms, dstPtr, extent, kind)
    AT4(struct cudaMemcpy3DPeerParms, srcPos, srcPtr, srcDevice, dstArray)
    AT4(struct cudaMemcpy3DPeerParms, dstPos, dstPtr, dstDevice, extent)
    AT4(struct cudaChannelFormatDesc, x, y, w, f)
    AT4(struct cudaResourceDesc, res.array.array, res.linear.desc, res.linear.sizeInBytes, flags)
    AT4(struct cudaResourceDesc, res.pitch2D.devPtr, res.pitch2D.desc, res.pitch2D.width,
        res.pitch2D.pitchInBytes)
    AT4(struct cudaTextureDesc, filterMode, readMode, sRGB, borderColor)
    AT4(struct cudaTextureDesc, normalizedCoords, mipmapFilterMode, maxMipmapLevelClamp,
        seamlessCubemap)
    AT4(struct cudaResourceViewDesc, format, width, firstMipmapLevel, lastLayer)
    AT2(struct cudaMemLocation, type, id)
    AT4(cudaLaunchConfig_t, blockDim, dynamicSmemBytes, attrs, numAttrs)
    AT2(cudaLaunchAttribute, id, val)
    AT4(cudaLaunchAttributeValue, cooperative, clusterDim.y, programmaticEvent.triggerAtBlockStart,
        accessPolicyWindow.missProp)
    AT3(cudaLaunchAttributeValue, priority, launchCompletionEvent.flags, sharedMemCarveout)
    AT4(struct cudaAccessPolicyWindow, num_bytes, hitRatio, hitProp, missProp)
    AT4(struct cudaKernelNodeParams, func, blockDim, sharedMemBytes, extra)
    AT4(struct cudaMemsetParams, pitch, value, elementSize, height)
    AT2(struct cudaMemcpyNodeParams, flags, copyParams)
    AT2(struct cudaHostNodeParams, fn, userData)
    AT4(struct cudaMemAllocNodeParams, accessDescs, accessDescCount, bytesize, dptr)
    AT4(struct cudaConditionalNodeParams, handle, type, size, phGraph_out)
    AT4(struct cudaGraphNodeParams, kernel.kernelParams, memcpy.copyParams, memset.height, reserved2)
    AT4(struct cudaGraphNodeParams, host.userData, graph.graph, eventWait.event, alloc.dptr)
    AT4(cudaGraphInstantiateParams, flags, uploadStream, errNode_out, result_out)
    AT3(cudaGraphExecUpdateResultInfo, result, errorNode, errorFromNode)
    AT4(cudaGraphEdgeData, from_port, to_port, type, reserved)
    AT4(struct cudaMemPoolProps, handleTypes, location, maxSize, usage)
    AT2(struct cudaMemAccessDesc, location, flags)
    AT4(struct cudaMemcpyAttributes, srcAccessOrder, srcLocHint, dstLocHint, flags)
    AT4(struct cudaMemcpy3DBatchOp, src, dst, extent, flags)
    AT4(struct cudaMemcpy3DOperand, op.ptr.rowLength, op.ptr.locHint, op.array.array,
        op.array.offset)
    SIZE(cudaIpcMemHandle_t)
    SIZE(cudaIpcEventHandle_t)
    return 0;
}
