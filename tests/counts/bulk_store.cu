// SPDX-License-Identifier: GPL-3.0-or-later
// A bulk copy of 1024 bytes to global memory, and another one that adds. Neither is counted.
// launch 4 64
#include <cuda/ptx>
namespace ptx = cuda::ptx;
extern "C" __global__ void bulk_store(const int *in, int *out, int n)
{
    alignas(16) __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 64)
        s[i] = in[256 * blockIdx.x + i];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 256 * blockIdx.x, s,
                           sizeof s);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add,
                                  out + 256 * blockIdx.x, s, sizeof s);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}
