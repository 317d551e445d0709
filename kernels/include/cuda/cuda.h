/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-in for the driver API's header: its handles, the constants that programs name most, and its
 * functions. The constants of memory that a program maps itself are here too.
 */
#ifndef CUDALAB_CUDA_H
#define CUDALAB_CUDA_H
#define CUDA_VERSION 13000
#ifndef __CUDACC_RTC__
#include "cuda_runtime_api.h"
#include "cudalab_host_calls.h"

#define CUDALAB_CU_ERRORS(X)                                                                   \
    X(INVALID_VALUE, 1) X(OUT_OF_MEMORY, 2) X(NOT_INITIALIZED, 3) X(DEINITIALIZED, 4)          \
    X(NO_DEVICE, 100) X(INVALID_DEVICE, 101) X(INVALID_IMAGE, 200) X(INVALID_CONTEXT, 201)     \
    X(NO_BINARY_FOR_GPU, 209) X(INVALID_PTX, 218) X(INVALID_SOURCE, 300)                       \
    X(FILE_NOT_FOUND, 301) X(INVALID_HANDLE, 400) X(NOT_FOUND, 500) X(NOT_READY, 600)          \
    X(ILLEGAL_ADDRESS, 700) X(LAUNCH_OUT_OF_RESOURCES, 701) X(LAUNCH_TIMEOUT, 702)             \
    X(ASSERT, 710) X(MISALIGNED_ADDRESS, 716) X(LAUNCH_FAILED, 719) X(NOT_SUPPORTED, 801)      \
    X(UNKNOWN, 999)
#define CUDALAB_CU_ERROR(name, value) CUDA_ERROR_##name = value,
enum cudaError_enum { CUDA_SUCCESS = 0, CUDALAB_CU_ERRORS(CUDALAB_CU_ERROR) };
typedef enum cudaError_enum CUresult;

typedef int CUdevice;
typedef unsigned long long CUdeviceptr, CUmemGenericAllocationHandle, CUtexObject, CUsurfObject;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUlib_st *CUlibrary;
typedef struct CUlinkState_st *CUlinkState;
typedef cudaFunction_t CUfunction;
typedef struct CUkern_st *CUkernel;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef struct CUarray_st *CUarray;
typedef struct CUuuid_st CUuuid;

/* The driver's attributes have the numbers of the runtime's. */
#define CUDALAB_CU_ATTRIBUTES(X)                                                               \
    X(MAX_THREADS_PER_BLOCK, MaxThreadsPerBlock) X(MAX_BLOCK_DIM_X, MaxBlockDimX)              \
    X(MAX_BLOCK_DIM_Y, MaxBlockDimY) X(MAX_BLOCK_DIM_Z, MaxBlockDimZ)                          \
    X(MAX_GRID_DIM_X, MaxGridDimX) X(MAX_GRID_DIM_Y, MaxGridDimY)                              \
    X(MAX_GRID_DIM_Z, MaxGridDimZ) X(MAX_SHARED_MEMORY_PER_BLOCK, MaxSharedMemoryPerBlock)     \
    X(TOTAL_CONSTANT_MEMORY, TotalConstantMemory) X(WARP_SIZE, WarpSize)                       \
    X(MAX_PITCH, MaxPitch) X(MAX_REGISTERS_PER_BLOCK, MaxRegistersPerBlock)                    \
    X(CLOCK_RATE, ClockRate) X(TEXTURE_ALIGNMENT, TextureAlignment)                            \
    X(MULTIPROCESSOR_COUNT, MultiProcessorCount) X(KERNEL_EXEC_TIMEOUT, KernelExecTimeout)     \
    X(INTEGRATED, Integrated) X(CAN_MAP_HOST_MEMORY, CanMapHostMemory)                         \
    X(COMPUTE_MODE, ComputeMode) X(CONCURRENT_KERNELS, ConcurrentKernels)                      \
    X(ECC_ENABLED, EccEnabled) X(MEMORY_CLOCK_RATE, MemoryClockRate)                           \
    X(GLOBAL_MEMORY_BUS_WIDTH, GlobalMemoryBusWidth) X(L2_CACHE_SIZE, L2CacheSize)             \
    X(MAX_THREADS_PER_MULTIPROCESSOR, MaxThreadsPerMultiProcessor)                             \
    X(ASYNC_ENGINE_COUNT, AsyncEngineCount) X(UNIFIED_ADDRESSING, UnifiedAddressing)           \
    X(COMPUTE_CAPABILITY_MAJOR, ComputeCapabilityMajor)                                        \
    X(COMPUTE_CAPABILITY_MINOR, ComputeCapabilityMinor)                                        \
    X(MANAGED_MEMORY, ManagedMemory) X(COOPERATIVE_LAUNCH, CooperativeLaunch)
#define CUDALAB_CU_ATTRIBUTE(name, of_runtime)                                                 \
    CU_DEVICE_ATTRIBUTE_##name = cudaDevAttr##of_runtime,
enum CUdevice_attribute {
    CUDALAB_CU_ATTRIBUTES(CUDALAB_CU_ATTRIBUTE)
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102
};
enum CUfunction_attribute {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_NUM_REGS, CU_FUNC_ATTRIBUTE_PTX_VERSION, CU_FUNC_ATTRIBUTE_BINARY_VERSION,
    CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
};
enum CUctx_flags { CU_CTX_SCHED_AUTO, CU_CTX_SCHED_SPIN, CU_CTX_SCHED_YIELD,
                   CU_CTX_SCHED_BLOCKING_SYNC = 4, CU_CTX_MAP_HOST = 8 };
enum CUstream_flags { CU_STREAM_DEFAULT, CU_STREAM_NON_BLOCKING };
enum CUevent_flags { CU_EVENT_DEFAULT, CU_EVENT_BLOCKING_SYNC, CU_EVENT_DISABLE_TIMING };
enum CUjit_option {
    CU_JIT_MAX_REGISTERS, CU_JIT_THREADS_PER_BLOCK, CU_JIT_WALL_TIME, CU_JIT_INFO_LOG_BUFFER,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    CU_JIT_OPTIMIZATION_LEVEL, CU_JIT_TARGET_FROM_CUCONTEXT, CU_JIT_TARGET,
    CU_JIT_FALLBACK_STRATEGY, CU_JIT_GENERATE_DEBUG_INFO, CU_JIT_LOG_VERBOSE
};
enum CUjitInputType { CU_JIT_INPUT_CUBIN, CU_JIT_INPUT_PTX, CU_JIT_INPUT_FATBINARY,
                      CU_JIT_INPUT_OBJECT, CU_JIT_INPUT_LIBRARY };
#define CU_LAUNCH_PARAM_END ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)

/* ---- Memory that a program maps itself ---- */

enum CUmemAllocationType { CU_MEM_ALLOCATION_TYPE_INVALID, CU_MEM_ALLOCATION_TYPE_PINNED };
enum CUmemLocationType { CU_MEM_LOCATION_TYPE_INVALID, CU_MEM_LOCATION_TYPE_DEVICE,
                         CU_MEM_LOCATION_TYPE_HOST };
enum CUmemAllocationHandleType {
    CU_MEM_HANDLE_TYPE_NONE, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CU_MEM_HANDLE_TYPE_WIN32
};
enum CUmemAllocationGranularity_flags {
    CU_MEM_ALLOC_GRANULARITY_MINIMUM, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED
};
enum CUmemAccess_flags { CU_MEM_ACCESS_FLAGS_PROT_NONE, CU_MEM_ACCESS_FLAGS_PROT_READ,
                         CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3 };
struct CUmemLocation { enum CUmemLocationType type; int id; };
struct CUmemAllocationProp {
    enum CUmemAllocationType type;
    enum CUmemAllocationHandleType requestedHandleTypes;
    struct CUmemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType, gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
};
struct CUmemAccessDesc { struct CUmemLocation location; enum CUmemAccess_flags flags; };

/* ---- Functions ---- */

#define CUDALAB_CU(name) CUDALAB_CALL_HEADER(CUresult, cu##name, "cuda.h")
CUDALAB_CU(Init) CUDALAB_CU(DriverGetVersion) CUDALAB_CU(GetErrorString) CUDALAB_CU(GetErrorName)
CUDALAB_CU(DeviceGet) CUDALAB_CU(DeviceGetCount) CUDALAB_CU(DeviceGetName)
CUDALAB_CU(DeviceGetAttribute) CUDALAB_CU(DeviceTotalMem) CUDALAB_CU(DeviceGetUuid)
CUDALAB_CU(DeviceCanAccessPeer) CUDALAB_CU(DeviceGetP2PAttribute)
CUDALAB_CU(DevicePrimaryCtxRetain) CUDALAB_CU(DevicePrimaryCtxRelease) CUDALAB_CU(CtxCreate)
CUDALAB_CU(CtxDestroy) CUDALAB_CU(CtxSetCurrent) CUDALAB_CU(CtxGetCurrent)
CUDALAB_CU(CtxPushCurrent) CUDALAB_CU(CtxPopCurrent) CUDALAB_CU(CtxGetDevice)
CUDALAB_CU(CtxSynchronize) CUDALAB_CU(CtxSetLimit) CUDALAB_CU(CtxEnablePeerAccess)
CUDALAB_CU(ModuleLoad) CUDALAB_CU(ModuleLoadData) CUDALAB_CU(ModuleLoadDataEx)
CUDALAB_CU(ModuleLoadFatBinary) CUDALAB_CU(ModuleUnload) CUDALAB_CU(ModuleGetFunction)
CUDALAB_CU(ModuleGetGlobal) CUDALAB_CU(LibraryLoadData) CUDALAB_CU(LibraryGetKernel)
CUDALAB_CU(LibraryUnload) CUDALAB_CU(LinkCreate) CUDALAB_CU(LinkAddData) CUDALAB_CU(LinkAddFile)
CUDALAB_CU(LinkComplete) CUDALAB_CU(LinkDestroy) CUDALAB_CU(MemAlloc) CUDALAB_CU(MemAllocManaged)
CUDALAB_CU(MemAllocPitch) CUDALAB_CU(MemAllocHost) CUDALAB_CU(MemAllocAsync) CUDALAB_CU(MemFree)
CUDALAB_CU(MemFreeAsync) CUDALAB_CU(MemFreeHost) CUDALAB_CU(MemHostAlloc)
CUDALAB_CU(MemHostRegister) CUDALAB_CU(MemHostUnregister) CUDALAB_CU(MemHostGetDevicePointer)
CUDALAB_CU(MemGetInfo) CUDALAB_CU(Memcpy) CUDALAB_CU(MemcpyAsync) CUDALAB_CU(MemcpyHtoD)
CUDALAB_CU(MemcpyDtoH) CUDALAB_CU(MemcpyDtoD) CUDALAB_CU(MemcpyHtoDAsync)
CUDALAB_CU(MemcpyDtoHAsync) CUDALAB_CU(MemcpyDtoDAsync) CUDALAB_CU(MemsetD8)
CUDALAB_CU(MemsetD16) CUDALAB_CU(MemsetD32) CUDALAB_CU(MemsetD8Async) CUDALAB_CU(MemsetD32Async)
CUDALAB_CU(MemGetAllocationGranularity) CUDALAB_CU(MemCreate) CUDALAB_CU(MemRelease)
CUDALAB_CU(MemAddressReserve) CUDALAB_CU(MemAddressFree) CUDALAB_CU(MemMap) CUDALAB_CU(MemUnmap)
CUDALAB_CU(MemSetAccess) CUDALAB_CU(MemExportToShareableHandle)
CUDALAB_CU(MemImportFromShareableHandle) CUDALAB_CU(PointerGetAttribute)
CUDALAB_CU(StreamCreate) CUDALAB_CU(StreamCreateWithPriority) CUDALAB_CU(StreamDestroy)
CUDALAB_CU(StreamSynchronize) CUDALAB_CU(StreamQuery) CUDALAB_CU(StreamWaitEvent)
CUDALAB_CU(EventCreate) CUDALAB_CU(EventDestroy) CUDALAB_CU(EventRecord)
CUDALAB_CU(EventSynchronize) CUDALAB_CU(EventQuery) CUDALAB_CU(EventElapsedTime)
CUDALAB_CU(LaunchKernel) CUDALAB_CU(LaunchKernelEx) CUDALAB_CU(LaunchCooperativeKernel)
CUDALAB_CU(LaunchHostFunc) CUDALAB_CU(FuncGetAttribute) CUDALAB_CU(FuncSetAttribute)
CUDALAB_CU(FuncSetCacheConfig) CUDALAB_CU(FuncGetName)
CUDALAB_CU(OccupancyMaxActiveBlocksPerMultiprocessor)
CUDALAB_CU(OccupancyMaxPotentialBlockSize) CUDALAB_CU(TexObjectCreate)
CUDALAB_CU(TexObjectDestroy) CUDALAB_CU(ArrayCreate) CUDALAB_CU(ArrayDestroy)
CUDALAB_CU(ProfilerStart) CUDALAB_CU(ProfilerStop)

#endif
#endif
