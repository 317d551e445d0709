// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 1024 random; array partial f32 4 zero; launch blockSum<<<4, 256>>>(x, partial, 1024)
//@ kind race-shared
//@ cure syncthreads
//@ place loop-end
#define BLOCK 256

__global__ void blockSum(const float *x, float *partial, int n)
{
    __shared__ float cache[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    cache[threadIdx.x] = (i < n) ? x[i] : 0.0f;
    __syncthreads();

    for (int s = BLOCK / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            cache[threadIdx.x] += cache[threadIdx.x + s];
#ifdef CURED
        __syncthreads();
#endif
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = cache[0];
}
