// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics with scopes and orders, flags between blocks, last-block reductions, semaphores, latches.
//@first set step-limit 4M
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#pragma nv_diag_suppress static_var_with_dynamic_init
using device_ref = cuda::atomic_ref<int, cuda::thread_scope_device>;
using block_latch = cuda::latch<cuda::thread_scope_block>;
using block_ref = cuda::atomic_ref<int, cuda::thread_scope_block>;

// Block 0 writes data and sets a flag, block 1 waits for the flag and reads the data.
// Right: __syncthreads gathers the stores of block 0 before the release of thread 0.
// The acquire of block 1's thread 0 and its __syncthreads pass them on.
//@ array d1 i32 64
//@ array f1 i32 1 zero
//@ array o1 i32 64
//@ launch flag_pair<<<2, 64>>>(d1, f1, o1)
//@none
extern "C" __global__ void flag_pair(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    device_ref ready(*flag);
    if (blockIdx.x == 0) {
        data[t] = t * t + 1;
        __syncthreads();
        if (t == 0)
            ready.store(1, cuda::std::memory_order_release);
    } else {
        if (t == 0) {
            while (ready.load(cuda::std::memory_order_acquire) == 0) {
            }
        }
        __syncthreads();
        out[t] = data[63 - t];
    }
}

// The same with relaxed order on both sides.
// Wrong: the flag is atomic, but it orders nothing about the data.
//@ array d2 i32 64
//@ array f2 i32 1 zero
//@ array o2 i32 64
//@ launch flag_relaxed<<<2, 64>>>(d2, f2, o2)
//@found race-global flag-relaxed
extern "C" __global__ void flag_relaxed(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    device_ref ready(*flag);
    if (blockIdx.x == 0) {
        data[t] = t * t + 1; // flag-relaxed
        __syncthreads();
        if (t == 0)
            ready.store(1, cuda::std::memory_order_relaxed);
    } else {
        if (t == 0) {
            while (ready.load(cuda::std::memory_order_relaxed) == 0) {
            }
        }
        __syncthreads();
        out[t] = data[63 - t]; // flag-relaxed
    }
}

// The same as flag_pair without the __syncthreads of block 0.
// Wrong: thread 0 releases the flag when other warps may not have stored yet.
//@ array d3 i32 64
//@ array f3 i32 1 zero
//@ array o3 i32 64
//@ launch flag_nosync<<<2, 64>>>(d3, f3, o3)
//@found race-global flag-nosync
extern "C" __global__ void flag_nosync(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    device_ref ready(*flag);
    if (blockIdx.x == 0) {
        data[t] = t * t + 1; // flag-nosync
        if (t == 0)
            ready.store(1, cuda::std::memory_order_release);
    } else {
        if (t == 0) {
            while (ready.load(cuda::std::memory_order_acquire) == 0) {
            }
        }
        __syncthreads();
        out[t] = data[63 - t]; // flag-nosync
    }
}

// The same as flag_pair with atomics of block scope.
// Wrong: block scope orders nothing between two blocks.
// The flag itself is a race too, since its atomics do not include each other's scope.
//@ array d4 i32 64
//@ array f4 i32 1 zero
//@ array o4 i32 64
//@ launch flag_block_scope<<<2, 64>>>(d4, f4, o4)
//@found race-global flag-block-scope
extern "C" __global__ void flag_block_scope(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    block_ref ready(*flag);
    if (blockIdx.x == 0) {
        data[t] = t * t + 1; // flag-block-scope
        __syncthreads();
        if (t == 0)
            ready.store(1, cuda::std::memory_order_release); // flag-block-scope
    } else {
        if (t == 0) {
            while (ready.load(cuda::std::memory_order_acquire) == 0) { // flag-block-scope
            }
        }
        __syncthreads();
        out[t] = data[63 - t]; // flag-block-scope
    }
}

// The flag pair once more by inline PTX: st.release.gpu and ld.acquire.gpu by every thread.
// Each thread has a flag of its own and passes one element.
// Right: the release of a thread covers its own store, and the acquire the read after it.
//@ array d5 i32 32
//@ array f5 i32 32 zero
//@ array o5 i32 32
//@ launch flag_ptx<<<2, 32>>>(d5, f5, o5)
//@none
extern "C" __global__ void flag_ptx(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 5 * t + 2;
        asm volatile("st.release.gpu.global.s32 [%0], %1;"
                     :: "l"(__cvta_generic_to_global(flag + t)), "r"(1) : "memory");
    } else {
        int seen;
        do {
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];"
                         : "=r"(seen) : "l"(__cvta_generic_to_global(flag + t)) : "memory");
        } while (seen == 0);
        out[t] = data[t] * 2;
    }
}

// Relaxed flag with fences: __threadfence before the store and after the loads.
// Right: fence and relaxed atomic together make release and acquire.
//@ array d6 i32 64
//@ array f6 i32 1 zero
//@ array o6 i32 64
//@ launch flag_fence<<<2, 64>>>(d6, f6, o6)
//@none
extern "C" __global__ void flag_fence(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 1000 - t;
        __syncthreads();
        if (t == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        if (t == 0) {
            while (atomicAdd(flag, 0) == 0) {
            }
            __threadfence();
        }
        __syncthreads();
        out[t] = data[t ^ 21];
    }
}

// A chain of eight blocks: each waits for the sum of those before it and passes on its own.
// Right: the running sum travels with a release and an acquire on the state of each block.
//@ array a7 i32 256 iota
//@ array s7 i32 8
//@ array f7 i32 8 zero
//@ array o7 i32 256
//@ launch chain_scan<<<8, 32>>>(a7, s7, f7, o7)
//@none
extern "C" __global__ void chain_scan(const int *a, int *sums, int *flags, int *out)
{
    int t = threadIdx.x, b = blockIdx.x;
    int v = a[b * 32 + t] % 13;
    for (int d = 1; d < 32; d *= 2) {
        int u = __shfl_up_sync(0xffffffffu, v, d);
        if (t >= d)
            v += u;
    }
    int before = 0;
    if (t == 31) {
        if (b > 0) {
            while (device_ref(flags[b - 1]).load(cuda::std::memory_order_acquire) == 0) {
            }
            before = sums[b - 1];
        }
        sums[b] = before + v;
        device_ref(flags[b]).store(1, cuda::std::memory_order_release);
    }
    before = __shfl_sync(0xffffffffu, before, 31);
    out[b * 32 + t] = before + v;
}

// The same with the flag set before the sum is stored.
// Wrong: the next block may read the sum before it is there.
// The read may also be called uninitialized, but the race is the cause.
//@ array a8 i32 256 iota
//@ array s8 i32 8
//@ array f8 i32 8 zero
//@ array o8 i32 256
//@ launch chain_early<<<8, 32>>>(a8, s8, f8, o8)
//@found race-global chain-early
extern "C" __global__ void chain_early(const int *a, int *sums, int *flags, int *out)
{
    int t = threadIdx.x, b = blockIdx.x;
    int v = a[b * 32 + t] % 13;
    for (int d = 1; d < 32; d *= 2) {
        int u = __shfl_up_sync(0xffffffffu, v, d);
        if (t >= d)
            v += u;
    }
    int before = 0;
    if (t == 31) {
        if (b > 0) {
            while (device_ref(flags[b - 1]).load(cuda::std::memory_order_acquire) == 0) {
            }
            before = sums[b - 1]; // chain-early
        }
        device_ref(flags[b]).store(1, cuda::std::memory_order_release);
        sums[b] = before + v; // chain-early
    }
    before = __shfl_sync(0xffffffffu, before, 31);
    out[b * 32 + t] = before + v;
}

// Each block stores a partial sum, and the block that comes last adds them up in order.
// Right: the fetch_add of the counter is acquire and release at device scope.
//@ array a9 i32 256 iota
//@ array p9 i32 4
//@ array n9 i32 1 zero
//@ array o9 i32 1
//@ launch last_block<<<4, 64>>>(a9, p9, n9, o9)
//@none
extern "C" __global__ void last_block(const int *a, int *part, int *count, int *out)
{
    __shared__ int sum;
    int t = threadIdx.x;
    if (t == 0)
        sum = 0;
    __syncthreads();
    atomicAdd_block(&sum, a[blockIdx.x * 64 + t] * (t % 3));
    __syncthreads();
    if (t == 0) {
        part[blockIdx.x] = sum;
        int before = device_ref(*count).fetch_add(1, cuda::std::memory_order_acq_rel);
        if (before == static_cast<int>(gridDim.x) - 1) {
            int total = 0;
            for (int i = 0; i < static_cast<int>(gridDim.x); ++i)
                total = total * 2 + part[i];
            out[0] = total;
        }
    }
}

// The same with a plain atomicAdd, which is relaxed, and no fence.
// Wrong: nothing orders the partial sums of other blocks before the last block's reads.
//@ array a10 i32 256 iota
//@ array p10 i32 4
//@ array n10 i32 1 zero
//@ array o10 i32 1
//@ launch last_block_relaxed<<<4, 64>>>(a10, p10, n10, o10)
//@found race-global last-block-relaxed
extern "C" __global__ void last_block_relaxed(const int *a, int *part, int *count, int *out)
{
    __shared__ int sum;
    int t = threadIdx.x;
    if (t == 0)
        sum = 0;
    __syncthreads();
    atomicAdd_block(&sum, a[blockIdx.x * 64 + t] * (t % 3));
    __syncthreads();
    if (t == 0) {
        part[blockIdx.x] = sum; // last-block-relaxed
        int before = atomicAdd(count, 1);
        if (before == static_cast<int>(gridDim.x) - 1) {
            int total = 0;
            for (int i = 0; i < static_cast<int>(gridDim.x); ++i)
                total = total * 2 + part[i]; // last-block-relaxed
            out[0] = total;
        }
    }
}

// The classic form: every thread stores, fences, and thread 0 counts; the last block reads all.
// Right: the fences of all threads and two barriers carry the stores to every thread of the last.
//@ array a11 i32 128 iota
//@ array p11 i32 128
//@ array n11 u32 1 zero
//@ array o11 i32 32
//@ launch last_block_all<<<4, 32>>>(a11, p11, n11, o11)
//@none
extern "C" __global__ void last_block_all(const int *a, int *part, unsigned *count, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 32 + t] = a[blockIdx.x * 32 + t] * 3 + static_cast<int>(blockIdx.x);
    __threadfence();
    __syncthreads();
    if (t == 0) {
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last) {
        int sum = 0;
        for (int b = 0; b < 4; ++b)
            sum = sum * 2 + part[b * 32 + (31 - t)];
        out[t] = sum;
    }
}

// The same with two warps in a block and without the first __syncthreads.
// Wrong: thread 0 counts its block as done while the other warp may not have stored yet.
//@ array a12 i32 256 iota
//@ array p12 i32 256
//@ array n12 u32 1 zero
//@ array o12 i32 64
//@ launch last_block_nosync<<<4, 64>>>(a12, p12, n12, o12)
//@found race-global last-block-nosync
extern "C" __global__ void last_block_nosync(const int *a, int *part, unsigned *count, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = a[blockIdx.x * 64 + t] * 3; // last-block-nosync
    __threadfence();
    if (t == 0) {
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last) {
        int sum = 0;
        for (int b = 0; b < 4; ++b)
            sum = sum * 2 + part[b * 64 + (63 - t)]; // last-block-nosync
        out[t] = sum;
    }
}

// A spin lock guards two plain numbers, one thread from each of eight blocks.
// Right: taking the lock acquires and giving it back releases.
//@ array l13 i32 1 zero
//@ array o13 i32 2 zero
//@ launch spin_lock<<<8, 32>>>(l13, o13)
//@none
extern "C" __global__ void spin_lock(int *lock, int *out)
{
    if (threadIdx.x == 0) {
        device_ref l(*lock);
        int expected = 0;
        while (!l.compare_exchange_weak(expected, 1, cuda::std::memory_order_acquire,
                                        cuda::std::memory_order_relaxed))
            expected = 0;
        out[0] += static_cast<int>(blockIdx.x) + 1;
        out[1] += 1;
        l.store(0, cuda::std::memory_order_release);
    }
}

// The same with a relaxed store that gives the lock back.
// Wrong: the next owner need not see the numbers of the last one.
//@ array l14 i32 1 zero
//@ array o14 i32 1 zero
//@ launch spin_lock_relaxed<<<8, 32>>>(l14, o14)
//@found race-global spin-lock-relaxed
extern "C" __global__ void spin_lock_relaxed(int *lock, int *out)
{
    if (threadIdx.x == 0) {
        device_ref l(*lock);
        int expected = 0;
        while (!l.compare_exchange_weak(expected, 1, cuda::std::memory_order_acquire,
                                        cuda::std::memory_order_relaxed))
            expected = 0;
        out[0] += static_cast<int>(blockIdx.x) + 1; // spin-lock-relaxed
        l.store(0, cuda::std::memory_order_relaxed);
    }
}

// One thread of each warp takes a binary semaphore in shared memory and adds to a plain sum.
// Right: acquire and release of the semaphore order the owners.
//@ array o15 i32 1
//@ launch sem_guard<<<1, 128>>>(o15)
//@none
extern "C" __global__ void sem_guard(int *out)
{
    __shared__ cuda::binary_semaphore<cuda::thread_scope_block> sem;
    __shared__ int sum;
    int t = threadIdx.x;
    if (t == 0) {
        new (&sem) cuda::binary_semaphore<cuda::thread_scope_block>(1);
        sum = 0;
    }
    __syncthreads();
    if (t % 32 == 0) {
        sem.acquire();
        sum += t + 1;
        sem.release();
    }
    __syncthreads();
    if (t == 0)
        out[0] = sum;
}

// A counting semaphore hands items from warp 0 to warp 1, one release for each item.
// Right: the item is stored before the release that the taker acquires.
//@ array o16 i32 8
//@ launch sem_items<<<1, 64>>>(o16)
//@none
extern "C" __global__ void sem_items(int *out)
{
    using sem_type = cuda::counting_semaphore<cuda::thread_scope_block, 8>;
    __shared__ sem_type items;
    __shared__ int item[8];
    int t = threadIdx.x;
    if (t == 0)
        new (&items) sem_type(0);
    __syncthreads();
    if (t == 0) {
        for (int i = 0; i < 8; ++i) {
            item[i] = i * i + 3;
            items.release();
        }
    } else if (t == 32) {
        for (int i = 0; i < 8; ++i) {
            items.acquire();
            out[i] = item[i] * 2;
        }
    }
}

// The same with the release before the item is stored.
// Wrong: the taker may read the item before it is there.
// The read may also be called uninitialized, but the race is the cause.
//@ array o17 i32 8
//@ launch sem_items_early<<<1, 64>>>(o17)
//@found race-shared sem-items-early
extern "C" __global__ void sem_items_early(int *out)
{
    using sem_type = cuda::counting_semaphore<cuda::thread_scope_block, 8>;
    __shared__ sem_type items;
    __shared__ int item[8];
    int t = threadIdx.x;
    if (t == 0)
        new (&items) sem_type(0);
    __syncthreads();
    if (t == 0) {
        for (int i = 0; i < 8; ++i) {
            items.release();
            item[i] = i * i + 3; // sem-items-early
        }
    } else if (t == 32) {
        for (int i = 0; i < 8; ++i) {
            items.acquire();
            out[i] = item[i] * 2; // sem-items-early
        }
    }
}

// A binary semaphore that starts at zero and is acquired first by everyone.
// Wrong: nobody releases before acquiring, so both takers wait for ever.
// The other threads wait at the barrier behind them.
//@ array o18 i32 1
//@ launch sem_zero<<<1, 64>>>(o18)
//@found deadlock sem-zero
//@or timeout
extern "C" __global__ void sem_zero(int *out)
{
    __shared__ cuda::binary_semaphore<cuda::thread_scope_block> sem;
    __shared__ int sum;
    int t = threadIdx.x;
    if (t == 0) {
        new (&sem) cuda::binary_semaphore<cuda::thread_scope_block>(0);
        sum = 0;
    }
    __syncthreads();
    if (t % 32 == 0) {
        sem.acquire(); // sem-zero
        sum += t + 1;
        sem.release();
    }
    __syncthreads(); // sem-zero
    if (t == 0)
        out[0] = sum;
}

// Four warps store a value each and count a latch down; the first warp waits and adds them up.
// Right: every count_down comes after its store, and the wait after all four.
//@ array a19 i32 128 iota
//@ array o19 i32 32
//@ launch latch_wait<<<1, 128>>>(a19, o19)
//@none
extern "C" __global__ void latch_wait(const int *a, int *out)
{
    __shared__ alignas(block_latch) unsigned char room[sizeof(block_latch)];
    block_latch &done = *reinterpret_cast<block_latch *>(room);
    __shared__ int value[4][32];
    int t = threadIdx.x;
    if (t == 0)
        new (room) block_latch(128);
    __syncthreads();
    value[t / 32][t % 32] = a[t] * 2 + 1;
    done.count_down();
    if (t < 32) {
        done.wait();
        out[t] = value[0][t] + 3 * value[1][31 - t] + 5 * value[2][t] + 7 * value[3][t ^ 1];
    }
}

// The same without the wait.
// Wrong: the first warp reads the others' values before they need be there.
// The reads may also be called uninitialized, but the race is the cause.
//@ array a20 i32 128 iota
//@ array o20 i32 32
//@ launch latch_nowait<<<1, 128>>>(a20, o20)
//@found race-shared latch-nowait
extern "C" __global__ void latch_nowait(const int *a, int *out)
{
    __shared__ alignas(block_latch) unsigned char room[sizeof(block_latch)];
    block_latch &done = *reinterpret_cast<block_latch *>(room);
    __shared__ int value[4][32];
    int t = threadIdx.x;
    if (t == 0)
        new (room) block_latch(128);
    __syncthreads();
    value[t / 32][t % 32] = a[t] * 2 + 1; // latch-nowait
    done.count_down();
    if (t < 32)
        out[t] = value[1][31 - t] + value[2][t]; // latch-nowait
}

// A latch for 128 threads that only the first three warps count down.
// Wrong: 32 counts are missing, and the first warp waits for ever.
//@ array a21 i32 128 iota
//@ array o21 i32 32
//@ launch latch_short<<<1, 128>>>(a21, o21)
//@found deadlock latch-short
//@or timeout
extern "C" __global__ void latch_short(const int *a, int *out)
{
    __shared__ alignas(block_latch) unsigned char room[sizeof(block_latch)];
    block_latch &done = *reinterpret_cast<block_latch *>(room);
    __shared__ int value[4][32];
    int t = threadIdx.x;
    if (t == 0)
        new (room) block_latch(128);
    __syncthreads();
    value[t / 32][t % 32] = a[t] * 2 + 1;
    if (t < 96)
        done.count_down();
    if (t < 32) {
        done.wait(); // latch-short
        out[t] = value[1][31 - t] + value[2][t];
    }
}

// Two blocks that each wait for the other's flag before they set their own.
// Wrong: neither flag is ever set.
//@ array f22 i32 2 zero
//@ launch flag_cycle<<<2, 32>>>(f22)
//@found deadlock flag-cycle
//@or timeout
extern "C" __global__ void flag_cycle(int *flag)
{
    int b = blockIdx.x;
    if (threadIdx.x == 0) {
        while (device_ref(flag[b ^ 1]).load(cuda::std::memory_order_acquire) == 0) { // flag-cycle
        }
        device_ref(flag[b]).store(1, cuda::std::memory_order_release);
    }
}

// Counts by atomicAdd in one block and by a plain addition in the other.
// Wrong: the plain addition is not atomic, and nothing orders the blocks.
//@ array o23 i32 1 zero
//@ launch mixed_add<<<2, 32>>>(o23)
//@found race-global mixed-add
extern "C" __global__ void mixed_add(int *out)
{
    if (blockIdx.x == 0)
        atomicAdd(out, 1); // mixed-add
    else if (threadIdx.x == 0)
        out[0] += 1; // mixed-add
}

// Greatest and smallest, bits and sums by atomic_ref with relaxed order.
// Right: every access is atomic, and none of the results depends on the order.
//@ array a24 i32 256 iota
//@ array o24 i32 5 zero
//@ launch relaxed_ops<<<4, 64>>>(a24, o24)
//@none
extern "C" __global__ void relaxed_ops(const int *a, int *out)
{
    int i = blockIdx.x * 64 + threadIdx.x, v = a[i] * 91 % 257;
    device_ref(out[0]).fetch_max(v, cuda::std::memory_order_relaxed);
    device_ref(out[1]).fetch_min(-v, cuda::std::memory_order_relaxed);
    device_ref(out[2]).fetch_add(v, cuda::std::memory_order_relaxed);
    device_ref(out[3]).fetch_or(v & 170, cuda::std::memory_order_relaxed);
    device_ref(out[4]).fetch_xor(v, cuda::std::memory_order_relaxed);
}

// Flag within a block by block scope: warp 0 stores, warp 1 waits.
// Right: both warps are of one block, so block scope is wide enough.
//@ array d25 i32 32
//@ array o25 i32 32
//@ launch flag_in_block<<<1, 64>>>(d25, o25)
//@none
extern "C" __global__ void flag_in_block(int *data, int *out)
{
    __shared__ int flag;
    int t = threadIdx.x;
    if (t == 0)
        flag = 0;
    __syncthreads();
    if (t < 32) {
        data[t] = 3 * t + 4;
        __syncwarp();
        if (t == 0)
            block_ref(flag).store(1, cuda::std::memory_order_release);
    } else {
        while (block_ref(flag).load(cuda::std::memory_order_acquire) == 0) {
        }
        out[t - 32] = data[63 - t];
    }
}
