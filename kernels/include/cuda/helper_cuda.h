/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-in for a header that most of NVIDIA's samples include. It comes with the samples, and not
 * with the toolkit. Host code is only read, so declarations are enough. A header of this name in a
 * folder that -I names, or next to the source, comes before this one. NVRTC takes this one where it
 * can't read the host functions of the other.
 */
#ifndef CUDALAB_HELPER_CUDA_H
#define CUDALAB_HELPER_CUDA_H

#include "helper_string.h"

#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

#ifndef __CUDACC_RTC__
#include "cuda_runtime.h"

template <class T> void check(T result, const char *call, const char *file, int line);
template <class T> const char *_cudaGetErrorEnum(T error);
void __getLastCudaError(const char *message, const char *file, int line);
void __printLastCudaError(const char *message, const char *file, int line);
int _ConvertSMVer2Cores(int major, int minor);
const char *_ConvertSMVer2ArchName(int major, int minor);
int gpuDeviceInit(int device);
int gpuGetMaxGflopsDeviceId();
int findCudaDevice(int count, const char **words);
int findIntegratedGPU();
bool checkCudaCapabilities(int major, int minor);
#endif
#endif
