// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 1024 random; array y f32 1024 zero; launch scale_out<<<4, 256>>>(x, y)
//@ kind race-shared
//@ cure proxy-fence
//@ place -
//@ says fence.proxy.async
//@ unsaid Nothing fixes the order
//@ arch 90
#include <cuda/ptx>

namespace ptx = cuda::ptx;

// the tile leaves by one bulk copy
__global__ void scale_out(const float *x, float *y)
{
    __shared__ alignas(128) float tile[256];
    int t = threadIdx.x;
    int base = blockIdx.x * 256;

    tile[t] = 2 * x[base + t];
#ifdef CURED
    ptx::fence_proxy_async(ptx::space_shared);
#endif
    __syncthreads();
    if (t == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y + base, tile, sizeof tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}
