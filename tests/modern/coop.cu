// SPDX-License-Identifier: GPL-3.0-or-later
// Cooperative groups: tiles, reduce, scans, coalesced, labeled and binary partitions, shuffles.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

// Sums and greatest values of tiles of 16 threads.
// Right: every thread of each tile takes part.
//@ array a1 i32 128 iota
//@ array o1 i32 16
//@ launch tile_reduce<<<2, 64>>>(a1, o1)
//@none
extern "C" __global__ void tile_reduce(const int *a, int *out)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = a[i] * a[i] % 101;
    int sum = cg::reduce(tile, v, cg::plus<int>());
    int top = cg::reduce(tile, v, cg::greater<int>());
    if (tile.thread_rank() == 0) {
        out[i / 16 * 2] = sum;
        out[i / 16 * 2 + 1] = top;
    }
}

// Inclusive and exclusive scans over warps, joined through shared memory into one scan.
// Right: barriers stand before and after the scan of the warp totals.
//@ array a2 i32 128 iota
//@ array o2 i32 128
//@ launch warp_scan<<<1, 128>>>(a2, o2)
//@none
extern "C" __global__ void warp_scan(const int *a, int *out)
{
    __shared__ int total[4];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int t = block.thread_rank();
    int sum = cg::inclusive_scan(warp, a[t] % 10);
    if (warp.thread_rank() == 31)
        total[warp.meta_group_rank()] = sum;
    block.sync();
    if (t < 32) {
        int v = t < 4 ? total[t] : 0;
        int before = cg::exclusive_scan(warp, v, cg::plus<int>());
        if (t < 4)
            total[t] = before;
    }
    block.sync();
    out[t] = sum + total[warp.meta_group_rank()];
}

// The same without the second barrier.
// Wrong: the other warps may read the totals before the first warp has scanned them.
//@ array a3 i32 128 iota
//@ array o3 i32 128
//@ launch warp_scan_nosync<<<1, 128>>>(a3, o3)
//@found race-shared warp-scan-nosync
extern "C" __global__ void warp_scan_nosync(const int *a, int *out)
{
    __shared__ int total[4];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int t = block.thread_rank();
    int sum = cg::inclusive_scan(warp, a[t] % 10);
    if (warp.thread_rank() == 31)
        total[warp.meta_group_rank()] = sum;
    block.sync();
    if (t < 32) {
        int v = t < 4 ? total[t] : 0;
        int before = cg::exclusive_scan(warp, v, cg::plus<int>());
        if (t < 4)
            total[t] = before; // warp-scan-nosync
    }
    out[t] = sum + total[warp.meta_group_rank()]; // warp-scan-nosync
}

// The threads that are active in a branch count themselves with one atomic for each group.
// Right: only the total goes out, and it does not depend on how the threads come together.
//@ array a4 i32 128 iota
//@ array o4 i32 2 zero
//@ launch coalesced_count<<<1, 128>>>(a4, o4)
//@none
extern "C" __global__ void coalesced_count(const int *a, int *out)
{
    int v = a[threadIdx.x];
    if (v % 3 == 1) {
        cg::coalesced_group active = cg::coalesced_threads();
        int sum = cg::reduce(active, v, cg::plus<int>());
        if (active.thread_rank() == 0) {
            atomicAdd(&out[0], static_cast<int>(active.size()));
            atomicAdd(&out[1], sum);
        }
    }
}

// Filters the odd values of a block into places taken from an atomic counter, then sums them.
// Right: the places depend on the schedule, but each is taken once and the sum does not.
//@ array a5 i32 128 iota
//@ array o5 i32 1
//@ launch filter_sum<<<1, 128>>>(a5, o5)
//@none
extern "C" __global__ void filter_sum(const int *a, int *out)
{
    __shared__ int list[128];
    __shared__ int count;
    int t = threadIdx.x, v = a[t];
    if (t == 0)
        count = 0;
    __syncthreads();
    if (v % 2 == 1) {
        auto active = cg::coalesced_threads();
        int first = 0;
        if (active.thread_rank() == 0)
            first = atomicAdd(&count, static_cast<int>(active.size()));
        first = active.shfl(first, 0);
        list[first + active.thread_rank()] = v;
    }
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        for (int i = 0; i < count; ++i)
            sum += list[i] * 3;
        out[0] = sum + count;
    }
}

// Splits each warp by label and sums every label's values.
// Right: every thread names its label, and each group's leader writes a place of its own.
//@ array a6 i32 64 iota
//@ array o6 i32 6
//@ launch labeled_sum<<<1, 64>>>(a6, o6)
//@none
extern "C" __global__ void labeled_sum(const int *a, int *out)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int t = block.thread_rank(), label = a[t] % 3;
    cg::coalesced_group same = cg::labeled_partition(warp, label);
    int sum = cg::reduce(same, a[t], cg::plus<int>());
    if (same.thread_rank() == 0)
        out[t / 32 * 3 + label] = sum;
}

// Splits each warp in two by a condition and gives every thread its rank and its group's size.
// Right: ranks in a binary partition follow the lanes.
//@ array a7 i32 64 iota
//@ array o7 i32 64
//@ launch binary_rank<<<1, 64>>>(a7, o7)
//@none
extern "C" __global__ void binary_rank(const int *a, int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int t = threadIdx.x;
    bool big = a[t] * 5 % 7 > 3;
    auto same = cg::binary_partition(warp, big);
    out[t] = static_cast<int>(same.thread_rank() * 100 + same.size()) * (big ? 1 : -1);
}

// A tree of shuffles in tiles of eight, and a butterfly by shfl_xor.
// Right: all threads of the tile shuffle, and only rank 0 uses the sum of shfl_down.
//@ array a8 i32 64 iota
//@ array o8 i32 64
//@ launch tile_shuffle<<<1, 64>>>(a8, o8)
//@none
extern "C" __global__ void tile_shuffle(const int *a, int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x, sum = a[t], top = a[t] * 37 % 64;
    for (int d = tile.size() / 2; d > 0; d /= 2) {
        sum += tile.shfl_down(sum, d);
        top = max(top, tile.shfl_xor(top, d));
    }
    int first = tile.shfl(sum, 0);
    out[t] = first * 100 + top;
}

// Threads of a tile of 16 exchange values through shared memory.
// Right: the tile syncs before the reads and before the next stores, and no other tile is touched.
//@ array a9 i32 64 iota
//@ array o9 i32 64
//@ launch tile_exchange<<<1, 64>>>(a9, o9)
//@none
extern "C" __global__ void tile_exchange(const int *a, int *out)
{
    __shared__ int buf[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int base = tile.meta_group_rank() * 16, r = tile.thread_rank(), v = a[base + r];
    for (int i = 0; i < 3; ++i) {
        buf[base + r] = v;
        tile.sync();
        v = 2 * v + buf[base + (r + 5) % 16];
        tile.sync();
    }
    out[base + r] = v;
}

// The same without the sync before the reads.
// Wrong: a thread may read its neighbour's place before the neighbour has stored.
// In the first turn the read may also be called uninitialized, but the race is the cause.
//@ array a10 i32 64 iota
//@ array o10 i32 64
//@ launch tile_exchange_nosync<<<1, 64>>>(a10, o10)
//@found race-shared tile-exchange-nosync
extern "C" __global__ void tile_exchange_nosync(const int *a, int *out)
{
    __shared__ int buf[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int base = tile.meta_group_rank() * 16, r = tile.thread_rank(), v = a[base + r];
    for (int i = 0; i < 3; ++i) {
        buf[base + r] = v; // tile-exchange-nosync
        v = 2 * v + buf[base + (r + 5) % 16]; // tile-exchange-nosync
        tile.sync();
    }
    out[base + r] = v;
}

// Tiles of eight sync among themselves, but read from the neighbouring tile.
// Wrong: the sync of one tile says nothing about the threads of another.
//@ array a11 i32 64 iota
//@ array o11 i32 64
//@ launch tile_too_small<<<1, 64>>>(a11, o11)
//@found race-shared tile-too-small
extern "C" __global__ void tile_too_small(const int *a, int *out)
{
    __shared__ int buf[64];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    buf[t] = 3 * a[t]; // tile-too-small
    tile.sync();
    out[t] = buf[t ^ 8]; // tile-too-small
}

// Tiles of 64 threads, two warps each, with the memory they need for it.
// Right: the reduce and the sync cover both warps of the tile.
//@ array a12 i32 128 iota
//@ array o12 i32 130
//@ launch big_tile<<<1, 128>>>(a12, o12)
//@none
extern "C" __global__ void big_tile(const int *a, int *out)
{
    __shared__ cg::block_tile_memory<128> memory;
    __shared__ int buf[128];
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<64>(block);
    int t = threadIdx.x, half = t / 64;
    buf[t] = a[t] + 1;
    tile.sync();
    out[t] = buf[half * 64 + 63 - t % 64];
    int sum = cg::reduce(tile, a[t] * (t % 5), cg::plus<int>());
    if (tile.thread_rank() == 0)
        out[128 + half] = sum;
}

// Half of a warp shuffles with a mask that names all 32 lanes. The others have ended by then.
// Right: a shuffle does not wait for lanes that have ended, and no lane reads from them.
//@ array a13 i32 32 iota
//@ array o13 i32 32 zero
//@ launch shfl_full_mask<<<1, 32>>>(a13, o13)
//@none
extern "C" __global__ void shfl_full_mask(const int *a, int *out)
{
    int t = threadIdx.x, v = a[t];
    if (t < 16) {
        for (int d = 8; d > 0; d /= 2)
            v += __shfl_down_sync(0xffffffffu, v, d, 16);
        out[t] = v;
    }
}

// All lanes shuffle with a mask that names only the lower half.
// Wrong: the upper lanes call a shuffle whose mask leaves them out.
//@ array a14 i32 32 iota
//@ array o14 i32 32 zero
//@ launch shfl_left_out<<<1, 32>>>(a14, o14)
//@found invalid-shuffle shfl-left-out
extern "C" __global__ void shfl_left_out(const int *a, int *out)
{
    int t = threadIdx.x;
    int v = __shfl_xor_sync(0x0000ffffu, a[t], 1); // shfl-left-out
    out[t] = v;
}

// The lower half of a warp reads from lane 20, which is not in the mask.
// Wrong: the value from a lane that takes no part is undefined.
// It may also be called uninitialized, but the source lane is the cause.
//@ array a15 i32 32 iota
//@ array o15 i32 32 zero
//@ launch shfl_source<<<1, 32>>>(a15, o15)
//@found invalid-shuffle shfl-source
extern "C" __global__ void shfl_source(const int *a, int *out)
{
    int t = threadIdx.x;
    if (t < 16)
        out[t] = __shfl_sync(0x0000ffffu, a[t], 20); // shfl-source
}

// Each half of a warp shuffles with the mask of its half.
// Right: every lane is in its own mask, and all sources lie in the same half.
//@ array a16 i32 32 iota
//@ array o16 i32 32
//@ launch shfl_halves<<<1, 32>>>(a16, o16)
//@none
extern "C" __global__ void shfl_halves(const int *a, int *out)
{
    int t = threadIdx.x, v = a[t];
    if (t < 16) {
        for (int d = 8; d > 0; d /= 2)
            v += __shfl_xor_sync(0x0000ffffu, v, d);
    } else {
        v = __shfl_sync(0xffff0000u, v, 31 - t % 16);
    }
    out[t] = v;
}

// Only the first warp of a block of two calls block.sync.
// Wrong: the second warp goes round the barrier and meets the first one at another.
// The first warp then waits alone, so it may also be called a deadlock; the branch is the cause.
//@ array a17 i32 64 iota
//@ array o17 i32 64
//@ launch block_sync_branch<<<1, 64>>>(a17, o17)
//@found barrier-divergence block-sync-branch
extern "C" __global__ void block_sync_branch(const int *a, int *out)
{
    __shared__ int buf[64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    buf[t] = a[t];
    if (t < 32) {
        block.sync(); // block-sync-branch
        buf[t] += 1;
    }
    block.sync(); // block-sync-branch
    out[t] = buf[t];
}

// Odd lanes and even lanes call __syncthreads in different branches.
// Wrong: the barrier is called in code that only a part of each warp runs.
// The two calls are two barriers, so it may also be called a deadlock; the branch is the cause.
//@ array a18 i32 64 iota
//@ array o18 i32 64
//@ launch sync_odd_even<<<1, 64>>>(a18, o18)
//@found barrier-divergence sync-odd-even
extern "C" __global__ void sync_odd_even(const int *a, int *out)
{
    __shared__ int buf[64];
    int t = threadIdx.x;
    if (t % 2) {
        buf[t] = a[t] * 2;
        __syncthreads(); // sync-odd-even
        out[t] = buf[t - 1];
    } else {
        buf[t] = a[t] * 5;
        __syncthreads(); // sync-odd-even
        out[t] = buf[t + 1];
    }
}
