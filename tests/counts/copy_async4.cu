// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of 4 bytes to shared memory that no thread waits for; every third piece of that.
// launch 4 64
#include <cuda_pipeline.h>
extern "C" __global__ void copy_async4(const int *in, int *out, int n)
{
    __shared__ __align__(16) int s[64 * 3 * 4 / 4];
    const int words = 4 / 4, t = threadIdx.x;
    for (int i = t; i < 64 * 3 * words; i += 64)
        s[i] = 0;
    __syncthreads();
    __pipeline_memcpy_async(&s[3 * words * t], &in[(2 * t + blockIdx.x) * words], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = t; i < 64 * 3 * words; i += 64)
        out[blockIdx.x * 64 * 3 * words + i] = s[i];
}
