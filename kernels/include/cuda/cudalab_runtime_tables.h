/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All errors of CUDA 13, and all attributes of a device that are not reserved. They are two tables
 * of names, without their prefix, and numbers; part of cudalab_runtime_types.h.
 */
#ifndef CUDALAB_RUNTIME_TABLES_H
#define CUDALAB_RUNTIME_TABLES_H

#define CUDALAB_ERRORS(X)                                                                      \
    X(InvalidValue, 1) X(MemoryAllocation, 2) X(InitializationError, 3)                        \
    X(CudartUnloading, 4) X(ProfilerDisabled, 5) X(ProfilerNotInitialized, 6)                  \
    X(ProfilerAlreadyStarted, 7) X(ProfilerAlreadyStopped, 8) X(InvalidConfiguration, 9)       \
    X(InvalidPitchValue, 12) X(InvalidSymbol, 13) X(InvalidHostPointer, 16)                    \
    X(InvalidDevicePointer, 17) X(InvalidTexture, 18) X(InvalidTextureBinding, 19)             \
    X(InvalidChannelDescriptor, 20) X(InvalidMemcpyDirection, 21) X(AddressOfConstant, 22)     \
    X(TextureFetchFailed, 23) X(TextureNotBound, 24) X(SynchronizationError, 25)               \
    X(InvalidFilterSetting, 26) X(InvalidNormSetting, 27) X(MixedDeviceExecution, 28)          \
    X(NotYetImplemented, 31) X(MemoryValueTooLarge, 32) X(StubLibrary, 34)                     \
    X(InsufficientDriver, 35) X(CallRequiresNewerDriver, 36) X(InvalidSurface, 37)             \
    X(DuplicateVariableName, 43) X(DuplicateTextureName, 44) X(DuplicateSurfaceName, 45)       \
    X(DevicesUnavailable, 46) X(IncompatibleDriverContext, 49) X(MissingConfiguration, 52)     \
    X(PriorLaunchFailure, 53) X(LaunchMaxDepthExceeded, 65) X(LaunchFileScopedTex, 66)         \
    X(LaunchFileScopedSurf, 67) X(SyncDepthExceeded, 68) X(LaunchPendingCountExceeded, 69)     \
    X(InvalidDeviceFunction, 98) X(NoDevice, 100) X(InvalidDevice, 101)                        \
    X(DeviceNotLicensed, 102) X(SoftwareValidityNotEstablished, 103) X(StartupFailure, 127)    \
    X(InvalidKernelImage, 200) X(DeviceUninitialized, 201) X(MapBufferObjectFailed, 205)       \
    X(UnmapBufferObjectFailed, 206) X(ArrayIsMapped, 207) X(AlreadyMapped, 208)                \
    X(NoKernelImageForDevice, 209) X(AlreadyAcquired, 210) X(NotMapped, 211)                   \
    X(NotMappedAsArray, 212) X(NotMappedAsPointer, 213) X(ECCUncorrectable, 214)               \
    X(UnsupportedLimit, 215) X(DeviceAlreadyInUse, 216) X(PeerAccessUnsupported, 217)          \
    X(InvalidPtx, 218) X(InvalidGraphicsContext, 219) X(NvlinkUncorrectable, 220)              \
    X(JitCompilerNotFound, 221) X(UnsupportedPtxVersion, 222)                                  \
    X(JitCompilationDisabled, 223) X(UnsupportedExecAffinity, 224)                             \
    X(UnsupportedDevSideSync, 225) X(Contained, 226) X(InvalidSource, 300)                     \
    X(FileNotFound, 301) X(SharedObjectSymbolNotFound, 302) X(SharedObjectInitFailed, 303)     \
    X(OperatingSystem, 304) X(InvalidResourceHandle, 400) X(IllegalState, 401)                 \
    X(LossyQuery, 402) X(SymbolNotFound, 500) X(NotReady, 600) X(IllegalAddress, 700)          \
    X(LaunchOutOfResources, 701) X(LaunchTimeout, 702) X(LaunchIncompatibleTexturing, 703)     \
    X(PeerAccessAlreadyEnabled, 704) X(PeerAccessNotEnabled, 705)                              \
    X(SetOnActiveProcess, 708) X(ContextIsDestroyed, 709) X(Assert, 710)                       \
    X(TooManyPeers, 711) X(HostMemoryAlreadyRegistered, 712)                                   \
    X(HostMemoryNotRegistered, 713) X(HardwareStackError, 714) X(IllegalInstruction, 715)      \
    X(MisalignedAddress, 716) X(InvalidAddressSpace, 717) X(InvalidPc, 718)                    \
    X(LaunchFailure, 719) X(CooperativeLaunchTooLarge, 720) X(TensorMemoryLeak, 721)           \
    X(NotPermitted, 800) X(NotSupported, 801) X(SystemNotReady, 802)                           \
    X(SystemDriverMismatch, 803) X(CompatNotSupportedOnDevice, 804)                            \
    X(MpsConnectionFailed, 805) X(MpsRpcFailure, 806) X(MpsServerNotReady, 807)                \
    X(MpsMaxClientsReached, 808) X(MpsMaxConnectionsReached, 809)                              \
    X(MpsClientTerminated, 810) X(CdpNotSupported, 811) X(CdpVersionMismatch, 812)             \
    X(StreamCaptureUnsupported, 900) X(StreamCaptureInvalidated, 901)                          \
    X(StreamCaptureMerge, 902) X(StreamCaptureUnmatched, 903) X(StreamCaptureUnjoined, 904)    \
    X(StreamCaptureIsolation, 905) X(StreamCaptureImplicit, 906) X(CapturedEvent, 907)         \
    X(StreamCaptureWrongThread, 908) X(Timeout, 909) X(GraphExecUpdateFailure, 910)            \
    X(ExternalDevice, 911) X(InvalidClusterSize, 912) X(FunctionNotLoaded, 913)                \
    X(InvalidResourceType, 914) X(InvalidResourceConfiguration, 915) X(Unknown, 999)           \
    X(ApiFailureBase, 10000)

#define CUDALAB_ATTRIBUTES(X)                                                                  \
    X(MaxThreadsPerBlock, 1) X(MaxBlockDimX, 2) X(MaxBlockDimY, 3) X(MaxBlockDimZ, 4)          \
    X(MaxGridDimX, 5) X(MaxGridDimY, 6) X(MaxGridDimZ, 7) X(MaxSharedMemoryPerBlock, 8)        \
    X(TotalConstantMemory, 9) X(WarpSize, 10) X(MaxPitch, 11) X(MaxRegistersPerBlock, 12)      \
    X(ClockRate, 13) X(TextureAlignment, 14) X(GpuOverlap, 15) X(MultiProcessorCount, 16)      \
    X(KernelExecTimeout, 17) X(Integrated, 18) X(CanMapHostMemory, 19) X(ComputeMode, 20)      \
    X(MaxTexture1DWidth, 21) X(MaxTexture2DWidth, 22) X(MaxTexture2DHeight, 23)                \
    X(MaxTexture3DWidth, 24) X(MaxTexture3DHeight, 25) X(MaxTexture3DDepth, 26)                \
    X(MaxTexture2DLayeredWidth, 27) X(MaxTexture2DLayeredHeight, 28)                           \
    X(MaxTexture2DLayeredLayers, 29) X(SurfaceAlignment, 30) X(ConcurrentKernels, 31)          \
    X(EccEnabled, 32) X(PciBusId, 33) X(PciDeviceId, 34) X(TccDriver, 35)                      \
    X(MemoryClockRate, 36) X(GlobalMemoryBusWidth, 37) X(L2CacheSize, 38)                      \
    X(MaxThreadsPerMultiProcessor, 39) X(AsyncEngineCount, 40) X(UnifiedAddressing, 41)        \
    X(MaxTexture1DLayeredWidth, 42) X(MaxTexture1DLayeredLayers, 43)                           \
    X(MaxTexture2DGatherWidth, 45) X(MaxTexture2DGatherHeight, 46)                             \
    X(MaxTexture3DWidthAlt, 47) X(MaxTexture3DHeightAlt, 48) X(MaxTexture3DDepthAlt, 49)       \
    X(PciDomainId, 50) X(TexturePitchAlignment, 51) X(MaxTextureCubemapWidth, 52)              \
    X(MaxTextureCubemapLayeredWidth, 53) X(MaxTextureCubemapLayeredLayers, 54)                 \
    X(MaxSurface1DWidth, 55) X(MaxSurface2DWidth, 56) X(MaxSurface2DHeight, 57)                \
    X(MaxSurface3DWidth, 58) X(MaxSurface3DHeight, 59) X(MaxSurface3DDepth, 60)                \
    X(MaxSurface1DLayeredWidth, 61) X(MaxSurface1DLayeredLayers, 62)                           \
    X(MaxSurface2DLayeredWidth, 63) X(MaxSurface2DLayeredHeight, 64)                           \
    X(MaxSurface2DLayeredLayers, 65) X(MaxSurfaceCubemapWidth, 66)                             \
    X(MaxSurfaceCubemapLayeredWidth, 67) X(MaxSurfaceCubemapLayeredLayers, 68)                 \
    X(MaxTexture1DLinearWidth, 69) X(MaxTexture2DLinearWidth, 70)                              \
    X(MaxTexture2DLinearHeight, 71) X(MaxTexture2DLinearPitch, 72)                             \
    X(MaxTexture2DMipmappedWidth, 73) X(MaxTexture2DMipmappedHeight, 74)                       \
    X(ComputeCapabilityMajor, 75) X(ComputeCapabilityMinor, 76)                                \
    X(MaxTexture1DMipmappedWidth, 77) X(StreamPrioritiesSupported, 78)                         \
    X(GlobalL1CacheSupported, 79) X(LocalL1CacheSupported, 80)                                 \
    X(MaxSharedMemoryPerMultiprocessor, 81) X(MaxRegistersPerMultiprocessor, 82)               \
    X(ManagedMemory, 83) X(IsMultiGpuBoard, 84) X(MultiGpuBoardGroupID, 85)                    \
    X(HostNativeAtomicSupported, 86) X(SingleToDoublePrecisionPerfRatio, 87)                   \
    X(PageableMemoryAccess, 88) X(ConcurrentManagedAccess, 89)                                 \
    X(ComputePreemptionSupported, 90) X(CanUseHostPointerForRegisteredMem, 91)                 \
    X(CooperativeLaunch, 95) X(CooperativeMultiDeviceLaunch, 96)                               \
    X(MaxSharedMemoryPerBlockOptin, 97)                                                        \
    X(CanFlushRemoteWrites, 98) X(HostRegisterSupported, 99)                                   \
    X(PageableMemoryAccessUsesHostPageTables, 100) X(DirectManagedMemAccessFromHost, 101)      \
    X(MaxBlocksPerMultiprocessor, 106) X(MaxPersistingL2CacheSize, 108)                        \
    X(MaxAccessPolicyWindowSize, 109) X(ReservedSharedMemoryPerBlock, 111)                     \
    X(SparseCudaArraySupported, 112)                                                           \
    X(HostRegisterReadOnlySupported, 113) X(TimelineSemaphoreInteropSupported, 114)            \
    X(MemoryPoolsSupported, 115) X(GPUDirectRDMASupported, 116)                                \
    X(GPUDirectRDMAFlushWritesOptions, 117) X(GPUDirectRDMAWritesOrdering, 118)                \
    X(MemoryPoolSupportedHandleTypes, 119) X(ClusterLaunch, 120)                               \
    X(DeferredMappingCudaArraySupported, 121) X(IpcEventSupport, 125)                          \
    X(MemSyncDomainCount, 126) X(NumaConfig, 130) X(NumaId, 131) X(MpsEnabled, 133)            \
    X(HostNumaId, 134) X(D3D12CigSupported, 135) X(VulkanCigSupported, 138)                    \
    X(GpuPciDeviceId, 139) X(GpuPciSubsystemId, 140) X(HostNumaMemoryPoolsSupported, 142)      \
    X(HostNumaMultinodeIpcSupported, 143) X(HostMemoryPoolsSupported, 144)                     \
    X(OnlyPartialHostNativeAtomicSupported, 147)

#endif
