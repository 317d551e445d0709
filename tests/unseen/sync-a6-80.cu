// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
//@first set arch 80
// cp.async: groups, waits, barriers.
#include <cuda_pipeline_primitives.h>

// Wrong: the copies are committed, but nobody waits for them before the barrier.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_cpa_nowait<<<1, 64>>>(out, in)
//@found race-shared cpa-nowait
//@or uninitialized
__global__ void a_cpa_nowait(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __syncthreads();
    out[t] = s[63 - t]; // cpa-nowait
}

// Wrong: each thread waits for its own copy, then reads another's without a barrier.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_cpa_nosync<<<1, 64>>>(out, in)
//@found race-shared cpa-nosync
__global__ void a_cpa_nosync(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[t ^ 33]; // cpa-nosync
}

// Wrong: the last round also waits with one group left in flight, which is the group that it reads.
//@ array out int 64
//@ array in int 256 iota
//@ launch a_cpa_prior<<<1, 64>>>(out, in, 4)
//@found race-shared cpa-prior
//@or uninitialized
__global__ void a_cpa_prior(int* out, const int* in, int tiles) {
    __shared__ int s[4][64];
    int t = threadIdx.x, acc = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles) {
            __pipeline_memcpy_async(&s[(k + 1) & 3][t], &in[(k + 1) * 64 + t], 4);
            __pipeline_commit();
        }
        __pipeline_wait_prior(1);
        __syncthreads();
        acc += s[k & 3][63 - t]; // cpa-prior
    }
    out[t] = acc;
}

// Wrong: two buffers, but the barrier behind the reads is missing: the next round's copy overwrites what slower threads read.
//@ array out int 64
//@ array in int 384 iota
//@ launch a_cpa_refill<<<1, 64>>>(out, in, 6)
//@found race-shared cpa-refill
__global__ void a_cpa_refill(int* out, const int* in, int tiles) {
    __shared__ int s[2][64];
    int t = threadIdx.x, acc = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles) __pipeline_memcpy_async(&s[(k + 1) & 1][t], &in[(k + 1) * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        acc += s[k & 1][63 - t]; // cpa-refill
    }
    out[t] = acc;
}

// Wrong: wait_group 0 waits for committed groups only, and the copy was never committed.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_cpa_nocommit<<<1, 64>>>(out, in)
//@found race-shared cpa-nocommit
//@or uninitialized
__global__ void a_cpa_nocommit(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    unsigned d = (unsigned)__cvta_generic_to_shared(&s[t]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(d), "l"(in + t) : "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[t] = s[t ^ 40]; // cpa-nocommit
}

// Wrong: copies of 16 bytes from a source that is shifted by one int.
//@ array out int 64
//@ array in int 80 iota
//@ launch a_cpa_shift<<<1, 16>>>(out, in, 1)
//@found misaligned cpa-shift
__global__ void a_cpa_shift(int* out, const int* in, int shift) {
    __shared__ __align__(16) int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[4 * t], &in[4 * t + shift], 16); // cpa-shift
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = t; k < 64; k += 16) out[k] = s[63 - k];
}

// Wrong: the last thread's asynchronous copy reads past the end of the source.
//@ array out int 64
//@ array in int 63 iota
//@ launch a_cpa_beyond<<<1, 64>>>(out, in)
//@found out-of-bounds cpa-beyond
//@element in[63]
__global__ void a_cpa_beyond(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); // cpa-beyond
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[63 - t];
}

// Wrong: the source is overwritten by another thread while the copy may still be in flight (a barrier doesn't wait for it).
//@ array out int 64
//@ array in int 64 iota
//@ launch a_cpa_source<<<1, 64>>>(out, in)
//@found race-global cpa-source
//@missed
__global__ void a_cpa_source(int* out, int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __syncthreads();
    in[63 - t] = 500 + t; // cpa-source
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[t ^ 1];
}

// Wrong: the tile's border is set to zero by plain stores while the copies to the same cells are in flight.
//@ array out int 64
//@ array in int 64 value:6
//@ launch a_cpa_border<<<1, 64>>>(out, in, 60)
//@found race-shared cpa-border
__global__ void a_cpa_border(int* out, const int* in, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __syncthreads();
    if (t < 64 - n) s[n + t] = 0; // cpa-border
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[63 - t];
}

// Wrong: only thread 0 waits; a wait counts the waiting thread's own copies only.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_cpa_one_waits<<<1, 64>>>(out, in)
//@found race-shared cpa-one-waits
//@or uninitialized
__global__ void a_cpa_one_waits(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    if (t == 0) __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[t ^ 21]; // cpa-one-waits
}

// Right: copy, commit, wait, barrier, read another's.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_cpa_plain<<<1, 64>>>(out, in)
//@none
__global__ void a_cpa_plain(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[63 - t];
}

// Right: two buffers with an empty commit in the last round, so that wait_prior(1) always means this tile.
//@ array out int 64
//@ array in int 384 iota
//@ launch a_cpa_double<<<1, 64>>>(out, in, 6)
//@none
__global__ void a_cpa_double(int* out, const int* in, int tiles) {
    __shared__ int s[2][64];
    int t = threadIdx.x, acc = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles) __pipeline_memcpy_async(&s[(k + 1) & 1][t], &in[(k + 1) * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        acc += s[k & 1][63 - t];
        __syncthreads();
    }
    out[t] = acc;
}

// Right: the source size is shorter than the copy; the rest is filled with zeros and nothing past the end is read.
//@ array out int 64
//@ array in int 58 iota
//@ launch a_cpa_zfill<<<1, 16>>>(out, in, 58)
//@none
__global__ void a_cpa_zfill(int* out, const int* in, int n) {
    __shared__ __align__(16) int s[64];
    int t = threadIdx.x;
    int left = n - 4 * t;
    int bytes = left >= 4 ? 16 : left > 0 ? 4 * left : 0;
    const int* from = bytes > 0 ? in + 4 * t : in;
    unsigned d = (unsigned)__cvta_generic_to_shared(&s[4 * t]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(d), "l"(from), "r"(bytes) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    for (int k = t; k < 64; k += 16) out[k] = s[63 - k];
}

// Right: each thread reads only what it copied itself; its own wait is enough, no barrier.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_cpa_own<<<1, 64>>>(out, in)
//@none
__global__ void a_cpa_own(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[t] * 2;
}

// Right: the exchange stays in the warp, so wait and __syncwarp are enough.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_cpa_warp<<<1, 64>>>(out, in)
//@none
__global__ void a_cpa_warp(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    out[t] = s[t ^ 31];
}

// Right: 16 bytes a copy, read as other threads' ints.
//@ array out float 64
//@ array in float 64 iota
//@ launch a_cpa_vec<<<1, 16>>>(out, in)
//@none
__global__ void a_cpa_vec(float* out, const float* in) {
    __shared__ __align__(16) float s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[4 * t], &in[4 * t], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = t; k < 64; k += 16) out[k] = s[(k * 5) & 63];
}

// Right: a ring of three tiles, two in flight; one barrier a round, since the slot refilled was read a round before.
//@ array out int 32
//@ array in int 256 iota
//@ launch a_cpa_ring<<<1, 32>>>(out, in, 8)
//@none
__global__ void a_cpa_ring(int* out, const int* in, int tiles) {
    __shared__ int s[3][32];
    int t = threadIdx.x, acc = 0;
    for (int k = 0; k < 2; k++) {
        if (k < tiles) __pipeline_memcpy_async(&s[k][t], &in[k * 32 + t], 4);
        __pipeline_commit();
    }
    for (int k = 0; k < tiles; k++) {
        __pipeline_wait_prior(1);
        __syncthreads();
        int f = k + 2;
        if (f < tiles) __pipeline_memcpy_async(&s[f % 3][t], &in[f * 32 + t], 4);
        __pipeline_commit();
        acc += s[k % 3][31 - t] * (k + 1);
    }
    out[t] = acc;
}

// Right: the copies' arrival is tied to an mbarrier; whoever tests it true may read.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_cpa_mbarrier<<<1, 64>>>(out, in)
//@none
__global__ void a_cpa_mbarrier(int* out, const int* in) {
    __shared__ int s[64];
    __shared__ __align__(8) unsigned long long bar;
    int t = threadIdx.x;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
    unsigned d = (unsigned)__cvta_generic_to_shared(&s[t]);
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(b), "r"(64) : "memory");
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(d), "l"(in + t) : "memory");
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" :: "r"(b) : "memory");
    unsigned long long st;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(st) : "r"(b) : "memory");
    int done;
    do {
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(b), "l"(st) : "memory");
    } while (!done);
    out[t] = s[63 - t];
}

// Right: only a quarter of the threads copies; the others commit empty groups and write plainly beside.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_cpa_some<<<1, 64>>>(out, in)
//@none
__global__ void a_cpa_some(int* out, const int* in) {
    __shared__ __align__(16) int s[64];
    int t = threadIdx.x;
    if (t < 8) __pipeline_memcpy_async(&s[4 * t], &in[4 * t], 16);
    else if (t >= 32) s[t] = -t;
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[(t + 32) & 63];
}

// Right: the source is overwritten only behind the wait and the barrier.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_cpa_source_after<<<1, 64>>>(out, in)
//@none
__global__ void a_cpa_source_after(int* out, int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    in[63 - t] = 500 + t;
    out[t] = s[t ^ 1];
}
