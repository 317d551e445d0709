/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cooperative groups: blocks, tiles, tiles of tiles, lanes by label, their votes and shuffles */
//! array r i32 40000
//! array d f64 128
//! launch tiles<<<2,dim3(16,6)>>>(r, d)
//! launch lanes<<<1,96>>>(r+12000)
//! launch any_group<<<2,70>>>(r+22000)
//! launch whole_grid<<<3,64>>>(r+32000)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

struct wide { double x; int y; char z; };

template <class Group> __device__ int *votes(const Group &g, int *r, int v, int step)
{
    int all;
    int answers[] = {(int)g.size(), (int)g.num_threads(), (int)g.thread_rank(),
        (int)g.meta_group_size(), (int)g.meta_group_rank(), g.any(v % 7 == 3), g.all(v != 5),
        (int)g.ballot(v & 1), (int)g.match_any(v % 3), (int)g.match_all(v / 64, all), all,
        g.shfl(v, 0), g.shfl(v, (int)g.size() - 1), g.shfl_up(v, 1), g.shfl_down(v, 1),
        g.shfl_up(v, 3), g.shfl_down(v, 2)};
    for (int answer : answers) {
        *r = answer;
        r += step;
    }
    return r;
}

__global__ void tiles(int *r, double *d)
{
    cg::thread_block block = cg::this_thread_block();
    const int me = block.thread_rank(), step = 192;
    r += me + 96 * blockIdx.x;
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    auto two = cg::tiled_partition<2>(eight);
    cg::thread_block_tile<4> four = cg::tiled_partition<4>(block);
    r = votes(warp, r, me * 5 % 64, step);
    r = votes(eight, r, me, step);
    r = votes(two, r, me, step);
    r = votes(four, r, me, step);
    r[0] = four.shfl_xor(me, 1) + warp.shfl_xor(me, 16) * 100;
    r[step] = block.size() + block.group_index().x * 1000 + block.thread_index().y * 100000;
    r[2 * step] = block.group_dim().y + cg::group_size(warp) + cg::thread_rank(eight);
    wide w = {me * 0.5, me, (char)me};
    w = warp.shfl(w, 7);
    if (blockIdx.x == 0)
        d[me] = w.x + w.y * 100 + w.z * 10000 + warp.shfl_down(me * 0.25, 3);
    cg::sync(warp);
    block.sync();
}

__global__ void lanes(int *r)
{
    const int me = threadIdx.x, step = 96;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    r += me;
    if (me % 5 != 2) {
        cg::coalesced_group some = cg::coalesced_threads();
        r = votes(some, r, me, step);
        cg::coalesced_group part = cg::tiled_partition(some, 4);
        r = votes(part, r, me, step);
        some.sync();
    } else {
        r += 34 * step;
    }
    __syncwarp();
    r = votes(cg::labeled_partition(warp, me % 3), r, me, step);
    r = votes(cg::binary_partition(warp, me % 4 == 0), r, me, step);
    r = votes(cg::binary_partition(warp, true), r, me, step);
    cg::invoke_one(warp, [&](int x) { *r = x; }, me);
    r += step;
    *r = cg::invoke_one_broadcast(cg::labeled_partition(warp, me / 6), [&] { return me; });
}

__device__ int described(cg::thread_group g)
{
    g.sync();
    return (int)g.size() * 1000 + (int)g.thread_rank();
}
__global__ void any_group(int *r)
{
    cg::thread_block block = cg::this_thread_block();
    r += block.thread_rank() + 70 * blockIdx.x;
    r[0] = described(block);
    r[140] = described(cg::tiled_partition(block, 16));
    r[280] = described(cg::tiled_partition(cg::tiled_partition(block, 32), 8));
    if (threadIdx.x % 3)
        r[420] = described(cg::coalesced_threads());
    r[560] = described(cg::tiled_partition<2>(block));
    r[700] = described(cg::this_thread());
}

__global__ void whole_grid(int *r)
{
    cg::grid_group grid = cg::this_grid();
    const int me = grid.thread_rank(), count = grid.size();
    r[me] = me * 3;
    grid.sync();
    int seen = r[count - 1 - me];
    auto token = grid.barrier_arrive();
    grid.barrier_wait(static_cast<decltype(token) &&>(token));
    r[me + count] = seen + 10000 * grid.num_blocks() + 100000 * grid.block_rank()
                    + grid.dim_threads().x + grid.thread_index().x + grid.is_valid();
}
