// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 2 64: i32[] random 0 255, i32[] 0
extern "C" __global__ void histogram(const int *x, int *bins) {
    __shared__ int local[16];
    int tid = threadIdx.x;
    if (tid < 16) {
        local[tid] = 0;
    }
    __syncthreads();
    int gid = blockIdx.x * blockDim.x + tid;
    int stride = gridDim.x * blockDim.x;
    int handled = 0;
    for (int i = gid; i < 256; i += stride) {
        int value = x[i];
        int bin = value >> 4;
        atomicAdd(&local[bin], 1);
        handled++;
    }
    __syncthreads();
    if (tid < 16) {
        int count = local[tid];
        atomicAdd(&bins[tid], count);
    }
    if (handled > 1) {
        atomicMax(&bins[32], handled);
    }
}
