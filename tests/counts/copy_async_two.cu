// SPDX-License-Identifier: GPL-3.0-or-later
// Two copies to shared memory, one group, one wait.
// launch 2 64
#include <cuda_pipeline.h>
extern "C" __global__ void copy_async_two(const int *in, int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_memcpy_async(&s[t + 64], &in[2 * t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[63 - t] + s[127 - t];
}
