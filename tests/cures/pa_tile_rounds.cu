// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 1024 random; array y f32 256 zero; launch add_tiles<<<1, 256>>>(x, y, 4)
//@ kind race-shared
//@ cure parity
//@ place -
//@ says phase .= 1
//@ arch 90
#include <cuda/ptx>

namespace ptx = cuda::ptx;

// adds up the tiles, one after the other
__global__ void add_tiles(const float *x, float *y, int tiles)
{
    __shared__ alignas(128) float tile[256];
    __shared__ uint64_t bar;
    int t = threadIdx.x;
    float sum = 0;
    unsigned phase = 0;

    if (t == 0)
        ptx::mbarrier_init(&bar, 1);
    __syncthreads();
    for (int i = 0; i < tiles; i++) {
        if (t == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &bar, sizeof tile);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, x + i * 256,
                               sizeof tile, &bar);
        }
        while (!ptx::mbarrier_try_wait_parity(&bar, phase))
            ;
#ifdef CURED
        phase ^= 1;
#endif
        sum += tile[255 - t];
        __syncthreads();
    }
    y[t] = sum;
}
