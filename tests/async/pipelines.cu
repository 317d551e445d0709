// SPDX-License-Identifier: GPL-3.0-or-later
// cuda::pipeline with two stages: for one thread, and for a block with producers and consumers.
//@first set arch 80
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>

#pragma nv_diag_suppress 20054
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
enum { TILE = 128, TILES = 6 };

__global__ void line(int *y, int a, int b)
{
    y[threadIdx.x] = a + b * (int)threadIdx.x;
}

// Each thread is producer and consumer. CUT: the step that is missing.
template <int CUT> __global__ void stages(const int *x, int *y)
{
    __shared__ int s[2][TILE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = threadIdx.x, sum = 0;
    for (int next = 0, i = 0; i < TILES; i++) {
        for (; next < TILES && next < i + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[next % 2], x + next * TILE, sizeof(int) * TILE, pipe); // fill
            pipe.producer_commit();
        }
        if (CUT != 1)
            pipe.consumer_wait();
        sum += s[i % 2][TILE - 1 - t]; // use
        pipe.consumer_release();
    }
    y[t] = sum;
}

// Right: no step is missing.
//@ array x int 1024 iota; array y int 256 zero; array want int 256 zero
//@ launch line<<<1, 128>>>(want, 2682, -6)
//@none
//@ launch stages<0><<<1, 128>>>(x, y)
//@none
//@ compare y[0..127] want[0..127]
template __global__ void stages<0>(const int *, int *);

// Wrong: the consumers don't wait for the copies.
//@ launch stages<1><<<1, 128>>>(x, y)
//@found race-shared use
//@may race-shared
//@may uninitialized
template __global__ void stages<1>(const int *, int *);

// The first warp copies. The other warps compute.
template <int CUT> __global__ void roles(const int *x, int *y)
{
    __shared__ int s[2][TILE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    const bool producer = block.thread_rank() < 32;
    auto pipe = cuda::make_pipeline(
        block, &state, producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    if (producer) {
        auto warp = cg::tiled_partition<32>(block);
        for (int i = 0; i < TILES; i++) {
            pipe.producer_acquire();
            cuda::memcpy_async(warp, s[i % 2], x + i * TILE, sizeof(int) * TILE, pipe); // fill-roles
            pipe.producer_commit();
        }
        return;
    }
    int t = threadIdx.x - 32, sum = 0;
    for (int i = 0; i < TILES; i++) {
        pipe.consumer_wait();
        if (CUT == 1)
            pipe.consumer_release();
        sum += s[i % 2][TILE - 1 - t]; // use-roles
        if (CUT != 1)
            pipe.consumer_release();
    }
    y[t] = sum;
}

// Right: the consumers read a stage and then release it.
//@ launch roles<0><<<1, 160>>>(x, y)
//@none
//@ compare y[0..127] want[0..127]
template __global__ void roles<0>(const int *, int *);

// Wrong: the consumers release a stage before they read it.
//@ launch roles<1><<<1, 160>>>(x, y)
//@found race-shared use-roles
//@may race-shared
template __global__ void roles<1>(const int *, int *);

// Each thread has a pipeline of its own.
template <int CUT> __global__ void alone(const int *x, int *y)
{
    __shared__ int s[2][TILE];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x, sum = 0;
    for (int next = 0, i = 0; i < TILES; i++) {
        for (; next < TILES && next < i + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[next % 2][t], &x[next * TILE + t], sizeof(int), pipe); // fill-alone
            pipe.producer_commit();
        }
        if (CUT != 1)
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        sum += s[i % 2][t]; // use-alone
        pipe.consumer_release();
    }
    y[t] = sum;
}

// Wrong: no thread waits for its copies.
//@ launch alone<1><<<1, 128>>>(x, y)
//@found race-shared use-alone
//@may race-shared
template __global__ void alone<1>(const int *, int *);

// cooperative groups: the block copies, and waits for the copies.
template <int CUT> __global__ void together(const int *x, int *y)
{
    __shared__ int s[TILE];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    cg::memcpy_async(block, s, x, sizeof(int) * TILE); // fill-cg
    if (CUT != 1)
        cg::wait(block);
    y[t] = s[TILE - 1 - t]; // use-cg
}

// Right: wait() waits for the copies and for the block.
//@ launch line<<<1, 128>>>(want, 127, -1)
//@none
//@ launch together<0><<<1, 128>>>(x, y)
//@none
//@ compare y[0..127] want[0..127]
template __global__ void together<0>(const int *, int *);

// Wrong: wait() is missing.
//@ launch together<1><<<1, 128>>>(x, y)
//@found race-shared use-cg
//@may race-shared
//@may uninitialized
template __global__ void together<1>(const int *, int *);
