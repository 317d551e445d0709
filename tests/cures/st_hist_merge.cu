// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array data i32 1536 iota; array hist i32 96 zero; launch count_mod<<<3, 192>>>(data, hist, 1536)
//@ kind race-shared
//@ cure syncthreads
//@ place between
__device__ inline int bin_of(int v) { return (v * 7 + 3) % 96; }

__global__ void count_mod(const int *data, int *hist, int n)
{
    __shared__ int h[96];
    for (int b = threadIdx.x; b < 96; b += blockDim.x)
        h[b] = 0;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&h[bin_of(data[i])], 1);

#ifdef CURED
    __syncthreads();
#endif
    // merge into the big one
    for (int b = threadIdx.x; b < 96; b += blockDim.x)
        atomicAdd(&hist[b], h[b]);
}
