// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles of several warps. In tile.sync() lane 0 of each warp alone learns that the other warps have
// come. Then it syncs its warp, and so all lanes know it.
//@first set arch 80
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

// Each tile reverses its part of x twice. CUT: the missing step.
template <int SIZE, int CUT> __global__ void turned(const int *x, int *y)
{
    __shared__ cg::block_tile_memory<1024> memory;
    __shared__ int s[1024];
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<SIZE>(block);
    int r = tile.thread_rank(), *part = s + threadIdx.x - r;
    part[r] = x[threadIdx.x]; // put
    if (CUT != 1)
        tile.sync();
    int other = part[SIZE - 1 - r]; // take
    if (CUT != 2)
        tile.sync();
    part[r] = other; // again
    block.sync();
    y[threadIdx.x] = part[SIZE - 1 - r]; // last
}

// Right: tile.sync() stands between writing and reading.
//@ array x int 1024 iota; array y int 1024 zero
//@ launch turned<64, 0><<<1, 128>>>(x, y)
//@none
//@ compare y[0..127] x[0..127]
template __global__ void turned<64, 0>(const int *, int *);

//@ fill y zero
//@ launch turned<128, 0><<<1, 256>>>(x, y)
//@none
//@ compare y[0..255] x[0..255]
template __global__ void turned<128, 0>(const int *, int *);

//@ fill y zero
//@ launch turned<256, 0><<<1, 512>>>(x, y)
//@none
//@ compare y[0..511] x[0..511]
template __global__ void turned<256, 0>(const int *, int *);

//@ fill y zero
//@ launch turned<512, 0><<<1, 1024>>>(x, y)
//@none
//@ compare y x
template __global__ void turned<512, 0>(const int *, int *);

//@ fill y zero
//@ launch turned<1024, 0><<<1, 1024>>>(x, y)
//@none
//@ compare y x
template __global__ void turned<1024, 0>(const int *, int *);

// Wrong: a thread reads what another warp of its tile may not have written yet.
//@ launch turned<64, 1><<<1, 128>>>(x, y)
//@found race-shared put
//@may race-shared
//@may uninitialized
template __global__ void turned<64, 1>(const int *, int *);

//@ launch turned<1024, 1><<<1, 1024>>>(x, y)
//@found race-shared put
//@may race-shared
//@may uninitialized
template __global__ void turned<1024, 1>(const int *, int *);

// Wrong: a thread writes where another warp of its tile may still read.
//@ launch turned<64, 2><<<1, 128>>>(x, y)
//@found race-shared take
template __global__ void turned<64, 2>(const int *, int *);

//@ launch turned<512, 2><<<1, 1024>>>(x, y)
//@found race-shared take
template __global__ void turned<512, 2>(const int *, int *);

// Right: a tile within a tile, and both wait.
//@ fill y zero
//@ launch nested<<<1, 256>>>(x, y)
//@none
//@ compare y[0..255] x[0..255]
__global__ void nested(const int *x, int *y)
{
    __shared__ cg::block_tile_memory<256> memory;
    __shared__ int s[256];
    auto large = cg::tiled_partition<128>(cg::this_thread_block(memory));
    auto small = cg::tiled_partition<64>(large);
    int t = threadIdx.x;
    s[t] = x[t];
    small.sync();
    int other = s[t ^ 63];
    large.sync();
    s[t] = other;
    large.sync();
    y[t] = s[t ^ 63];
}

// Wrong: the small tiles wait, each for itself, and a thread reads from the other one.
//@ launch too_small<<<1, 256>>>(x, y)
//@found race-shared small
//@may uninitialized
__global__ void too_small(const int *x, int *y)
{
    __shared__ cg::block_tile_memory<256> memory;
    __shared__ int s[256];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    int t = threadIdx.x;
    s[t] = x[t]; // small
    tile.sync();
    y[t] = s[t ^ 127]; // small
}

// Right: the tiles exchange values by NVIDIA's own code, which needs no further barrier.
//@ fill y zero
//@ launch values<64><<<1, 256>>>(x, y)
//@none
//@ launch values<128><<<1, 256>>>(x, y)
//@none
//@ launch values<256><<<1, 256>>>(x, y)
//@none
//@ launch values<512><<<1, 512>>>(x, y)
//@none
//@ compare y[0..511] value:511
template <int SIZE> __global__ void values(const int *x, int *y)
{
    __shared__ cg::block_tile_memory<512> memory;
    auto tile = cg::tiled_partition<SIZE>(cg::this_thread_block(memory));
    const int r = tile.thread_rank();
    bool right = true;
    for (int i = 0; i < 3; i++) {
        const int from = (i * 31 + 5) % SIZE;
        right &= tile.shfl(r, from) == from;
        right &= cg::reduce(tile, r, cg::plus<int>()) == SIZE * (SIZE - 1) / 2;
        right &= cg::inclusive_scan(tile, 1) == r + 1;
        right &= tile.any(r == from) && !tile.all(r == from);
    }
    y[threadIdx.x] = right ? SIZE - 1 : -1;
    (void)x;
}
template __global__ void values<64>(const int *, int *);
template __global__ void values<128>(const int *, int *);
template __global__ void values<256>(const int *, int *);
template __global__ void values<512>(const int *, int *);

// Wrong: reduce() exchanges values, but it is no barrier for the program's own memory.
//@ launch sum_is_no_barrier<<<1, 64>>>(x, y)
//@found race-shared no-barrier
//@may uninitialized
__global__ void sum_is_no_barrier(const int *x, int *y)
{
    __shared__ cg::block_tile_memory<64> memory;
    __shared__ int s[64];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    const int t = threadIdx.x;
    s[t] = x[t]; // no-barrier
    y[t] = s[63 - t] + cg::reduce(tile, 1, cg::plus<int>()); // no-barrier
}
