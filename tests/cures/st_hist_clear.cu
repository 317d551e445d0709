// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array text u8 2048 random; array bins u32 64 zero; launch histogram<<<2, 256>>>(text, bins, 2048)
//@ kind race-shared
//@ cure syncthreads
//@ place between
#define NBINS 64

__global__ void histogram(const unsigned char *text, unsigned int *bins, int n)
{
    __shared__ unsigned int local[NBINS];

    if (threadIdx.x < NBINS)
        local[threadIdx.x] = 0;
#ifdef CURED
    __syncthreads();
#endif

    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&local[text[i] % NBINS], 1u);
    __syncthreads();

    if (threadIdx.x < NBINS)
        atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
