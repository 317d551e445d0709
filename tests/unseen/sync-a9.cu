// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// More of barriers within a block: named ones, fences, atomics, bit-fields.

// Wrong: __syncwarp where two warps exchange.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_syncwarp_cross<<<1, 64>>>(out, in)
//@found race-shared syncwarp-cross
__global__ void a_syncwarp_cross(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t] * 9;
    __syncwarp();
    out[t] = s[t ^ 32]; // syncwarp-cross
}

// Wrong: the named barrier counts the writing warp only; the reading warp doesn't take part.
//@ array out int 64 zero
//@ array in int 64 iota
//@ launch a_named_alone<<<1, 64>>>(out, in, 1)
//@found race-shared named-alone
//@element s[1]
__global__ void a_named_alone(int* out, const int* in, int slot) {
    __shared__ int s[4];
    int t = threadIdx.x;
    if (t < 4) s[t] = -1;
    __syncthreads();
    if (t < 32) {
        if (t == 7) s[slot] = in[t] + 60;
        asm volatile("bar.sync 1, 32;" ::: "memory");
        out[t] = s[slot];
    } else if (t == 40) {
        out[t] = s[slot]; // named-alone
    }
}

// Wrong: the producer fills the buffer again without hearing that the consumer has read it.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_pc_no_empty<<<1, 64>>>(out, in)
//@found race-shared pc-no-empty
__global__ void a_pc_no_empty(int* out, const int* in) {
    __shared__ int buf[32];
    int lane = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        buf[lane] = in[lane] + 1;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        buf[lane] = in[32 + lane] * 2 + 1; // pc-no-empty
        asm volatile("bar.arrive 2, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[lane] = buf[31 - lane];
        asm volatile("bar.sync 2, 64;" ::: "memory");
        out[32 + lane] = buf[31 - lane];
    }
}

// Wrong: the odd and the even lanes of one warp meet at different barriers.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_odd_even_bar<<<1, 32>>>(out, in)
//@found barrier-divergence odd-even-bar
__global__ void a_odd_even_bar(int* out, const int* in) {
    int t = threadIdx.x, v = in[t];
    if (v & 1) { out[t] = v * 3; __syncthreads(); v += 5; } else { v = v * v - 1; __syncthreads(); out[t] = v; } // odd-even-bar
    if (v == 77777) out[t] = 0;
}

// Wrong: __threadfence_block orders the thread's own accesses, it doesn't wait for the others.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_fence_no_bar<<<1, 64>>>(out, in)
//@found race-shared fence-no-bar
__global__ void a_fence_no_bar(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t] - 70;
    __threadfence_block();
    out[t] = s[63 - t]; // fence-no-bar
}

// Wrong: a thread reads the counter plainly while others still add to it by atomics.
//@ array out int 1
//@ array in int 64 iota
//@ launch a_count_early<<<1, 64>>>(out, in, 2)
//@found race-shared count-early
//@element cnt[2]
__global__ void a_count_early(int* out, const int* in, int slot) {
    __shared__ int cnt[4];
    int t = threadIdx.x;
    if (t < 4) cnt[t] = 0;
    __syncthreads();
    if (in[t] % 3) atomicAdd(&cnt[slot], 1);
    if (t == 63) out[0] = cnt[slot]; // count-early
}

// Wrong: thread 0 sets the start value, and the others add to it without a barrier between.
//@ array out int 1
//@ array in int 64 iota
//@ launch a_start_value<<<1, 64>>>(out, in, 3)
//@found race-shared start-value
//@element cnt[3]
__global__ void a_start_value(int* out, const int* in, int slot) {
    __shared__ int cnt[4];
    int t = threadIdx.x;
    if (t < 4) cnt[t] = -1;
    __syncthreads();
    if (t == 0) cnt[slot] = 1000; // start-value
    if (in[t] > 9) atomicAdd(&cnt[slot], in[t]);
    __syncthreads();
    if (t == 0) out[0] = cnt[slot];
}

// Wrong: two threads set two bit-fields that lie in one word.
//@ array out u32 32
//@ array in u32 64 iota
//@ launch a_bit_fields<<<1, 64>>>(out, in)
//@found race-shared bit-fields
struct ABits { unsigned lo : 13; unsigned hi : 19; };
__global__ void a_bit_fields(unsigned* out, const unsigned* in) {
    __shared__ ABits c[32];
    int t = threadIdx.x;
    if (t < 32) { c[t].lo = 0; c[t].hi = 0; }
    __syncthreads();
    if (t & 1) c[t >> 1].hi = in[t] + 1; else c[t >> 1].lo = in[t] + 1; // bit-fields
    __syncthreads();
    if (t < 32) out[t] = c[t].lo + c[t].hi;
}

// Wrong: threads break out of the loop in different rounds, the barrier is in the loop.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_break_bar<<<1, 64>>>(out, in, 40)
//@found barrier-divergence break-bar
__global__ void a_break_bar(int* out, const int* in, int n) {
    int t = threadIdx.x, acc = 0;
    for (int k = 0; k < n; k++) {
        if (in[t] == 3 * k) break;
        __syncthreads(); // break-bar
        acc += k;
    }
    out[t] = acc;
}

// Wrong: a whole warp returns early, the other one still has a __syncthreads for all.
//@ array out int 64 zero
//@ array in int 64 iota
//@ launch a_warp_returns<<<1, 64>>>(out, in, 32)
//@found barrier-divergence warp-returns
__global__ void a_warp_returns(int* out, const int* in, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= n) return;
    s[t] = in[t];
    __syncthreads(); // warp-returns
    out[t] = s[n - 1 - t];
}

// Right: two halves of the block, each with a named barrier of its own.
//@ array out int 128
//@ array in int 128 iota
//@ launch a_named_halves<<<1, 128>>>(out, in)
//@none
__global__ void a_named_halves(int* out, const int* in) {
    __shared__ int s[128];
    int t = threadIdx.x, h = t >> 6;
    s[t] = in[t];
    for (int k = 0; k < 2 + h; k++) {
        asm volatile("bar.sync %0, 64;" :: "r"(h + 1) : "memory");
        int v = s[t ^ 63];
        asm volatile("bar.sync %0, 64;" :: "r"(h + 1) : "memory");
        s[t] = v + 1;
    }
    out[t] = s[t];
}

// Right: the loop ends for all at once, by __syncthreads_or; it is also the barrier for the exchange.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_or_loop<<<1, 64>>>(out, in)
//@none
__global__ void a_or_loop(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x, left = in[t] % 7, sum = 0;
    s[t] = left;
    while (__syncthreads_or(left > 0)) {
        sum += s[63 - t];
        __syncthreads();
        if (left > 0) left--;
        s[t] = left;
    }
    out[t] = sum;
}

// Right: bits of one word set by atomicOr, read behind the barrier.
//@ array out u32 64
//@ array in int 64 iota
//@ launch a_bits_or<<<1, 64>>>(out, in)
//@none
__global__ void a_bits_or(unsigned* out, const int* in) {
    __shared__ unsigned w[2];
    int t = threadIdx.x;
    if (t < 2) w[t] = 0;
    __syncthreads();
    int k = in[t];
    if (k % 3 != 1) atomicOr(&w[k >> 5], 1u << (k & 31));
    __syncthreads();
    out[t] = w[0] ^ w[1];
}

// Right: the trip count comes from shared memory and is the same for all; the barrier in the loop is reached by all.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_uniform_trips<<<1, 64>>>(out, in)
//@none
__global__ void a_uniform_trips(int* out, const int* in) {
    __shared__ int trips;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 17) trips = in[t] & 7;
    s[t] = in[t];
    __syncthreads();
    for (int k = 0; k < trips; k++) {
        int v = s[(t + k) & 63];
        __syncthreads();
        s[t] = v;
        __syncthreads();
    }
    out[t] = s[t];
}

// Right: a function with the barrier is called from two places, by different warps.
//@ array out int 64
//@ array in int 64 iota
//@ launch a_bar_function<<<1, 64>>>(out, in)
//@none
__device__ __noinline__ int a_swap64(int* s, int v) {
    s[threadIdx.x] = v;
    __syncthreads();
    return s[threadIdx.x ^ 32];
}
__global__ void a_bar_function(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= 32) out[t] = a_swap64(s, in[t] + 1);
    else out[t] = a_swap64(s, in[t] * 2) - 3;
}

// Right: a lock in shared memory, taken by all threads of two warps in turn; fences of block scope.
//@ array out int 64
//@ launch a_lock_shared<<<1, 64>>>(out)
//@none
__global__ void a_lock_shared(int* out) {
    __shared__ int lock, len;
    __shared__ int list[64];
    int t = threadIdx.x;
    if (t == 0) { lock = 0; len = 0; }
    __syncthreads();
    for (bool done = false; !done;) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            list[len] = t;
            len = len + 1;
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    out[list[t]] = len;
}

// Right: the counter is peeked at by an atomic that adds nothing while others add.
//@ array out int 64
//@ launch a_atomic_peek<<<1, 64>>>(out)
//@none
__global__ void a_atomic_peek(int* out) {
    __shared__ int cnt;
    int t = threadIdx.x;
    if (t == 0) cnt = 0;
    __syncthreads();
    if (t & 1) out[t] = atomicAdd(&cnt, 1);
    else out[t] = atomicAdd(&cnt, 0) >= 0 ? 1 : 2;
}

// Right: the third warp leaves behind the last barrier for all; the other two go on with a named one for 64.
//@ array out int 64
//@ array in int 96 iota
//@ launch a_third_leaves<<<1, 96>>>(out, in)
//@none
__global__ void a_third_leaves(int* out, const int* in) {
    __shared__ int s[96];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t >= 64) return;
    int v = s[95 - t];
    asm volatile("bar.sync 3, 64;" ::: "memory");
    s[t] = v * 2;
    asm volatile("bar.sync 3, 64;" ::: "memory");
    out[t] = s[63 - t];
}

// Right: one warp announces by bar.arrive, two warps wait with bar.sync for 96 threads.
//@ array out int 96 zero
//@ array in int 32 iota
//@ launch a_arrive_two<<<1, 96>>>(out, in)
//@none
__global__ void a_arrive_two(int* out, const int* in) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = in[t] + 8;
        asm volatile("bar.arrive 4, 96;" ::: "memory");
    } else {
        asm volatile("bar.sync 4, 96;" ::: "memory");
        out[t] = s[95 - t < 32 ? 95 - t : t - 32];
    }
}

// Right: each warp has a row of its own and synchronises only itself, with different numbers of rounds.
//@ array out int 96
//@ array in int 96 iota
//@ launch a_warp_rows<<<1, 96>>>(out, in)
//@none
__global__ void a_warp_rows(int* out, const int* in) {
    __shared__ int row[3][32];
    int w = threadIdx.x >> 5, lane = threadIdx.x & 31;
    row[w][lane] = in[threadIdx.x];
    for (int k = 0; k <= w; k++) {
        __syncwarp();
        int v = row[w][(lane + 1) & 31];
        __syncwarp();
        row[w][lane] = v + k;
    }
    out[threadIdx.x] = row[w][lane];
}
