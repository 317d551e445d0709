/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tiles of several warps: ranks, votes, shuffles, reductions, running sums, updates */
//! array r i32 60000
//! array f f32 20000
//! launch tiles<<<2,256>>>(r, f) --check memory,uninit,sync
//! launch large<<<1,1024>>>(r+30000, f+12000) --check memory,uninit,sync
//! launch once<<<1,128>>>(r+55000) --check memory,uninit,sync
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;

template <class Tile> __device__ void all_of(const Tile &t, int *&r, float *&f, int step)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> sums[4], running[4];
    __shared__ int stored[4];
    const int me = t.thread_rank() + 3, tile = threadIdx.x / t.size();
    if (t.thread_rank() == 0) {
        sums[tile] = 5;
        running[tile] = 1000;
    }
    t.sync();
    cg::reduce_update_async(t, sums[tile], me, cg::plus<int>());
    cg::reduce_store_async(t, &stored[tile], me * 2, cg::greater<int>());
    t.sync();
    const int results[] = {(int)t.size(), (int)t.num_threads(), me, (int)t.meta_group_rank(),
        (int)t.meta_group_size(), t.any(me == 70), t.any(me == 7000), t.all(me > 2), t.all(me != 9),
        t.shfl(me, 0), t.shfl(me, 63), t.shfl(me * 2, t.size() - 1),
        cg::reduce(t, me * 37 % 101, cg::plus<int>()), cg::reduce(t, me, cg::less<int>()),
        cg::reduce(t, me * 37 % 101, cg::greater<int>()), cg::reduce(t, me, cg::bit_xor<int>()),
        cg::reduce(t, 1 << me % 13, cg::bit_or<int>()), cg::inclusive_scan(t, me),
        cg::exclusive_scan(t, me), cg::inclusive_scan(t, me * 37 % 101, cg::greater<int>()),
        cg::exclusive_scan(t, -me, cg::less<int>()), sums[tile], stored[tile],
        cg::inclusive_scan_update(t, running[tile], me),
        cg::exclusive_scan_update(t, running[tile], me, cg::plus<int>()), running[tile],
        cg::reduce(t, me, [](int x, int y) { return x ^ y * 3; })};
    for (int result : results) {
        *r = result;
        r += step;
    }
    const float x = 1.0f / me + 1e4f * (me & 1);
    const float floats[] = {cg::reduce(t, x, cg::plus<float>()),
        cg::inclusive_scan(t, x, cg::plus<float>()), cg::exclusive_scan(t, x, cg::plus<float>()),
        (float)t.shfl(me * 0.5, 33), (float)cg::reduce(t, 0.1 * me, cg::plus<double>())};
    for (float value : floats) {
        *f = value;
        f += step;
    }
    t.sync();
}

__global__ void tiles(int *r, float *f)
{
    __shared__ cg::block_tile_memory<256> room;
    cg::thread_block block = cg::this_thread_block(room);
    r += block.thread_rank() + 256 * blockIdx.x;
    f += block.thread_rank() + 256 * blockIdx.x;
    auto half = cg::tiled_partition<128>(block);
    all_of(half, r, f, 512);
    auto quarter = cg::tiled_partition<64>(half);
    all_of(quarter, r, f, 512);
    cg::thread_block_tile<64> plain = quarter;
    *r = plain.meta_group_rank() + 10 * plain.meta_group_size();
    r[512] = cg::tiled_partition<16>(plain).meta_group_rank();
    r[1024] = cg::thread_rank(half) + cg::group_size(quarter);
}

__global__ void large(int *r, float *f)
{
    __shared__ cg::block_tile_memory<> room;
    __shared__ int words[512];
    cg::thread_block block = cg::this_thread_block(room);
    int *const first = r;
    r += block.thread_rank();
    f += block.thread_rank();
    if (blockIdx.x == 0) {
        auto all = cg::tiled_partition<1024>(block);
        *r = cg::reduce(all, (int)block.thread_rank(), cg::plus<int>()) + all.shfl(7, 900);
        r[1024] = cg::inclusive_scan(all, (int)block.thread_rank() % 7);
        *f = cg::exclusive_scan(all, 1.0f / (block.thread_rank() + 1), cg::plus<float>());
    }
    block.sync();
    auto half = cg::tiled_partition<512>(block);
    if (half.meta_group_rank() == 1) {
        for (int i = 0; i < 20; i++) {
            if ((int)half.thread_rank() == i * 25)
                words[i] = i * i;
            half.sync();
            r[2048] = words[i] + half.shfl((int)half.thread_rank(), i);
        }
        cg::memcpy_async(half, words, first, sizeof words);
        cg::wait(half);
        r[3072] = words[511 - half.thread_rank()];
    } else {
        r[2048] = cg::invoke_one_broadcast(half, [&] { return block.thread_rank() + 77; });
    }
}

/* Some compilers need no room for such tiles. */
__global__ void once(int *r)
{
    auto part = cg::tiled_partition<64>(cg::this_thread_block());
    int n = 0;
    cg::invoke_one(part, [&] { n = 9; });
    r[threadIdx.x] = cg::reduce(part, n + (int)part.meta_group_rank(), cg::plus<int>());
}
