// SPDX-License-Identifier: GPL-3.0-or-later
// Bulk copies, and values for other blocks of a cluster (compute capability 9.0).
//@first set arch 90
#include <cooperative_groups.h>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using u64 = cuda::std::uint64_t;
using u32 = cuda::std::uint32_t;
enum { TILE = 128, TILES = 6, BYTES = TILE * sizeof(int) };

// A macro, so that findings have the line of each wait.
#define wait(bar, parity)                                                                    \
    while (!ptx::mbarrier_try_wait_parity(bar, parity))                                      \
        ;

__global__ void line(int *y, int a, int b)
{
    y[threadIdx.x] = a + b * (int)threadIdx.x;
}

// All threads wait for one copy from global memory. CUT: the step that is missing.
template <int CUT> __global__ void one(const int *x, int *y)
{
    alignas(16) __shared__ int s[TILE];
    __shared__ u64 bar;
    int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&bar, 1); // made-one
        ptx::fence_proxy_async(ptx::space_shared);
    }
    if (CUT != 3)
        __syncthreads();
    if (t == 0) {
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, x, BYTES, &bar); // fill-one
        if (CUT == 2)
            ptx::mbarrier_arrive(&bar);
        else
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &bar, BYTES);
    }
    if (CUT != 1)
        wait(&bar, 0); // made-one
    y[t] = s[TILE - 1 - t]; // use-one
}

// Right: expect the bytes, copy, wait.
//@ array x int 1024 iota; array y int 128 zero; array want int 128 zero
//@ launch line<<<1, 128>>>(want, 127, -1)
//@none
//@ launch one<0><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void one<0>(const int *, int *);

// Wrong: no thread waits for the copy.
//@ launch one<1><<<1, 128>>>(x, y)
//@found race-shared use-one
//@may uninitialized
template __global__ void one<1>(const int *, int *);

// Wrong: the barrier does not expect the bytes of the copy.
//@ launch one<2><<<1, 128>>>(x, y)
//@found deadlock made-one
template __global__ void one<2>(const int *, int *);

// Wrong: the other threads don't wait until the barrier is initialized.
//@ launch one<3><<<1, 128>>>(x, y)
//@found race-shared made-one
//@or uninitialized
//@may trap
//@may race-shared
template __global__ void one<3>(const int *, int *);

// One warp copies, the others compute. Each of two buffers has a barrier full and a barrier empty.
template <int CUT> __global__ void roles(const int *x, int *y)
{
    alignas(16) __shared__ int s[2][TILE];
    __shared__ u64 full[2], empty[2];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], CUT == 5 ? TILE + 1 : TILE);
        }
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    if (t >= TILE) {
        for (int i = 0; t == TILE && i < TILES; i++) {
            if (i >= 2 && CUT != 1)
                wait(&empty[i % 2], CUT == 3 ? 1 : (i / 2 - 1) % 2); // turns
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full[i % 2], CUT == 4 ? BYTES + 16 : BYTES);
            u64 *bar = &full[i % 2];
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s[i % 2], x + i * TILE, // turns
                               BYTES, bar);
        }
        return;
    }
    for (int i = 0; i < TILES; i++) {
        wait(&full[i % 2], CUT == 2 ? 0 : i / 2 % 2); // turns
        sum += s[i % 2][TILE - 1 - t];                // turns
        ptx::mbarrier_arrive(&empty[i % 2]);
    }
    y[t] = sum;
}

// Right: both sides wait for each other, with parities that change.
//@ launch line<<<1, 128>>>(want, 2682, -6)
//@none
//@ launch roles<0><<<1, 160>>>(x, y)
//@none
//@ compare y want
template __global__ void roles<0>(const int *, int *);

// Wrong: the producer does not wait until a buffer has been read.
//@ launch roles<1><<<1, 160>>>(x, y)
//@found race-shared turns
//@may race-shared
//@may deadlock
//@may trap
template __global__ void roles<1>(const int *, int *);

// Wrong: the consumers wait for the first phase again and again.
//@ launch roles<2><<<1, 160>>>(x, y)
//@found race-shared turns
//@or deadlock
//@may race-shared
//@may deadlock
//@may trap
template __global__ void roles<2>(const int *, int *);

// Wrong: the producer waits for a phase that is always over.
//@ launch roles<3><<<1, 160>>>(x, y)
//@found race-shared turns
//@may race-shared
//@may deadlock
//@may trap
template __global__ void roles<3>(const int *, int *);

// Wrong: more bytes are expected than come.
//@ launch roles<4><<<1, 160>>>(x, y)
//@found deadlock turns
template __global__ void roles<4>(const int *, int *);

// Wrong: a barrier expects one thread more than arrive.
//@ launch roles<5><<<1, 160>>>(x, y)
//@found deadlock turns
//@or deadlock
template __global__ void roles<5>(const int *, int *);

// A bulk copy writes results to global memory.
template <int CUT> __global__ void back(const int *x, int *y)
{
    alignas(16) __shared__ int s[TILE];
    int t = threadIdx.x;
    s[t] = x[t] + 1; // leave
    ptx::fence_proxy_async(ptx::space_shared);
    if (CUT != 1)
        __syncthreads();
    if (t == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y, s, BYTES); // store
        ptx::cp_async_bulk_commit_group();
        if (CUT != 2)
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
    __syncthreads();
    s[t] = 0; // clear
}

// Right: the copy has read the shared memory before the threads write it again.
//@ launch line<<<1, 128>>>(want, 1, 1)
//@none
//@ launch back<0><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void back<0>(const int *, int *);

// Wrong: the copy may start before the other threads have written their results.
//@ launch back<1><<<1, 128>>>(x, y)
//@found race-shared store
//@may uninitialized
//@may race-shared
template __global__ void back<1>(const int *, int *);

// Wrong: the threads write the shared memory again while the copy may still read it.
//@ launch back<2><<<1, 128>>>(x, y)
//@found race-shared clear
//@may race-shared
template __global__ void back<2>(const int *, int *);

// Each block adds its sums to the sums of the other blocks.
//@ fill y zero
//@ launch line<<<1, 128>>>(want, 0, 4)
//@none
//@ launch adds<<<4, 128>>>(x, y)
//@none
//@ compare y want
__global__ void adds(const int *x, int *y)
{
    alignas(16) __shared__ int s[TILE];
    int t = threadIdx.x;
    s[t] = x[t];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, y, s, BYTES);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

// Each block sends its numbers to the next block of the cluster. That block waits for them.
template <int CUT> __global__ void __cluster_dims__(2) ring(const int *x, int *y)
{
    __shared__ int s[TILE];
    __shared__ u64 bar;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                       BYTES);
    }
    if (CUT != 1)
        cluster.sync();
    unsigned other = cluster.block_rank() ^ 1;
    u64 *there = cluster.map_shared_rank(&bar, other);
    int *to = cluster.map_shared_rank(&s[t], other);
    ptx::st_async(to, x[cluster.block_rank() * TILE + t], there); // send
    if (CUT != 2)
        wait(&bar, 0); // wait-ring
    y[cluster.block_rank() * TILE + t] = s[TILE - 1 - t]; // use-ring
    if (CUT == 2)
        cluster.sync();
}

// Right: all barriers are initialized before a block sends. Each block waits for its numbers.
//@ array z int 256 zero; array both int 256 zero
//@ launch line<<<1, 256>>>(both, 255, -1)
//@none
//@ launch ring<0><<<2, 128>>>(x, z)
//@none
//@ compare z both
template __global__ void ring<0>(const int *, int *);

// Wrong: a block sends before the other block has initialized its barrier.
//@ launch ring<1><<<2, 128>>>(x, z)
//@found race-shared send
//@or trap
//@may trap
//@may uninitialized
//@may race-shared
template __global__ void ring<1>(const int *, int *);

// Wrong: no thread waits for the numbers.
//@ launch ring<2><<<2, 128>>>(x, z)
//@found race-shared use-ring
//@may uninitialized
//@may race-shared
template __global__ void ring<2>(const int *, int *);

// The same as in cuda::ptx, but for all GPUs of compute capability 9.0.
__device__ void copy_for_both(int *to, const int *from, int bytes, u64 *bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(
                     (u32)__cvta_generic_to_shared(to)),
                 "l"(from), "r"(bytes), "r"((u32)__cvta_generic_to_shared(bar)),
                 "h"((unsigned short)3)
                 : "memory");
}

// One block copies for both blocks.
template <int CUT> __global__ void __cluster_dims__(2) cast(const int *x, int *y)
{
    alignas(16) __shared__ int s[TILE];
    __shared__ u64 bar;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                       BYTES);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    if (cluster.block_rank() == 0 && t == 0)
        copy_for_both(s, x, BYTES, &bar); // use-cast
    if (CUT != 1 || cluster.block_rank() == 0)
        wait(&bar, 0);
    y[cluster.block_rank() * TILE + t] = s[t]; // use-cast
    cluster.sync();
}

// Right: each block waits for its own barrier.
//@ fill both iota; fill both[128..] zero
//@ fill z zero
//@ launch cast<0><<<2, 128>>>(x, z)
//@none
//@ compare z[0..127] x[0..127]
//@ compare z[128..255] x[0..127]
template __global__ void cast<0>(const int *, int *);

// Wrong: the other block does not wait.
//@ launch cast<1><<<2, 128>>>(x, z)
//@found race-shared use-cast
//@may uninitialized
template __global__ void cast<1>(const int *, int *);

// Wrong: 24 bytes, and an address that is not a multiple of 16.
//@ launch odd<<<1, 32>>>(x, 24, 0)
//@found misaligned fill-odd
//@ launch odd<<<1, 32>>>(x, 16, 1)
//@found misaligned fill-odd
//@ launch odd<<<1, 32>>>(x, 5120, 0)
//@found out-of-bounds fill-odd
__global__ void odd(const int *x, int bytes, int at)
{
    alignas(16) __shared__ int s[2048];
    __shared__ u64 bar;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, x + at, bytes, &bar); // fill-odd
    }
}

// Wrong: a barrier is initialized again while a phase is not over.
//@ launch again<<<1, 64>>>()
//@found trap make-again
__global__ void again()
{
    __shared__ u64 bar;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&bar, 64);
    __syncthreads();
    if (threadIdx.x < 32)
        ptx::mbarrier_arrive(&bar);
    __syncthreads();
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&bar, 64); // make-again
}
