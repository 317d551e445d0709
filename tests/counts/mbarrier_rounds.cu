// SPDX-License-Identifier: GPL-3.0-or-later
// Four rounds at an mbarrier: each thread arrives, waits, and reads another thread's number.
// Arrivals and waits add nothing to the counters of loads and stores.
// launch 4 64
#include <cuda_awbarrier_primitives.h>
extern "C" __global__ void mbarrier_rounds(const int *in, int *out, int n)
{
    __shared__ int s[64];
    __shared__ __mbarrier_t bar;
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        __mbarrier_init(&bar, 64);
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        s[t] = in[64 * i + t];
        __mbarrier_token_t left = __mbarrier_arrive(&bar);
        while (!__mbarrier_test_wait(&bar, left))
            ;
        sum += s[63 - t];
        __mbarrier_token_t taken = __mbarrier_arrive(&bar);
        while (!__mbarrier_test_wait(&bar, taken))
            ;
    }
    out[64 * blockIdx.x + t] = sum;
}
