// SPDX-License-Identifier: GPL-3.0-or-later
//! needs toolkit
//! array x i32 128 random:-30:30
//! array s8 i32 16
//! array s16 i32 128
//! array info i32 384
//! launch tiles<<<2,64>>>(x, s8, s16)
//! launch about<<<2,64>>>(x, info)
//! expect s8
//! expect s16
//! expect info
// Parts of a warp as groups.
#include <cuda_runtime.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <typename Tile>
__device__ int sumTile(Tile tile, int v)
{
    for (int d = tile.size() / 2; d > 0; d /= 2)
        v += tile.shfl_down(v, d);
    return v;               // good in rank 0 only
}

__global__ void tiles(const int *x, int *s8, int *s16)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile8 = cg::tiled_partition<8>(block);
    auto tile16 = cg::tiled_partition<16>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    int sum = sumTile(tile8, x[i]);
    if (tile8.thread_rank() == 0)
        s8[i / 8] = sum;

    int all = x[i];
    for (int m = 1; m < 16; m <<= 1)
        all += tile16.shfl_xor(all, m);
    s16[i] = all;
}

__global__ void about(const int *x, int *info)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<4>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int up = tile.shfl_up(x[i], 1);
    info[3 * i] = tile.thread_rank() * 1000 + tile.meta_group_rank() * 10 + (tile.any(x[i] > 20) ? 1 : 0);
    info[3 * i + 1] = (int)tile.ballot(x[i] < 0) + 100 * (tile.all(x[i] < 25) ? 1 : 0);
    info[3 * i + 2] = up + tile.shfl(x[i], 3);
    tile.sync();
}
