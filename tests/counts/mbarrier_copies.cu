// SPDX-License-Identifier: GPL-3.0-or-later
// An mbarrier waits for cp.async.
// launch 4 64
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
extern "C" __global__ void mbarrier_copies(const int *in, int *out, int n)
{
    __shared__ int s[64];
    __shared__ __mbarrier_t bar;
    int t = threadIdx.x;
    if (t == 0)
        __mbarrier_init(&bar, 64);
    __syncthreads();
    __pipeline_memcpy_async(&s[t], &in[64 * blockIdx.x + t], 4);
    __pipeline_arrive_on(&bar);
    __mbarrier_token_t token = __mbarrier_arrive(&bar);
    while (!__mbarrier_test_wait(&bar, token))
        ;
    out[64 * blockIdx.x + t] = s[63 - t];
}
