/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A header of helpers, of the kind that comes with collections of sample programs: names of
 * errors, checks of calls and a search for the fastest device. It tests that such a header loads.
 */
#ifndef SAMPLES_HELPER_CUDA_H
#define SAMPLES_HELPER_CUDA_H
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helper_string.h"

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

#ifdef __DRIVER_TYPES_H__
static const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
#endif

#ifdef CUDA_DRIVER_API
static const char *_cudaGetErrorEnum(CUresult error)
{
    const char *name = NULL;
    cuGetErrorName(error, &name);
    return name ? name : "unknown";
}
#endif

#ifdef CUBLAS_API_H_
static const char *_cudaGetErrorEnum(cublasStatus_t error)
{
    switch (error) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    default: return "<unknown>";
    }
}
#endif

#ifdef _CUFFT_H_
static const char *_cudaGetErrorEnum(cufftResult error)
{
    return error == CUFFT_SUCCESS ? "CUFFT_SUCCESS" : "<unknown>";
}
#endif

#ifdef CURAND_H_
static const char *_cudaGetErrorEnum(curandStatus_t error)
{
    switch (error) {
    case CURAND_STATUS_SUCCESS: return "CURAND_STATUS_SUCCESS";
    case CURAND_STATUS_ALLOCATION_FAILED: return "CURAND_STATUS_ALLOCATION_FAILED";
    case CURAND_STATUS_LAUNCH_FAILURE: return "CURAND_STATUS_LAUNCH_FAILURE";
    default: return "<unknown>";
    }
}
#endif

/* Old helpers name all errors themselves. */
static const char *named_by_hand(cudaError_t error)
{
    switch (error) {
#define ERROR_CASE(name) case name: return #name;
    ERROR_CASE(cudaSuccess) ERROR_CASE(cudaErrorMissingConfiguration)
    ERROR_CASE(cudaErrorMemoryAllocation) ERROR_CASE(cudaErrorInitializationError)
    ERROR_CASE(cudaErrorLaunchFailure) ERROR_CASE(cudaErrorPriorLaunchFailure)
    ERROR_CASE(cudaErrorLaunchTimeout) ERROR_CASE(cudaErrorLaunchOutOfResources)
    ERROR_CASE(cudaErrorInvalidDeviceFunction) ERROR_CASE(cudaErrorInvalidConfiguration)
    ERROR_CASE(cudaErrorInvalidDevice) ERROR_CASE(cudaErrorInvalidValue)
    ERROR_CASE(cudaErrorInvalidPitchValue) ERROR_CASE(cudaErrorInvalidSymbol)
    ERROR_CASE(cudaErrorMapBufferObjectFailed) ERROR_CASE(cudaErrorUnmapBufferObjectFailed)
    ERROR_CASE(cudaErrorInvalidHostPointer) ERROR_CASE(cudaErrorInvalidDevicePointer)
    ERROR_CASE(cudaErrorInvalidTexture) ERROR_CASE(cudaErrorInvalidTextureBinding)
    ERROR_CASE(cudaErrorInvalidChannelDescriptor) ERROR_CASE(cudaErrorInvalidMemcpyDirection)
    ERROR_CASE(cudaErrorInvalidFilterSetting) ERROR_CASE(cudaErrorInvalidNormSetting)
    ERROR_CASE(cudaErrorCudartUnloading) ERROR_CASE(cudaErrorUnknown)
    ERROR_CASE(cudaErrorInvalidResourceHandle) ERROR_CASE(cudaErrorNotReady)
    ERROR_CASE(cudaErrorInsufficientDriver) ERROR_CASE(cudaErrorSetOnActiveProcess)
    ERROR_CASE(cudaErrorInvalidSurface) ERROR_CASE(cudaErrorNoDevice)
    ERROR_CASE(cudaErrorECCUncorrectable) ERROR_CASE(cudaErrorSharedObjectSymbolNotFound)
    ERROR_CASE(cudaErrorSharedObjectInitFailed) ERROR_CASE(cudaErrorUnsupportedLimit)
    ERROR_CASE(cudaErrorDuplicateVariableName) ERROR_CASE(cudaErrorDuplicateTextureName)
    ERROR_CASE(cudaErrorDuplicateSurfaceName) ERROR_CASE(cudaErrorDevicesUnavailable)
    ERROR_CASE(cudaErrorInvalidKernelImage) ERROR_CASE(cudaErrorNoKernelImageForDevice)
    ERROR_CASE(cudaErrorIncompatibleDriverContext) ERROR_CASE(cudaErrorPeerAccessAlreadyEnabled)
    ERROR_CASE(cudaErrorPeerAccessNotEnabled) ERROR_CASE(cudaErrorDeviceAlreadyInUse)
    ERROR_CASE(cudaErrorProfilerDisabled) ERROR_CASE(cudaErrorAssert)
    ERROR_CASE(cudaErrorTooManyPeers) ERROR_CASE(cudaErrorHostMemoryAlreadyRegistered)
    ERROR_CASE(cudaErrorHostMemoryNotRegistered) ERROR_CASE(cudaErrorOperatingSystem)
    ERROR_CASE(cudaErrorPeerAccessUnsupported) ERROR_CASE(cudaErrorLaunchMaxDepthExceeded)
    ERROR_CASE(cudaErrorLaunchFileScopedTex) ERROR_CASE(cudaErrorLaunchFileScopedSurf)
    ERROR_CASE(cudaErrorSyncDepthExceeded) ERROR_CASE(cudaErrorLaunchPendingCountExceeded)
    ERROR_CASE(cudaErrorNotPermitted) ERROR_CASE(cudaErrorNotSupported)
    ERROR_CASE(cudaErrorHardwareStackError) ERROR_CASE(cudaErrorIllegalInstruction)
    ERROR_CASE(cudaErrorMisalignedAddress) ERROR_CASE(cudaErrorInvalidAddressSpace)
    ERROR_CASE(cudaErrorInvalidPc) ERROR_CASE(cudaErrorIllegalAddress)
    ERROR_CASE(cudaErrorInvalidPtx) ERROR_CASE(cudaErrorInvalidGraphicsContext)
    ERROR_CASE(cudaErrorNvlinkUncorrectable) ERROR_CASE(cudaErrorJitCompilerNotFound)
    ERROR_CASE(cudaErrorCooperativeLaunchTooLarge) ERROR_CASE(cudaErrorStartupFailure)
    ERROR_CASE(cudaErrorApiFailureBase) ERROR_CASE(cudaErrorStreamCaptureUnsupported)
    ERROR_CASE(cudaErrorGraphExecUpdateFailure)
#undef ERROR_CASE
    default: return "<unknown>";
    }
}

template <typename T>
void check(T result, const char *call, const char *file, int line)
{
    if (!result)
        return;
    fprintf(stderr, "%s, line %d: %s gives %u, %s\n", file, line, call,
            static_cast<unsigned>(result), _cudaGetErrorEnum(result));
    exit(EXIT_FAILURE);
}

#ifdef __DRIVER_TYPES_H__
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)

inline void __getLastCudaError(const char *message, const char *file, int line)
{
    check(cudaGetLastError(), message, file, line);
}
#endif

/* The cores of a multiprocessor, by its compute capability. */
inline int _ConvertSMVer2Cores(int major, int minor)
{
    return major == 6 && minor == 0 ? 64 : major == 7 ? 64 : major == 8 && minor == 0 ? 64 : 128;
}

#ifdef __CUDA_RUNTIME_H__
inline int attributeOf(int device, cudaDeviceAttr attribute)
{
    int value = 0;
    checkCudaErrors(cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}

inline int64_t speedOf(int device)
{
    if (attributeOf(device, cudaDevAttrComputeMode) == cudaComputeModeProhibited)
        return -1;
    return (int64_t)attributeOf(device, cudaDevAttrMultiProcessorCount) *
           attributeOf(device, cudaDevAttrClockRate) *
           _ConvertSMVer2Cores(attributeOf(device, cudaDevAttrComputeCapabilityMajor),
                               attributeOf(device, cudaDevAttrComputeCapabilityMinor));
}

inline int gpuGetMaxGflopsDeviceId()
{
    int count = 0, best = 0;
    checkCudaErrors(cudaGetDeviceCount(&count));
    for (int device = 1; device < count; device++)
        if (speedOf(device) > speedOf(best))
            best = device;
    return best;
}

inline int findCudaDevice(int count, const char **words)
{
    const int device = checkCmdLineFlag(count, words, "device")
                           ? getCmdLineArgumentInt(count, words, "device")
                           : gpuGetMaxGflopsDeviceId();
    cudaDeviceProp properties;
    checkCudaErrors(cudaSetDevice(device));
    checkCudaErrors(cudaGetDeviceProperties(&properties, device));
    printf("device %d is %s, %d.%d\n", device, properties.name, properties.major,
           properties.minor);
    if (properties.integrated && !properties.canMapHostMemory)
        fprintf(stderr, "%s\n", named_by_hand(cudaErrorNotSupported));
    return device;
}

inline bool checkCudaCapabilities(int major, int minor)
{
    const int first = attributeOf(0, cudaDevAttrComputeCapabilityMajor);
    return first > major ||
           (first == major && attributeOf(0, cudaDevAttrComputeCapabilityMinor) >= minor);
}
#endif
#endif
