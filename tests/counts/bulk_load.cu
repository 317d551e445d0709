// SPDX-License-Identifier: GPL-3.0-or-later
// All threads wait for a bulk copy of 1024 bytes from global memory. The
// copy is counted neither as a load nor in sectors.
// launch 4 64
#include <cuda/ptx>
namespace ptx = cuda::ptx;
extern "C" __global__ void bulk_load(const int *in, int *out, int n)
{
    alignas(16) __shared__ int s[256];
    __shared__ cuda::std::uint64_t bar;
    int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                       sizeof s);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, in + 256 * blockIdx.x,
                           sizeof s, &bar);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&bar, 0))
        ;
    for (int i = t; i < 256; i += 64)
        out[256 * blockIdx.x + i] = s[255 - i];
}
