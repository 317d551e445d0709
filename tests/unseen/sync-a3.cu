// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Blocks that talk through global memory: last block, flags, scopes, fences.

// Wrong: the last-block sum without any fence between the partial sum and the counter.
//@ array part int 4 zero
//@ array count u32 1 zero
//@ array out int 1
//@ launch a_last_nofence<<<4, 32>>>(part, count, out)
//@found race-global last-nofence
__global__ void a_last_nofence(int* part, unsigned* count, int* out) {
    if (threadIdx.x != 0) return;
    part[blockIdx.x] = (blockIdx.x + 1) * 10;
    unsigned n = atomicAdd(count, 1);
    if (n == gridDim.x - 1) {
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++) sum += part[i]; // last-nofence
        out[0] = sum;
    }
}

// Wrong: the fences of the last-block pattern reach only the own block.
//@ array part int 4 zero
//@ array count u32 1 zero
//@ array out int 1 zero
//@ launch a_last_fence_block<<<4, 32>>>(part, count, out)
//@found race-global last-fence-block
__global__ void a_last_fence_block(int* part, unsigned* count, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = (blockIdx.x + 1) * 7;
        __threadfence_block();
        unsigned n = atomicAdd(count, 1);
        __threadfence_block();
        last = n == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x)
        atomicAdd(out, part[threadIdx.x]); // last-fence-block
}

// Wrong: every thread fences its own result, but thread 0 counts the block as done without a barrier.
//@ array part int 128 zero
//@ array count u32 1 zero
//@ array out int 64
//@ launch a_last_no_bar<<<2, 64>>>(part, count, out)
//@found race-global last-no-bar
__global__ void a_last_no_bar(int* part, unsigned* count, int* out) {
    __shared__ unsigned n;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[i] = i * 3 + 1;
    __threadfence();
    if (threadIdx.x == 0) {
        n = atomicAdd(count, 1);
        __threadfence();
    }
    __syncthreads();
    if (n == gridDim.x - 1) {
        int other = (blockIdx.x ^ 1) * blockDim.x;
        out[threadIdx.x] = part[other + 63 - threadIdx.x]; // last-no-bar
    }
}

// Wrong: the fence comes after the counter instead of before it.
//@ array part int 4 zero
//@ array count u32 1 zero
//@ array out int 1
//@ launch a_fence_after<<<4, 32>>>(part, count, out)
//@found race-global fence-after
__global__ void a_fence_after(int* part, unsigned* count, int* out) {
    if (threadIdx.x != 0) return;
    part[blockIdx.x] = blockIdx.x * 5 + 2;
    unsigned n = atomicAdd(count, 1);
    __threadfence();
    if (n == gridDim.x - 1) {
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++) sum += part[i]; // fence-after
        out[0] = sum;
    }
}

// Wrong: blocks share a counter by atomics of block scope.
//@ array count int 4 zero
//@ array in int 128 iota
//@ launch a_count_block_scope<<<2, 64>>>(count, in, 2)
//@found race-global count-block-scope
//@element count[2]
__global__ void a_count_block_scope(int* count, const int* in, int slot) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] % 5 == 0) atomicAdd_block(&count[slot], 1); // count-block-scope
}

// Wrong: one thread of each block adds its block's sum to the total plainly.
//@ array total int 1 zero
//@ array in int 128 iota
//@ launch a_total_plain<<<2, 64>>>(total, in)
//@found race-global total-plain
//@element total[0]
__global__ void a_total_plain(int* total, const int* in) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) *total += sum; // total-plain
}

// Wrong: a smoothing step in place; at the border of the blocks the neighbour is another block's cell.
//@ array x int 128 iota
//@ launch a_border_inplace<<<2, 64>>>(x, 128)
//@found race-global border-inplace
//@element x[64]
__global__ void a_border_inplace(int* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int r = i + 1 < n ? x[i + 1] : 0; // border-inplace
    int me = x[i];
    __syncthreads();
    x[i] = me + 2 * r + 1;
}

// Wrong: the flag is volatile, but the producer has no fence between the datum and the flag.
//@ array data int 4 zero
//@ array flag int 1 zero
//@ array out int 1
//@ launch a_flag_nofence<<<2, 1>>>(data, flag, out, 1)
//@found race-global flag-nofence
//@element data[1]
__global__ void a_flag_nofence(int* data, volatile int* flag, int* out, int slot) {
    if (blockIdx.x == 0) {
        data[slot] = 42;
        *flag = 1;
    } else {
        while (*flag == 0) {}
        __threadfence();
        out[0] = data[slot]; // flag-nofence
    }
}

// Wrong: "is mine better?" is asked by a plain read while others update by atomicMax.
//@ array best int 1 value:-1
//@ array in int 128 iota
//@ launch a_best_plain<<<4, 32>>>(best, in)
//@found race-global best-plain
//@element best[0]
__global__ void a_best_plain(int* best, const int* in) {
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (v > *best) // best-plain
        atomicMax(best, v);
}

// Wrong: each block also writes one halo cell, which is the next block's first cell.
//@ array out int 129 zero
//@ array in int 128 iota
//@ launch a_halo_two<<<2, 64>>>(out, in)
//@found race-global halo-two
//@element out[64]
__global__ void a_halo_two(int* out, const int* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = threadIdx.x; k <= (int)blockDim.x; k += blockDim.x)
        out[blockIdx.x * blockDim.x + k] = in[i] * 2 + k + 1; // halo-two
}

// Wrong: block 0 zeroes the sum that the other blocks already add to; __syncthreads orders one block only.
//@ array sum int 1 value:9
//@ launch a_zero_then_add<<<4, 32>>>(sum)
//@found race-global zero-then-add
//@element sum[0]
__global__ void a_zero_then_add(int* sum) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *sum = 0; // zero-then-add
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, 1 + blockIdx.x);
}

// Right: the last-block sum with a fence on both sides of the counter.
//@ array part int 4 zero
//@ array count u32 1 zero
//@ array out int 1
//@ launch a_last_right<<<4, 32>>>(part, count, out)
//@none
__global__ void a_last_right(int* part, unsigned* count, int* out) {
    if (threadIdx.x != 0) return;
    part[blockIdx.x] = (blockIdx.x + 1) * 10;
    __threadfence();
    unsigned n = atomicAdd(count, 1);
    if (n == gridDim.x - 1) {
        __threadfence();
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++) sum += part[i];
        out[0] = sum;
    }
}

// Right: only thread 0 fences, but after a barrier: what the others wrote goes along.
//@ array part int 128 zero
//@ array count u32 1 zero
//@ array out int 64
//@ launch a_last_t0_fence<<<2, 64>>>(part, count, out)
//@none
__global__ void a_last_t0_fence(int* part, unsigned* count, int* out) {
    __shared__ unsigned n;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[i] = i * 3 + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        n = atomicAdd(count, 1);
        __threadfence();
    }
    __syncthreads();
    if (n == gridDim.x - 1) {
        int other = (blockIdx.x ^ 1) * blockDim.x;
        out[threadIdx.x] = part[other + 63 - threadIdx.x];
    }
}

// Right: a volatile flag with fences on both sides hands a whole buffer to another block.
//@ array data int 64 zero
//@ array flag int 1 zero
//@ array out int 64
//@ launch a_flag_fenced<<<2, 64>>>(data, flag, out)
//@none
__global__ void a_flag_fenced(int* data, volatile int* flag, int* out) {
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t * t;
        __threadfence();
        __syncthreads();
        if (t == 0) *flag = 1;
    } else {
        if (t == 0) {
            while (*flag == 0) {}
            __threadfence();
        }
        __syncthreads();
        out[t] = data[63 - t];
    }
}

// Right: the best value so far is read by an atomic that changes nothing.
//@ array best int 1 value:-1
//@ array in int 128 iota
//@ launch a_best_atomic<<<4, 32>>>(best, in)
//@none
__global__ void a_best_atomic(int* best, const int* in) {
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (v > atomicAdd(best, 0)) atomicMax(best, v);
}

// Right: block-scope atomics on a word of the own block only, then a barrier and a plain read.
//@ array count int 4 zero
//@ array out int 4
//@ array in int 256 iota
//@ launch a_own_block_scope<<<4, 64>>>(count, out, in)
//@none
__global__ void a_own_block_scope(int* count, int* out, const int* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] % 7 < 3) atomicAdd_block(&count[blockIdx.x], 1);
    __syncthreads();
    if (threadIdx.x == 5) out[blockIdx.x] = count[blockIdx.x];
}

// Right: a lookback scan whose flag and value share one 64-bit word, moved by atomics: no fence needed.
//@ array state u64 4 zero
//@ array in int 128 iota
//@ array out int 128
//@ launch a_lookback_packed<<<4, 32>>>(state, in, out)
//@none
__global__ void a_lookback_packed(unsigned long long* state, const int* in, int* out) {
    int lane = threadIdx.x, b = blockIdx.x;
    int v = in[b * 32 + lane];
    for (int o = 1; o < 32; o <<= 1) {
        int w = __shfl_up_sync(0xffffffffu, v, o);
        if (lane >= o) v += w;
    }
    int before = 0;
    if (lane == 31) {
        atomicExch(&state[b], (1ull << 32) | (unsigned)v);
        for (int j = b - 1; j >= 0; j--) {
            unsigned long long s;
            do s = atomicAdd(&state[j], 0ull); while ((s >> 32) == 0);
            before += (int)(unsigned)s;
            if ((s >> 32) == 2) break;
        }
        atomicExch(&state[b], (2ull << 32) | (unsigned)(before + v));
    }
    before = __shfl_sync(0xffffffffu, before, 31);
    out[b * 32 + lane] = v + before;
}

// Right: gpu-scope and system-scope atomics on one word both hold all threads.
//@ array x int 1 zero
//@ array out int 128
//@ launch a_system_mix<<<4, 32>>>(x, out)
//@none
__global__ void a_system_mix(int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i & 1) out[i] = atomicAdd_system(x, 2);
    else out[i] = atomicAdd(x, 1);
}

// Right: blocks take a ticket and pass a running sum on in the tickets' order.
//@ array ticket int 1 zero
//@ array turn int 1 zero
//@ array run int 1 zero
//@ array out int 4
//@ launch a_ticket_chain<<<4, 32>>>(ticket, turn, run, out)
//@none
__global__ void a_ticket_chain(int* ticket, volatile int* turn, int* run, int* out) {
    if (threadIdx.x != 0) return;
    int me = atomicAdd(ticket, 1);
    while (*turn != me) {}
    __threadfence();
    *run = *run + (me + 1) * (me + 1);
    out[me] = *run;
    __threadfence();
    *turn = me + 1;
}
