// SPDX-License-Identifier: GPL-3.0-or-later
//! array id i32 720
//! array dims u32 12
//! array ranks u16 256
//! launch ids<<<(2,3,2),(5,4,3)>>>(id)
//! launch dimensions<<<(3,1,7),(1,9,2)>>>(dims)
//! launch warps<<<1,(8,8,4)>>>(ranks)
//! expect id
//! expect dims
//! expect ranks
#include <cuda_runtime.h>

__device__ int globalThread()
{
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return block * (blockDim.x * blockDim.y * blockDim.z) + thread;
}

// the index in a volume of 10 x 12 x 6, and who wrote it
__global__ void ids(int *id)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    int w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;
    id[(z * h + y) * w + x] = globalThread() * 1000 + z * 100 + y * 10 + x % 10;
}

__global__ void dimensions(unsigned *d)
{
    if (globalThread() != 3 * 7 * 9 * 2 - 1)
        return;
    dim3 g = gridDim, b = blockDim;
    uint3 last = blockIdx;
    d[0] = g.x; d[1] = g.y; d[2] = g.z;
    d[3] = b.x; d[4] = b.y; d[5] = b.z;
    d[6] = last.x; d[7] = last.y; d[8] = last.z;
    d[9] = threadIdx.x; d[10] = threadIdx.y; d[11] = threadIdx.z;
}

// x runs fastest: lane and warp of each thread
__global__ void warps(unsigned short *ranks)
{
    __shared__ int first[8];
    int t = globalThread();
    int warp = t / warpSize, lane = t % warpSize;
    if (lane == 0)
        first[warp] = threadIdx.z * 100 + threadIdx.y;
    __syncthreads();
    unsigned peers = __ballot_sync(0xffffffff, threadIdx.x < 3);
    ranks[t] = first[warp] * 100 + lane + __popc(peers);
}
