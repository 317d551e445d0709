/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda::atomic and cuda::atomic_ref: operations, scopes and orders; updates by groups */
//! array r i32 4096 zero
//! array f f64 256 zero
//! launch counts<<<4,64>>>(r, f)
//! launch alone<<<1,1>>>(r+200, f+32)
//! launch handed<<<2,32>>>(r+600)
//! launch updates<<<1,64>>>(r+700)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/std/atomic>
namespace cg = cooperative_groups;

__global__ void counts(int *r, double *f)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(r[0]);
    cuda::atomic_ref<int> all(r[1]);
    cuda::atomic_ref<int, cuda::thread_scope_device> least(r[2]), most(r[3]), bits(r[4]);
    cuda::atomic_ref<double, cuda::thread_scope_device> total(f[0]);
    cuda::atomic_ref<int, cuda::thread_scope_block> mine(r[8 + blockIdx.x]);
    const int me = threadIdx.x + blockIdx.x * blockDim.x;
    sum.fetch_add(me, cuda::memory_order_relaxed);
    all += 2;
    all--;
    least.fetch_min(-me, cuda::std::memory_order_relaxed);
    most.fetch_max(me, cuda::memory_order_acq_rel);
    bits.fetch_or(1 << me % 32, cuda::memory_order_release);
    total.fetch_add(me * 0.5);
    mine.fetch_sub(3, cuda::memory_order_acquire);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}

template <class T> __device__ void kinds(int *&r, double *&f, T v)
{
    cuda::atomic<T, cuda::thread_scope_device> a(v);
    cuda::std::atomic<T> b(v + 1);
    T w = 5;
    *f++ = a.load() + a.exchange(v * 3) + b.fetch_add(2) + b.load(cuda::memory_order_acquire);
    *r++ = a.compare_exchange_strong(w, 7);
    *f++ = w;
    *r++ = a.compare_exchange_weak(w, 9, cuda::memory_order_acq_rel, cuda::memory_order_acquire);
    *f++ = a;
    a = 4;
    a.store(a + 1, cuda::memory_order_release);
    *f++ = (a += 2) + (b -= 1) + a.fetch_sub(1) + a.is_lock_free();
    *f++ = a.fetch_max(100) + b.fetch_sub(1) + a + b;
}

__global__ void alone(int *r, double *f)
{
    kinds<int>(r, f, -3);
    kinds<unsigned>(r, f, 4000000000u);
    kinds<long long>(r, f, -(1LL << 40));
    kinds<unsigned long long>(r, f, 1ULL << 50);
    cuda::atomic<unsigned, cuda::thread_scope_block> bits(0xf0f0);
    *r++ = bits.fetch_and(0xff00) + (bits |= 3) + (bits ^= 0xffff) + ++bits + bits-- + sizeof bits;
    cuda::atomic<float> x(1.5f);
    *f++ = x.fetch_add(2.0f) + x.exchange(8.0f) + x;
}

__global__ void handed(int *r)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(r[1]);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        r[0] = 42;
        flag.store(1, cuda::memory_order_release);
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (flag.load(cuda::memory_order_acquire) == 0)
            ;
        r[2] = r[0];
    }
}

__global__ void updates(int *r)
{
    cuda::atomic_ref<int, cuda::thread_scope_block> sum(r[0]), most(r[1]), stream(r[2]);
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    cg::reduce_update_async(warp, sum, (int)threadIdx.x, cg::plus<int>());
    cg::reduce_update_async(warp, most, (int)threadIdx.x, cg::greater<int>());
    if (threadIdx.x < 32) {
        r[10 + threadIdx.x] = cg::inclusive_scan_update(warp, stream, (int)threadIdx.x);
        r[50 + threadIdx.x] = cg::exclusive_scan_update(warp, stream, (int)threadIdx.x + 1);
    }
}
