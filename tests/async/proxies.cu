// SPDX-License-Identifier: GPL-3.0-or-later
// Proxy fences between ordinary stores and the bulk copies that read what was stored (compute
// capability 9.0).
//@first set arch 90
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace cde = cuda::device::experimental;
namespace ptx = cuda::ptx;
using u64 = cuda::std::uint64_t;
using u32 = cuda::std::uint32_t;
enum { TILE = 128, BYTES = TILE * sizeof(int) };

__global__ void line(int *y, int a, int b)
{
    y[threadIdx.x] = a + b * (int)threadIdx.x;
}

// Starts a copy to global memory, and waits until it is complete.
__device__ void copy_out(int *to, const int *from)
{
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to, from, BYTES);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

// Which threads fence, and where, and by which fence. The launches give these as numbers from 0 on.
enum fences {
    ALL_BEFORE, ONE_BEFORE, ONE_AFTER, NONE, GLOBAL_ONLY, BOTH_MEMORIES, ANOTHER_THREAD,
    THREADFENCE, BEFORE_STORE, EXPERIMENTAL, CLUSTER_FENCE, OTHER_AFTER
};

template <int WHO> __global__ void out(const int *x, int *y)
{
    alignas(16) __shared__ int s[TILE];
    int t = threadIdx.x;
    if (WHO == BEFORE_STORE)
        ptx::fence_proxy_async(ptx::space_shared);
    s[t] = x[t] + 1; // leave-out
    if (WHO == ALL_BEFORE || (WHO == ONE_BEFORE && t == 0))
        ptx::fence_proxy_async(ptx::space_shared);
    if (WHO == GLOBAL_ONLY)
        ptx::fence_proxy_async(ptx::space_global);
    if (WHO == BOTH_MEMORIES)
        ptx::fence_proxy_async();
    if (WHO == THREADFENCE)
        __threadfence();
    if (WHO == EXPERIMENTAL)
        cde::fence_proxy_async_shared_cta();
    if (WHO == CLUSTER_FENCE)
        ptx::fence_proxy_async(ptx::space_cluster);
    __syncthreads();
    if (WHO == ANOTHER_THREAD) {
        if (t == 70)
            ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
    }
    if (t == 0) {
        if (WHO == ONE_AFTER)
            ptx::fence_proxy_async(ptx::space_shared);
        copy_out(y, s);
    }
}

// Right: each thread fences after its store, and then comes the barrier.
//@ array x int 1024 iota; array y int 128 zero; array want int 128 zero
//@ launch line<<<1, 128>>>(want, 1, 1)
//@none
//@ launch out<0><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void out<ALL_BEFORE>(const int *, int *);

// Wrong: only thread 0 fences, and it knows only of its own store at that time.
//@ launch out<1><<<1, 128>>>(x, y)
//@found race-shared leave-out
template __global__ void out<ONE_BEFORE>(const int *, int *);

// Right: thread 0 knows of all stores when it fences.
//@ launch out<2><<<1, 128>>>(x, y)
//@none
template __global__ void out<ONE_AFTER>(const int *, int *);

// Wrong: a barrier is not enough.
//@ launch out<3><<<1, 128>>>(x, y)
//@found race-shared leave-out
template __global__ void out<NONE>(const int *, int *);

// Wrong: the fence is for global memory only.
//@ launch out<4><<<1, 128>>>(x, y)
//@found race-shared leave-out
template __global__ void out<GLOBAL_ONLY>(const int *, int *);

// Right: the fence is for both memories.
//@ launch out<5><<<1, 128>>>(x, y)
//@none
template __global__ void out<BOTH_MEMORIES>(const int *, int *);

// Right: a thread that knows of all stores fences, and thread 0 waits for it.
//@ launch out<6><<<1, 128>>>(x, y)
//@none
template __global__ void out<ANOTHER_THREAD>(const int *, int *);

// Wrong: __threadfence() is not a proxy fence.
//@ launch out<7><<<1, 128>>>(x, y)
//@found race-shared leave-out
template __global__ void out<THREADFENCE>(const int *, int *);

// Wrong: the fence comes before the store.
//@ launch out<8><<<1, 128>>>(x, y)
//@found race-shared leave-out
template __global__ void out<BEFORE_STORE>(const int *, int *);

// Right: the fence by its older name in C++.
//@ launch out<9><<<1, 128>>>(x, y)
//@none
template __global__ void out<EXPERIMENTAL>(const int *, int *);

// Right: the fence is for the shared memory of the whole cluster.
//@ launch out<10><<<1, 128>>>(x, y)
//@none
template __global__ void out<CLUSTER_FENCE>(const int *, int *);

// Two rounds with one buffer. FORGETS: the second round has no fence.
template <bool FORGETS> __global__ void rounds(const int *x, int *y)
{
    alignas(16) __shared__ int s[TILE];
    int t = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        s[t] = x[i * TILE + t]; // leave-round
        if (!FORGETS || i == 0)
            ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (t == 0)
            copy_out(y + i * TILE, s);
        __syncthreads();
    }
}

// Right: the threads fence in each round.
//@ array z int 256 zero
//@ launch rounds<false><<<1, 128>>>(x, z)
//@none
//@ compare z x[0..255]
template __global__ void rounds<false>(const int *, int *);

// Wrong: the second round has no fence.
//@ launch rounds<true><<<1, 128>>>(x, z)
//@found race-shared leave-round
template __global__ void rounds<true>(const int *, int *);

// Only a part of the buffer is written again, and only that part is fenced again.
// Right: all that was stored last was fenced.
//@ launch patch<<<1, 128>>>(x, y)
//@none
__global__ void patch(const int *x, int *y)
{
    alignas(16) __shared__ int s[TILE];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    s[TILE - 1 - t] = x[t];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 5)
        s[7] = 1;
    if (t == 5)
        ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0)
        copy_out(y, s);
}

// Each block adds its sums to the sums of the other blocks.
template <bool FENCED> __global__ void adds(const int *x, int *y)
{
    alignas(16) __shared__ int s[TILE];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    atomicAdd(&s[TILE - 1 - t], x[t]); // leave-adds
    if (FENCED)
        ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, y, s, BYTES);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

// Right: the threads fence after their atomic operations.
//@ fill y zero
//@ launch adds<true><<<4, 128>>>(x, y)
//@none
template __global__ void adds<true>(const int *, int *);

// Wrong: no thread fences.
//@ launch adds<false><<<4, 128>>>(x, y)
//@found race-shared leave-adds
template __global__ void adds<false>(const int *, int *);

// Each block stores to the shared memory of the other block of its cluster. That block copies it.
template <int WHO> __global__ void __cluster_dims__(2) across(const int *x, int *y)
{
    alignas(16) __shared__ int s[TILE];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    cluster.sync();
    *cluster.map_shared_rank(&s[t], cluster.block_rank() ^ 1) = x[t]; // leave-across
    if (WHO == ALL_BEFORE)
        ptx::fence_proxy_async();
    cluster.sync();
    if (t == 0) {
        if (WHO == ONE_AFTER)
            ptx::fence_proxy_async(ptx::space_shared);
        copy_out(y + cluster.block_rank() * TILE, s);
    }
}

// Right: each thread fences before the barrier of the cluster.
//@ launch across<0><<<2, 128>>>(x, z)
//@none
template __global__ void across<ALL_BEFORE>(const int *, int *);

// Right: the thread that copies fences after the barrier of the cluster.
//@ launch across<2><<<2, 128>>>(x, z)
//@none
template __global__ void across<ONE_AFTER>(const int *, int *);

// Wrong: no thread fences.
//@ launch across<3><<<2, 128>>>(x, z)
//@found race-shared leave-across
template __global__ void across<NONE>(const int *, int *);

// Three warps store and arrive at an mbarrier. One thread of the fourth warp waits, and copies.
template <int WHO> __global__ void roles(const int *x, int *y)
{
    alignas(16) __shared__ int s[TILE];
    __shared__ u64 full;
    int t = threadIdx.x;
    if (t == 0)
        ptx::mbarrier_init(&full, TILE);
    __syncthreads();
    if (t < TILE) {
        s[t] = x[t] * 2; // leave-roles
        if (WHO == ALL_BEFORE || (WHO == ONE_BEFORE && t == 0))
            ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive(&full);
    } else if (t == TILE) {
        if (WHO == OTHER_AFTER)
            ptx::fence_proxy_async(ptx::space_shared);
        while (!ptx::mbarrier_try_wait_parity(&full, 0))
            ;
        if (WHO == ONE_AFTER)
            ptx::fence_proxy_async(ptx::space_shared);
        copy_out(y, s);
    }
}

// Right: each thread fences before it arrives.
//@ launch roles<0><<<1, 160>>>(x, y)
//@none
template __global__ void roles<ALL_BEFORE>(const int *, int *);

// Right: the thread that copies fences after its wait.
//@ launch roles<2><<<1, 160>>>(x, y)
//@none
template __global__ void roles<ONE_AFTER>(const int *, int *);

// Wrong: only one of the threads fences before it arrives.
//@ launch roles<1><<<1, 160>>>(x, y)
//@found race-shared leave-roles
template __global__ void roles<ONE_BEFORE>(const int *, int *);

// Wrong: the thread that copies fences before its wait.
//@ launch roles<11><<<1, 160>>>(x, y)
//@found race-shared leave-roles
template __global__ void roles<OTHER_AFTER>(const int *, int *);

// The block stores to global memory, and copies that into shared memory.
template <int WHO> __global__ void back(int *x, int *y)
{
    alignas(16) __shared__ int s[TILE];
    __shared__ u64 bar;
    int t = threadIdx.x;
    if (t == 0)
        ptx::mbarrier_init(&bar, 1);
    x[t] = t; // leave-back
    if (WHO == ALL_BEFORE)
        ptx::fence_proxy_async(ptx::space_global);
    if (WHO == OTHER_AFTER)
        ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
        if (WHO == ONE_AFTER)
            ptx::fence_proxy_async();
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                       BYTES);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, x, BYTES, &bar);
    }
    while (!ptx::mbarrier_try_wait_parity(&bar, 0))
        ;
    y[t] = s[t];
}

// Right: each thread fences before the barrier.
//@ launch back<0><<<1, 128>>>(x, y)
//@none
template __global__ void back<ALL_BEFORE>(int *, int *);

// Right: the thread that copies fences after the barrier.
//@ launch back<2><<<1, 128>>>(x, y)
//@none
template __global__ void back<ONE_AFTER>(int *, int *);

// Wrong: no thread fences.
//@ launch back<3><<<1, 128>>>(x, y)
//@found race-global leave-back
template __global__ void back<NONE>(int *, int *);

// Wrong: the fence is for shared memory only.
//@ launch back<11><<<1, 128>>>(x, y)
//@found race-global leave-back
template __global__ void back<OTHER_AFTER>(int *, int *);

// Right: another launch has stored what is copied.
//@ launch line<<<1, 128>>>(x, 1, 1)
//@none
//@ launch later<<<1, 128>>>(x, y)
//@none
__global__ void later(const int *x, int *y)
{
    alignas(16) __shared__ int s[TILE];
    __shared__ u64 bar;
    int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                       BYTES);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, x, BYTES, &bar);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&bar, 0))
        ;
    y[t] = s[t];
}
