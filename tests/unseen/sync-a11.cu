// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Scopes and orders said outright: cuda::atomic_ref and PTX.
#include <cuda/atomic>

// Wrong: a release store is met by a relaxed load without a fence: no acquire.
//@ array data int 2 zero
//@ array flag int 1 zero
//@ array out int 1
//@ launch a_no_acquire<<<2, 1>>>(data, flag, out, 1)
//@found race-global no-acquire
//@element data[1]
__global__ void a_no_acquire(int* data, int* flag, int* out, int slot) {
    if (blockIdx.x == 0) {
        data[slot] = 17;
        asm volatile("st.release.gpu.s32 [%0], %1;" :: "l"(flag), "r"(1) : "memory");
    } else {
        int f;
        do {
            asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(f) : "l"(flag) : "memory");
        } while (f == 0);
        out[0] = data[slot]; // no-acquire
    }
}

// Wrong: the flag of two blocks is an atomic_ref of block scope.
//@ array hits int 2 zero
//@ array in int 128 iota
//@ launch a_ref_block<<<2, 64>>>(hits, in, 1)
//@found race-global ref-block
//@element hits[1]
__global__ void a_ref_block(int* hits, const int* in, int slot) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_block> h(hits[slot]);
    if (in[i] % 3 == 0) h.fetch_add(in[i], cuda::memory_order_relaxed); // ref-block
}

// Wrong: store and load of the flag are relaxed; the datum isn't ordered by them.
//@ array data int 2 zero
//@ array flag int 1 zero
//@ array out int 1
//@ launch a_ref_relaxed<<<2, 1>>>(data, flag, out, 1)
//@found race-global ref-relaxed
//@element data[1]
__global__ void a_ref_relaxed(int* data, int* flag, int* out, int slot) {
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (blockIdx.x == 0) {
        data[slot] = 31;
        f.store(1, cuda::memory_order_relaxed);
    } else {
        while (f.load(cuda::memory_order_relaxed) == 0) {}
        out[0] = data[slot]; // ref-relaxed
    }
}

// Right: release store and acquire load as PTX, without any fence.
//@ array data int 2 zero
//@ array flag int 1 zero
//@ array out int 1
//@ launch a_rel_acq<<<2, 1>>>(data, flag, out, 1)
//@none
__global__ void a_rel_acq(int* data, int* flag, int* out, int slot) {
    if (blockIdx.x == 0) {
        data[slot] = 17;
        asm volatile("st.release.gpu.s32 [%0], %1;" :: "l"(flag), "r"(1) : "memory");
    } else {
        int f;
        do {
            asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(f) : "l"(flag) : "memory");
        } while (f == 0);
        out[0] = data[slot];
    }
}

// Right: release and acquire by atomic_ref of device scope.
//@ array data int 64 zero
//@ array flag int 1 zero
//@ array out int 64
//@ launch a_ref_relacq<<<2, 64>>>(data, flag, out)
//@none
__global__ void a_ref_relacq(int* data, int* flag, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t + 31;
        __syncthreads();
        if (t == 0) f.store(1, cuda::memory_order_release);
    } else {
        if (t == 0) while (f.load(cuda::memory_order_acquire) == 0) {}
        __syncthreads();
        out[t] = data[63 - t];
    }
}

// Right: relaxed atomics of device scope on one word; nothing else depends on their order.
//@ array hits int 1 zero
//@ array in int 128 iota
//@ launch a_ref_sum<<<2, 64>>>(hits, in)
//@none
__global__ void a_ref_sum(int* hits, const int* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> h(*hits);
    h.fetch_add(in[i], cuda::memory_order_relaxed);
}

// Right: one atom.acq_rel.gpu both publishes the block's part and takes the others' (last block without fences).
//@ array part int 4 zero
//@ array count u32 1 zero
//@ array out int 1
//@ launch a_acqrel_count<<<4, 1>>>(part, count, out)
//@none
__global__ void a_acqrel_count(int* part, unsigned* count, int* out) {
    part[blockIdx.x] = blockIdx.x * 5 + 2;
    unsigned n;
    asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;" : "=r"(n) : "l"(count) : "memory");
    if (n == gridDim.x - 1) {
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++) sum += part[i];
        out[0] = sum;
    }
}
