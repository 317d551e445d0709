// SPDX-License-Identifier: GPL-3.0-or-later
// A thread stores, or copies by cp.async, where another thread's cuda::memcpy_async has copied
// before. The wait for that copy orders the two.
//@first set arch 80
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <utility>

#pragma nv_diag_suppress 20054
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
enum { TILE = 128 };

__global__ void line(int *y, int a, int b)
{
    y[threadIdx.x] = a + b * (int)threadIdx.x;
}

// HOW the thread writes again: 0 by a store, 1 by cp.async.
template <int HOW> __device__ void write(int *at, const int *x)
{
    if (HOW == 0)
        *at = *x; // store
    else
        __pipeline_memcpy_async(at, x, sizeof(int)); // copy
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

// The wait is at a barrier. CUT: the missing step.
template <int HOW, int CUT> __global__ void at_barrier(const int *x, int *y)
{
    __shared__ int s[TILE];
    __shared__ barrier b;
    int t = threadIdx.x;
    if (t == 0)
        init(&b, TILE);
    __syncthreads();
    cuda::memcpy_async(&s[t], &x[t], sizeof(int), b); // fill-barrier
    barrier::arrival_token token = b.arrive();
    if (CUT != 1)
        b.wait(std::move(token));
    write<HOW>(&s[TILE - 1 - t], &x[TILE + t]); // write-barrier
    __syncthreads();
    y[t] = s[t];
}

// Right: each thread waits for all copies, and then it writes.
//@ array x int 1024 iota; array y int 128 zero; array want int 128 zero
//@ launch line<<<1, 128>>>(want, 255, -1)
//@none
//@ launch at_barrier<0, 0><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void at_barrier<0, 0>(const int *, int *);

//@ fill y zero
//@ launch at_barrier<1, 0><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void at_barrier<1, 0>(const int *, int *);

// Wrong: no thread waits for the copies.
//@ launch at_barrier<0, 1><<<1, 128>>>(x, y)
//@found race-shared fill-barrier
template __global__ void at_barrier<0, 1>(const int *, int *);

//@ launch at_barrier<1, 1><<<1, 128>>>(x, y)
//@found race-shared fill-barrier
template __global__ void at_barrier<1, 1>(const int *, int *);

// The wait is at a pipeline of the block, which fills one tile again and again. Between two fills
// each thread writes where another thread's copy has written. CUT: the wait comes too late.
template <int HOW, int CUT> __global__ void in_pipeline(const int *x, int *y)
{
    __shared__ int s[TILE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = threadIdx.x;
    for (int i = 0; i < 3; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, s, x + i * TILE, sizeof s, pipe); // fill-pipeline
        pipe.producer_commit();
        if (CUT != 1)
            pipe.consumer_wait();
        write<HOW>(&s[TILE - 1 - t], &x[TILE + t]); // write-pipeline
        if (CUT == 1)
            pipe.consumer_wait();
        pipe.consumer_release();
    }
    block.sync();
    y[t] = s[t];
}

// Right: each thread waits for the stage, writes, and releases the stage.
//@ fill y zero
//@ launch in_pipeline<0, 0><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void in_pipeline<0, 0>(const int *, int *);

//@ fill y zero
//@ launch in_pipeline<1, 0><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void in_pipeline<1, 0>(const int *, int *);

// Wrong: a thread writes, and then it waits.
//@ launch in_pipeline<0, 1><<<1, 128>>>(x, y)
//@found race-shared fill-pipeline
//@may race-shared
template __global__ void in_pipeline<0, 1>(const int *, int *);

//@ launch in_pipeline<1, 1><<<1, 128>>>(x, y)
//@found race-shared fill-pipeline
//@may race-shared
template __global__ void in_pipeline<1, 1>(const int *, int *);

// One thread waits at the barrier. The others get to know it by HOW: a barrier of the block, a
// barrier of the warp, or a flag. CUT: no thread waits.
template <int HOW, int CUT> __global__ void one_for_all(const int *x, int *y)
{
    __shared__ int s[TILE], flag;
    __shared__ barrier b;
    int t = threadIdx.x;
    if (t == 0) {
        init(&b, TILE);
        flag = 0;
    }
    __syncthreads();
    cuda::memcpy_async(&s[t], &x[t], sizeof(int), b); // fill-one
    barrier::arrival_token token = b.arrive();
    if (CUT != 1 && t % 32 == 0 && (t == 0 || HOW == 1))
        b.wait(std::move(token));
    if (HOW == 0)
        __syncthreads();
    if (HOW == 1)
        __syncwarp();
    if (HOW == 2 && t == 0) {
        __threadfence_block();
        atomicExch(&flag, 1);
    } else if (HOW == 2) {
        while (atomicAdd(&flag, 0) == 0)
            ;
        __threadfence_block();
    }
    s[TILE - 1 - t] = x[TILE + t]; // write-one
    __syncthreads();
    y[t] = s[t];
}

// Right: all threads know that the copies are complete.
//@ fill y zero
//@ launch one_for_all<0, 0><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void one_for_all<0, 0>(const int *, int *);

//@ fill y zero
//@ launch one_for_all<1, 0><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void one_for_all<1, 0>(const int *, int *);

//@ fill y zero
//@ launch one_for_all<2, 0><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void one_for_all<2, 0>(const int *, int *);

// Wrong: nobody has waited, so that the threads only know of each other.
//@ launch one_for_all<0, 1><<<1, 128>>>(x, y)
//@found race-shared write-one
//@may race-shared
template __global__ void one_for_all<0, 1>(const int *, int *);

//@ launch one_for_all<1, 1><<<1, 128>>>(x, y)
//@found race-shared write-one
//@may race-shared
template __global__ void one_for_all<1, 1>(const int *, int *);

//@ launch one_for_all<2, 1><<<1, 128>>>(x, y)
//@found race-shared write-one
//@may race-shared
template __global__ void one_for_all<2, 1>(const int *, int *);

// One thread waits for the copies of all, and then its tile of four warps waits for it. CUT: the
// missing step.
template <int CUT> __global__ void waited(const int *x, int *y)
{
    __shared__ cg::block_tile_memory<128> memory;
    __shared__ int s[128];
    __shared__ barrier b;
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<128>(block);
    int t = threadIdx.x;
    if (t == 0)
        init(&b, 128);
    block.sync();
    cuda::memcpy_async(&s[t], &x[t], sizeof(int), b); // copy
    barrier::arrival_token token = b.arrive();
    if (t == 0 && CUT != 1)
        b.wait(std::move(token));
    if (CUT != 2)
        tile.sync();
    y[t] = s[127 - t]; // use
}

// Right: thread 0 waits for the copies, and then the tile waits for thread 0.
//@ fill y zero
//@ launch waited<0><<<1, 128>>>(x, y)
//@none
//@ compare y[127..127] x[0..0]
template __global__ void waited<0>(const int *, int *);

// Wrong: no thread waits for the copies.
//@ launch waited<1><<<1, 128>>>(x, y)
//@found race-shared use
//@may race-shared
//@may uninitialized
template __global__ void waited<1>(const int *, int *);

// Wrong: only thread 0 knows that the copies are complete.
//@ launch waited<2><<<1, 128>>>(x, y)
//@found race-shared use
//@may race-shared
//@may uninitialized
template __global__ void waited<2>(const int *, int *);
