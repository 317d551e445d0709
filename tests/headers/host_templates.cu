/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host code that passes kernels of a lambda's type; user objects, memory of other processes */
#include <cuda_runtime.h>

template <class F> __global__ void each(int n, F f)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        f(i);
}

template <class F> void run(F f)
{
    int blocks, size;
    cudaLaunchConfig_t config = {};
    cudaFuncSetAttribute(each<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 16);
    cudaOccupancyMaxPotentialBlockSize(&blocks, &size, each<F>);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, each<F>, size, 0);
    cudaLaunchKernelEx(&config, each<F>, 10, f);
    each<<<1, 32>>>(10, f);
}

int main()
{
    int blocks, size;
    run([] __device__(int i) { printf("%d\n", i); });
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &size, each<int (*)(int)>,
                                                   [](int block) { return block * 4; });
    cudaUserObject_t object;
    cudaUserObjectCreate(&object, &size, [](void *) {}, 1, cudaUserObjectNoDestructorSync);
    cudaIpcMemHandle_t handle;
    cudaIpcGetMemHandle(&handle, &size);
    cudaChannelFormatDesc halves = cudaCreateChannelDescHalf();
    return halves.x;
}
