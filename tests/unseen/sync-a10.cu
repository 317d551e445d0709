// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Algorithms: matrix tiles, sorts, compaction, search, queues.
#include <cassert>

// Wrong: tiled matrix product without the barrier behind the inner loop.
//@ array c int 1024
//@ array a int 1024 random:0:9
//@ array b int 1024 random:0:9
//@ launch a_matmul_bar<<<dim3(2,2), dim3(16,16)>>>(c, a, b, 32)
//@found race-shared matmul-bar
__global__ void a_matmul_bar(int* c, const int* a, const int* b, int n) {
    __shared__ int sa[16][16], sb[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y, sum = 0;
    for (int k = 0; k < n; k += 16) {
        sa[y][x] = a[row * n + k + x];
        sb[y][x] = b[(k + y) * n + col];
        __syncthreads();
        for (int i = 0; i < 16; i++) sum += sa[y][i] * sb[i][x]; // matmul-bar
    }
    c[row * n + col] = sum;
}

// Wrong: a bitonic sort with the barrier behind the inner loop instead of in it.
//@ array x int 64 list:9,3,7,1,8,2,6,4,60,33,21,50,11,90,75,44
//@ launch a_bitonic_bar<<<1, 64>>>(x)
//@found race-shared bitonic-bar
__global__ void a_bitonic_bar(int* x) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 2; k <= 64; k <<= 1) {
        for (int j = k >> 1; j > 0; j >>= 1) {
            int o = t ^ j;
            if (o > t && (s[t] > s[o]) == ((t & k) == 0)) { int h = s[t]; s[t] = s[o]; s[o] = h; } // bitonic-bar
        }
        __syncthreads();
    }
    x[t] = s[t];
}

// Wrong: the place in the compacted array is the inclusive sum, so the last one kept is written past the end.
//@ array out int 32
//@ array in int 64 iota
//@ launch a_compact_incl<<<1, 64>>>(out, in)
//@found out-of-bounds compact-incl
//@element out[32]
__global__ void a_compact_incl(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    int keep = in[t] % 2;
    s[t] = keep;
    __syncthreads();
    for (int o = 1; o < 64; o <<= 1) {
        int v = t >= o ? s[t - o] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (keep) out[s[t]] = in[t]; // compact-incl
}

// Wrong: a binary search that keeps lo = mid never ends once two cells are left.
//@ array out int 1
//@ array in int 64 iota
//@ launch a_search_hang<<<1, 1>>>(out, in, 64, 20)
//@found timeout search-hang
//@or deadlock
__global__ void a_search_hang(int* out, const volatile int* in, int n, int key) {
    int lo = 0, hi = n - 1;
    while (lo < hi) { int mid = (lo + hi) / 2; if (in[mid] <= key) lo = mid; else hi = mid; } // search-hang
    out[0] = lo;
}

// Wrong: the input breaks what the kernel asserts.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_assert_fails<<<1, 64>>>(out, in, 50)
//@found assert assert-fails
__global__ void a_assert_fails(int* out, const int* in, int limit) {
    int v = in[threadIdx.x];
    assert(v < limit); // assert-fails
    out[threadIdx.x] = v * 2;
}

// Wrong: a self-check traps: the keys are not sorted at one place.
//@ array in int 8 list:1,4,6,9,8,12,13,20
//@ array out int 8
//@ launch a_trap_unsorted<<<1, 7>>>(out, in)
//@found trap trap-unsorted
__global__ void a_trap_unsorted(int* out, const int* in) {
    int t = threadIdx.x;
    if (in[t] > in[t + 1]) __trap(); // trap-unsorted
    out[t] = in[t + 1] - in[t];
}

// Wrong: a work queue with place for 16 gets 17 entries.
//@ array queue int 16
//@ array tail int 1 zero
//@ array in int 51 iota
//@ launch a_queue_full<<<1, 51>>>(queue, tail, in)
//@found out-of-bounds queue-full
//@element queue[16]
__global__ void a_queue_full(int* queue, int* tail, const int* in) {
    int v = in[threadIdx.x];
    if (v % 3 == 0) {
        int p = atomicAdd(tail, 1);
        queue[p] = v; // queue-full
    }
}

// Wrong: a maximum is compared with a cell that was never set to a start value.
//@ array best float 4
//@ array in float 64 iota
//@ launch a_tmax<float><<<1, 1>>>(best, in, 64, 2)
//@found uninitialized tmax
//@element best[2]
template <typename T> __global__ void a_tmax(T* best, const T* in, int n, int slot) {
    for (int i = 0; i < n; i++)
        if (in[i] > best[slot]) best[slot] = in[i]; // tmax
}
template __global__ void a_tmax<float>(float*, const float*, int, int);

// Wrong: the operation that is chosen by a function pointer adds without an atomic.
//@ array total int 2 zero
//@ array in int 64 iota
//@ launch a_op_plain<<<2, 1>>>(total, in, 1)
//@found race-global op-plain
//@element total[1]
typedef void (*a_op)(int*, int);
__device__ __noinline__ void a_op_atomic(int* p, int v) { atomicAdd(p, v); }
__device__ __noinline__ void a_op_add(int* p, int v) { *p += v; } // op-plain
__device__ a_op a_ops[2] = {a_op_atomic, a_op_add};
__global__ void a_op_plain(int* total, const int* in, int which) {
    a_ops[which](&total[1], in[blockIdx.x + 3]);
}

// Wrong: a transpose of 8 by 16 takes the width for the row length of the result's index in the source.
//@ array out int 128
//@ array in int 128 iota
//@ launch a_transpose_index<<<1, dim3(16,8)>>>(out, in, 16, 8)
//@found out-of-bounds transpose-index
__global__ void a_transpose_index(int* out, const int* in, int w, int h) {
    int x = threadIdx.x, y = threadIdx.y;
    out[y * w + x] = in[x * w + y]; // transpose-index
}

// Right: tiled matrix product with both barriers.
//@ array c int 1024
//@ array a int 1024 random:0:9
//@ array b int 1024 random:0:9
//@ launch a_matmul<<<dim3(2,2), dim3(16,16)>>>(c, a, b, 32)
//@none
__global__ void a_matmul(int* c, const int* a, const int* b, int n) {
    __shared__ int sa[16][16], sb[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y, sum = 0;
    for (int k = 0; k < n; k += 16) {
        sa[y][x] = a[row * n + k + x];
        sb[y][x] = b[(k + y) * n + col];
        __syncthreads();
        for (int i = 0; i < 16; i++) sum += sa[y][i] * sb[i][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

// Right: bitonic sort; steps that stay in a warp use __syncwarp, the others __syncthreads.
//@ array x int 128 random:0:1000
//@ launch a_bitonic<<<1, 128>>>(x)
//@none
__global__ void a_bitonic(int* x) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 2; k <= 128; k <<= 1) {
        for (int j = k >> 1; j > 0; j >>= 1) {
            int o = t ^ j;
            if (o > t && (s[t] > s[o]) == ((t & k) == 0)) { int h = s[t]; s[t] = s[o]; s[o] = h; }
            if (j > 32 || j == 1) __syncthreads();
            else if (j == 32) __syncthreads();
            else __syncwarp();
        }
    }
    x[t] = s[t];
}

// Right: compaction by ballots and one atomic a warp.
//@ array out int 32 zero
//@ array cnt int 1 zero
//@ array in int 64 iota
//@ launch a_compact_warp<<<1, 64>>>(out, cnt, in)
//@none
__global__ void a_compact_warp(int* out, int* cnt, const int* in) {
    int t = threadIdx.x, lane = t & 31, v = in[t];
    bool keep = v & 1;
    unsigned m = __ballot_sync(0xffffffffu, keep);
    int base = 0;
    if (lane == 0) base = atomicAdd(cnt, __popc(m));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (keep) out[base + __popc(m & ((1u << lane) - 1))] = v;
}

// Right: the lanes of a warp search for different keys and leave the loop at different times.
//@ array out int 32
//@ array in int 100 iota
//@ launch a_search<<<1, 32>>>(out, in, 100)
//@none
__global__ void a_search(int* out, const int* in, int n) {
    int key = (threadIdx.x * 37) % 130, lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (in[mid] < key) lo = mid + 1; else hi = mid;
    }
    out[threadIdx.x] = lo;
}

// Right: odd-even transposition sort; one thread a pair, a barrier a phase.
//@ array x int 65 random:0:100
//@ launch a_odd_even<<<1, 32>>>(x, 65)
//@none
__global__ void a_odd_even(int* x, int n) {
    for (int p = 0; p < n; p++) {
        int i = 2 * threadIdx.x + (p & 1);
        if (i + 1 < n && x[i] > x[i + 1]) { int h = x[i]; x[i] = x[i + 1]; x[i + 1] = h; }
        __syncthreads();
    }
}

// Right: a radix sort by splits, in place in shared memory; places are computed before anything is moved.
//@ array x u32 64 random:0:255
//@ launch a_radix<<<1, 64>>>(x, 8)
//@none
__global__ void a_radix(unsigned* x, int bits) {
    __shared__ unsigned s[64];
    __shared__ unsigned votes[2];
    int t = threadIdx.x, w = t >> 5;
    s[t] = x[t];
    __syncthreads();
    for (int b = 0; b < bits; b++) {
        unsigned v = s[t], one = (v >> b) & 1;
        unsigned m = __ballot_sync(0xffffffffu, one);
        if ((t & 31) == 0) votes[w] = m;
        __syncthreads();
        int ones = __popc(m & ((1u << (t & 31)) - 1)) + (w ? __popc(votes[0]) : 0);
        int zeros = 64 - __popc(votes[0]) - __popc(votes[1]);
        s[one ? zeros + ones : t - ones] = v;
        __syncthreads();
    }
    x[t] = s[t];
}

// Right: a template's reduction whose shared array is typed by the template.
//@ array out double 1
//@ array in double 96 iota
//@ launch a_tsum<double><<<1, 96>>>(out, in)
//@none
template <typename T> __global__ void a_tsum(T* out, const T* in) {
    __shared__ T part[3];
    int t = threadIdx.x;
    T v = in[t];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
    if ((t & 31) == 0) part[t >> 5] = v;
    __syncthreads();
    if (t == 0) out[0] = part[0] + part[1] + part[2];
}
template __global__ void a_tsum<double>(double*, const double*);

// Right: each lane calls its own function by pointer; one of them uses an atomic on what the others leave alone.
//@ array out int 32
//@ array sum int 1 zero
//@ array in int 32 iota
//@ launch a_op_table<<<1, 32>>>(out, sum, in)
//@none
typedef int (*a_fun)(int, int*);
__device__ __noinline__ int a_twice(int v, int*) { return 2 * v; }
__device__ __noinline__ int a_square(int v, int*) { return v * v; }
__device__ __noinline__ int a_count(int v, int* s) { atomicAdd(s, v); return -v; }
__device__ a_fun a_funs[3] = {a_twice, a_square, a_count};
__global__ void a_op_table(int* out, int* sum, const int* in) {
    int v = in[threadIdx.x];
    out[threadIdx.x] = a_funs[v % 3](v, sum);
}

// Right: breadth-first levels over a binary tree of indices with two shared queues that change places.
//@ array dist int 63 value:-1
//@ launch a_levels<<<1, 32>>>(dist, 63)
//@none
__global__ void a_levels(int* dist, int n) {
    __shared__ int q[2][64];
    __shared__ int len[2];
    int t = threadIdx.x;
    if (t == 0) { q[0][0] = 0; len[0] = 1; len[1] = 0; dist[0] = 0; }
    __syncthreads();
    for (int level = 1, p = 0; len[p] > 0; level++, p ^= 1) {
        for (int i = t; i < len[p]; i += blockDim.x) {
            int v = q[p][i];
            for (int c = 2 * v + 1; c <= 2 * v + 2; c++)
                if (c < n && atomicCAS(&dist[c], -1, level) == -1) q[p ^ 1][atomicAdd(&len[p ^ 1], 1)] = c;
        }
        __syncthreads();
        if (t == 0) len[p] = 0;
        __syncthreads();
    }
}

// Right: the assertion holds for all threads that reach it, and the trap stands behind a condition that never holds.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_assert_holds<<<1, 64>>>(out, in, 64)
//@none
__global__ void a_assert_holds(int* out, const int* in, int limit) {
    int v = in[threadIdx.x];
    assert(v >= 0 && v < limit);
    if (v * 2 > limit * 2) __trap();
    out[threadIdx.x] = v;
}
