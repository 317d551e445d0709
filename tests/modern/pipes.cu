// SPDX-License-Identifier: GPL-3.0-or-later
// cuda::barrier, cuda::pipeline, cuda::memcpy_async and cooperative_groups::memcpy_async.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>
#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// Turns a tile round with a cuda::barrier in place of __syncthreads.
// Right: arrive_and_wait orders the stores before the reads, and the reads before new stores.
//@ array a1 i32 256 iota
//@ array o1 i32 64
//@ launch bar_wait<<<1, 64>>>(a1, o1)
//@none
extern "C" __global__ void bar_wait(const int *a, int *out)
{
    __shared__ block_barrier bar;
    __shared__ int tile[64];
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        init(&bar, 64);
    __syncthreads();
    for (int n = 0; n < 4; ++n) {
        tile[t] = a[n * 64 + t];
        bar.arrive_and_wait();
        sum += (n + 1) * tile[63 - t];
        bar.arrive_and_wait();
    }
    out[t] = sum;
}

// The same with only one wait a turn.
// Wrong: a fast warp stores its next element while a slow warp still reads the last tile.
//@ array a2 i32 256 iota
//@ array o2 i32 64
//@ launch bar_wait_once<<<1, 64>>>(a2, o2)
//@found race-shared bar-wait-once
extern "C" __global__ void bar_wait_once(const int *a, int *out)
{
    __shared__ block_barrier bar;
    __shared__ int tile[64];
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        init(&bar, 64);
    __syncthreads();
    for (int n = 0; n < 4; ++n) {
        tile[t] = a[n * 64 + t]; // bar-wait-once
        bar.arrive_and_wait();
        sum += (n + 1) * tile[63 - t]; // bar-wait-once
    }
    out[t] = sum;
}

// Splits the barrier: arrive after the store, work of one's own, then wait.
// Right: the shared tile is read only after the wait, and the work between touches no shared byte.
//@ array a3 i32 128 iota
//@ array o3 i32 128
//@ launch bar_split<<<1, 128>>>(a3, o3)
//@none
extern "C" __global__ void bar_split(const int *a, int *out)
{
    __shared__ block_barrier bar;
    __shared__ int tile[128];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    tile[t] = 3 * a[t];
    block_barrier::arrival_token token = bar.arrive();
    int own = 0;
    for (int i = 0; i <= t % 8; ++i)
        own += a[i];
    bar.wait(std::move(token));
    out[t] = own + tile[(t + 37) % 128];
}

// The same with the read of the shared tile between arrive and wait.
// Wrong: arrive alone does not order the other threads' stores before this read.
//@ array a4 i32 128 iota
//@ array o4 i32 128
//@ launch bar_split_early<<<1, 128>>>(a4, o4)
//@found race-shared bar-split-early
extern "C" __global__ void bar_split_early(const int *a, int *out)
{
    __shared__ block_barrier bar;
    __shared__ int tile[128];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    tile[t] = 3 * a[t]; // bar-split-early
    block_barrier::arrival_token token = bar.arrive();
    int other = tile[(t + 37) % 128]; // bar-split-early
    bar.wait(std::move(token));
    out[t] = a[t % 8] + other;
}

// Uses a barrier that expects one thread more than the block has.
// Wrong: the phase never completes, and all threads wait for ever.
//@ array a5 i32 64 iota
//@ array o5 i32 64
//@ launch bar_count<<<1, 64>>>(a5, o5)
//@found deadlock bar-count
extern "C" __global__ void bar_count(const int *a, int *out)
{
    __shared__ block_barrier bar;
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, blockDim.x + 1);
    __syncthreads();
    tile[t] = a[t];
    bar.arrive_and_wait(); // bar-count
    out[t] = tile[63 - t];
}

// Producer and consumer warps hand over two slots by four cuda::barriers.
// Right: consumers arrive on free before the producers store, producers on full before the reads.
//@ array a6 i32 192 iota
//@ array o6 i32 32
//@ launch bar_roles<<<1, 64>>>(a6, o6, 6)
//@none
extern "C" __global__ void bar_roles(const int *a, int *out, int n)
{
    __shared__ block_barrier full[2], freed[2];
    __shared__ int slot[2][32];
    int t = threadIdx.x, lane = t % 32;
    if (t < 2) {
        init(&full[t], 64);
        init(&freed[t], 64);
    }
    __syncthreads();
    if (t < 32) {
        for (int i = 0; i < n; ++i) {
            freed[i & 1].arrive_and_wait();
            slot[i & 1][lane] = 2 * a[i * 32 + lane];
            (void)full[i & 1].arrive();
        }
    } else {
        int sum = 0;
        (void)freed[0].arrive();
        (void)freed[1].arrive();
        for (int i = 0; i < n; ++i) {
            full[i & 1].arrive_and_wait();
            sum += (i + 1) * slot[i & 1][31 - lane];
            if (i + 2 < n)
                (void)freed[i & 1].arrive();
        }
        out[lane] = sum;
    }
}

// Copies a tile by cuda::memcpy_async bound to a barrier, the whole block together.
// Right: the barrier's phase completes only when the copy has landed.
//@ array a7 i32 512 iota
//@ array o7 i32 128
//@ launch bar_copy<<<1, 128>>>(a7, o7)
//@none
extern "C" __global__ void bar_copy(const int *a, int *out)
{
    __shared__ block_barrier bar;
    __shared__ alignas(16) int tile[256];
    auto block = cg::this_thread_block();
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        init(&bar, 128);
    block.sync();
    for (int n = 0; n < 2; ++n) {
        cuda::memcpy_async(block, tile, a + n * 256, cuda::aligned_size_t<16>(1024), bar);
        bar.arrive_and_wait();
        sum = 2 * sum + tile[255 - t] + tile[t / 2];
        block.sync();
    }
    out[t] = sum;
}

// The same with each thread copying 8 bytes for itself on the shared barrier.
// Right: every thread's copy is bound to the phase that every thread waits for.
//@ array a8 i32 256 iota
//@ array o8 i32 128
//@ launch bar_copy_each<<<1, 128>>>(a8, o8)
//@none
extern "C" __global__ void bar_copy_each(const int *a, int *out)
{
    __shared__ block_barrier bar;
    __shared__ alignas(16) int tile[256];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, 128);
    __syncthreads();
    cuda::memcpy_async(tile + 2 * t, a + 2 * t, cuda::aligned_size_t<8>(8), bar);
    bar.arrive_and_wait();
    out[t] = tile[255 - t] - tile[t];
}

// Reads the tile after __syncthreads instead of waiting at the barrier of the copy.
// Wrong: __syncthreads does not wait for asynchronous copies.
//@ array a9 i32 256 iota
//@ array o9 i32 128
//@ launch bar_copy_sync<<<1, 128>>>(a9, o9)
//@found race-shared bar-copy-sync
extern "C" __global__ void bar_copy_sync(const int *a, int *out)
{
    __shared__ block_barrier bar;
    __shared__ alignas(16) int tile[256];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, 128);
    __syncthreads();
    cuda::memcpy_async(tile + 2 * t, a + 2 * t, cuda::aligned_size_t<8>(8), bar); // bar-copy-sync
    __syncthreads();
    int v = tile[255 - t]; // bar-copy-sync
    bar.arrive_and_wait();
    out[t] = v;
}

// A pipeline of each thread for itself, two stages; every thread reads only what it copied.
// Right: consumer_wait shows a thread its own copies, and no other thread's are read.
//@ array a10 i32 512 iota
//@ array o10 i32 64
//@ launch pipe_own<<<1, 64>>>(a10, o10, 8)
//@none
extern "C" __global__ void pipe_own(const int *a, int *out, int n)
{
    __shared__ int buf[2][64];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x, sum = 0;
    pipe.producer_acquire();
    cuda::memcpy_async(&buf[0][t], a + t, sizeof(int), pipe);
    pipe.producer_commit();
    for (int i = 0; i < n; ++i) {
        if (i + 1 < n) {
            pipe.producer_acquire();
            cuda::memcpy_async(&buf[(i + 1) & 1][t], a + (i + 1) * 64 + t, sizeof(int), pipe);
            pipe.producer_commit();
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        } else {
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        }
        sum += (i + 1) * buf[i & 1][t];
        pipe.consumer_release();
    }
    out[t] = sum;
}

// The same, but each thread reads its neighbour's element.
// Wrong: the wait covers only the thread's own copies, and no barrier joins the threads.
//@ array a11 i32 512 iota
//@ array o11 i32 64
//@ launch pipe_cross<<<1, 64>>>(a11, o11, 8)
//@found race-shared pipe-cross
extern "C" __global__ void pipe_cross(const int *a, int *out, int n)
{
    __shared__ int buf[2][64];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x, sum = 0;
    pipe.producer_acquire();
    cuda::memcpy_async(&buf[0][t], a + t, sizeof(int), pipe); // pipe-cross
    pipe.producer_commit();
    for (int i = 0; i < n; ++i) {
        if (i + 1 < n) {
            const int *src = a + (i + 1) * 64 + t;
            pipe.producer_acquire();
            cuda::memcpy_async(&buf[(i + 1) & 1][t], src, sizeof(int), pipe); // pipe-cross
            pipe.producer_commit();
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        } else {
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        }
        sum += (i + 1) * buf[i & 1][(t + 1) % 64]; // pipe-cross
        pipe.consumer_release();
    }
    out[t] = sum;
}

// A pipeline of the whole block with shared state, two stages, every thread in both roles.
// Right: consumer_wait waits for all threads' copies, and release comes before the next acquire.
//@ array a12 i32 384 iota
//@ array o12 i32 64
//@ launch pipe_block<<<1, 64>>>(a12, o12, 6)
//@none
extern "C" __global__ void pipe_block(const int *a, int *out, int n)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ alignas(16) int buf[2][64];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = threadIdx.x, sum = 0;
    for (int i = 0, fetch = 0; i < n; ++i) {
        for (; fetch < n && fetch < i + 2; ++fetch) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, buf[fetch & 1], a + fetch * 64, 64 * sizeof(int), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += (i + 1) * buf[i & 1][63 - t];
        pipe.consumer_release();
    }
    out[t] = sum;
}

// The same without consumer_wait.
// Wrong: the tile is read while its copy may still be under way.
//@ array a13 i32 128 iota
//@ array o13 i32 64
//@ launch pipe_nowait<<<1, 64>>>(a13, o13)
//@found race-shared pipe-nowait
extern "C" __global__ void pipe_nowait(const int *a, int *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ alignas(16) int buf[2][64];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 2; ++i) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, buf[i], a + i * 64, 64 * sizeof(int), pipe); // pipe-nowait
        pipe.producer_commit();
    }
    sum += buf[0][63 - t]; // pipe-nowait
    sum += buf[1][63 - t]; // pipe-nowait
    pipe.consumer_wait();
    pipe.consumer_release();
    pipe.consumer_wait();
    pipe.consumer_release();
    out[t] = sum;
}

// The same as pipe_block without consumer_release.
// Wrong: the third producer_acquire waits for a stage that nobody gives back.
//@ array a14 i32 384 iota
//@ array o14 i32 64
//@ launch pipe_norelease<<<1, 64>>>(a14, o14, 6)
//@found deadlock pipe-norelease
extern "C" __global__ void pipe_norelease(const int *a, int *out, int n)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ alignas(16) int buf[2][64];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = threadIdx.x, sum = 0;
    for (int i = 0, fetch = 0; i < n; ++i) {
        for (; fetch < n && fetch < i + 2; ++fetch) {
            pipe.producer_acquire(); // pipe-norelease
            cuda::memcpy_async(block, buf[fetch & 1], a + fetch * 64, 64 * sizeof(int), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += (i + 1) * buf[i & 1][63 - t];
    }
    out[t] = sum;
}

// A pipeline with the first warp as producers and the second as consumers.
// Right: each role calls only its own steps, and the stages go round in order.
//@ array a15 i32 640 iota
//@ array o15 i32 32
//@ launch pipe_roles<<<1, 64>>>(a15, o15, 5)
//@none
extern "C" __global__ void pipe_roles(const int *a, int *out, int n)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    __shared__ alignas(16) int buf[3][128];
    auto block = cg::this_thread_block();
    int t = threadIdx.x, lane = t % 32;
    auto role = t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    if (role == cuda::pipeline_role::producer) {
        for (int i = 0; i < n; ++i) {
            pipe.producer_acquire();
            cuda::memcpy_async(&buf[i % 3][4 * lane], a + i * 128 + 4 * lane,
                               cuda::aligned_size_t<16>(16), pipe);
            pipe.producer_commit();
        }
    } else {
        int sum = 0;
        for (int i = 0; i < n; ++i) {
            pipe.consumer_wait();
            for (int j = 0; j < 4; ++j)
                sum += (j + 1) * buf[i % 3][(lane + 32 * j + 5) % 128];
            pipe.consumer_release();
        }
        out[lane] = sum;
    }
}

// Copies by cooperative_groups::memcpy_async, one tile at a time.
// Right: wait(block) waits for the copies of all threads and joins the block.
//@ array a16 i32 512 iota
//@ array o16 i32 128
//@ launch cg_copy<<<1, 128>>>(a16, o16)
//@none
extern "C" __global__ void cg_copy(const int *a, int *out)
{
    __shared__ alignas(16) int tile[128];
    auto block = cg::this_thread_block();
    int t = threadIdx.x, sum = 0;
    for (int n = 0; n < 4; ++n) {
        cg::memcpy_async(block, tile, a + n * 128, sizeof(int) * 128);
        cg::wait(block);
        sum += (n + 1) * tile[(t * 5 + 1) % 128];
        block.sync();
    }
    out[t] = sum;
}

// The same without the sync at the end of the loop.
// Wrong: a fast thread starts the next copy over a tile that slow threads still read.
//@ array a17 i32 512 iota
//@ array o17 i32 128
//@ launch cg_copy_reuse<<<1, 128>>>(a17, o17)
//@found race-shared cg-copy-reuse
extern "C" __global__ void cg_copy_reuse(const int *a, int *out)
{
    __shared__ alignas(16) int tile[128];
    auto block = cg::this_thread_block();
    int t = threadIdx.x, sum = 0;
    for (int n = 0; n < 4; ++n) {
        cg::memcpy_async(block, tile, a + n * 128, sizeof(int) * 128); // cg-copy-reuse
        cg::wait(block);
        sum += (n + 1) * tile[(t * 5 + 1) % 128]; // cg-copy-reuse
    }
    out[t] = sum;
}

// Two tiles in flight, waited for by wait_prior.
// Right: wait_prior<1> leaves only the newest copy, and the last turn waits for all.
//@ array a18 i32 384 iota
//@ array o18 i32 64
//@ launch cg_prior<<<1, 64>>>(a18, o18, 6)
//@none
extern "C" __global__ void cg_prior(const int *a, int *out, int n)
{
    __shared__ alignas(16) int tile[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x, sum = 0;
    cg::memcpy_async(block, tile[0], a, cuda::aligned_size_t<16>(256));
    for (int i = 0; i < n; ++i) {
        if (i + 1 < n) {
            int s = (i + 1) & 1;
            cg::memcpy_async(block, tile[s], a + (i + 1) * 64, cuda::aligned_size_t<16>(256));
            cg::wait_prior<1>(block);
        } else {
            cg::wait_prior<0>(block);
        }
        sum += (i + 1) * tile[i & 1][63 - t];
        block.sync();
    }
    out[t] = sum;
}

// The same with wait_prior<2> inside the loop.
// Wrong: both copies may still be under way when the older tile is read.
//@ array a19 i32 384 iota
//@ array o19 i32 64
//@ launch cg_prior_two<<<1, 64>>>(a19, o19, 6)
//@found race-shared cg-prior-two
extern "C" __global__ void cg_prior_two(const int *a, int *out, int n)
{
    __shared__ alignas(16) int tile[2][64];
    auto block = cg::this_thread_block();
    auto size = cuda::aligned_size_t<16>(256);
    int t = threadIdx.x, sum = 0;
    cg::memcpy_async(block, tile[0], a, size); // cg-prior-two
    for (int i = 0; i < n; ++i) {
        if (i + 1 < n) {
            cg::memcpy_async(block, tile[(i + 1) & 1], a + (i + 1) * 64, size); // cg-prior-two
            cg::wait_prior<2>(block);
        } else {
            cg::wait_prior<0>(block);
        }
        sum += (i + 1) * tile[i & 1][63 - t]; // cg-prior-two
        block.sync();
    }
    out[t] = sum;
}
