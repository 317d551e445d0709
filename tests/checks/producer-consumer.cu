// SPDX-License-Identifier: GPL-3.0-or-later
// Producers and consumers: warps of one block that hand over buffers by
// barriers and named barriers, and blocks that do so by flags.

// Right: the producer only arrives at barrier 1, the consumer waits there.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch pc_arrive_sync<<<1, 64>>>(in, out)
//@none
__global__ void pc_arrive_sync(const int *in, int *out)
{
    __shared__ int buf[32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        buf[lane] = 3 * in[lane];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[lane] = buf[31 - lane];
    }
}

// Right: one slot, barrier 1 says that it is full, barrier 2 that it is empty again.
//@ array in int 128 iota
//@ array out int 128 zero
//@ launch pc_full_empty<<<1, 64>>>(in, out)
//@none
__global__ void pc_full_empty(const int *in, int *out)
{
    __shared__ int slot[32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int k = 0; k < 4; k++) {
            if (k > 0)
                asm volatile("bar.sync 2, 64;" ::: "memory");
            slot[lane] = in[32 * k + lane];
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        }
    } else {
        for (int k = 0; k < 4; k++) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            out[32 * k + lane] = slot[31 - lane];
            if (k < 3)
                asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
}

// Right: the consumer is one round behind in the other slot, one barrier a round.
//@ array in int 128 iota
//@ array out int 128 zero
//@ launch pc_two_slots<<<1, 64>>>(in, out)
//@none
__global__ void pc_two_slots(const int *in, int *out)
{
    __shared__ int slot[2][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int k = 0; k <= 4; k++) {
        if (warp == 0 && k < 4)
            slot[k % 2][lane] = in[32 * k + lane];
        if (warp == 1 && k > 0)
            out[32 * (k - 1) + lane] = slot[(k - 1) % 2][31 - lane];
        __syncthreads();
    }
}

// Right: a volatile flag in shared memory between two warps, with fences on both sides.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch pc_shared_flag<<<1, 64>>>(in, out)
//@none
__global__ void pc_shared_flag(const int *in, int *out)
{
    __shared__ int buf[32];
    __shared__ volatile int full;
    int t = threadIdx.x;
    if (t == 0)
        full = 0;
    __syncthreads();
    if (t < 32) {
        buf[t] = in[t] + 1;
        __syncwarp();
        __threadfence_block();
        if (t == 0)
            full = 1;
    } else {
        while (full == 0)
            ;
        __threadfence_block();
        out[t - 32] = buf[63 - t];
    }
}

// Right: block 0 raises the flag after a barrier and a fence, block 1 waits for it.
//@ array data int 64 zero
//@ array ready int 1 zero
//@ array out int 64 zero
//@ launch pc_block_flag<<<2, 64>>>(data, ready, out)
//@none
__global__ void pc_block_flag(int *data, int *ready, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 5 * t;
        __syncthreads();
        if (t == 0) {
            __threadfence();
            atomicExch(ready, 1);
        }
    } else {
        if (t == 0) {
            while (atomicAdd(ready, 0) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
        out[t] = data[63 - t];
    }
}

// Wrong: nothing tells the producer that the slot was read before it fills it again.
//@ array in int 128 iota
//@ array out int 128 zero
//@ launch pc_one_slot<<<1, 64>>>(in, out)
//@found race-shared one-slot
__global__ void pc_one_slot(const int *in, int *out)
{
    __shared__ int slot[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int k = 0; k < 4; k++) {
        if (warp == 0)
            slot[lane] = in[32 * k + lane]; // one-slot
        __syncthreads();
        if (warp == 1)
            out[32 * k + lane] = slot[31 - lane]; // one-slot
    }
}

// Wrong: two rounds behind with two slots is the slot that is being filled.
//@ array in int 128 iota
//@ array out int 128 zero
//@ launch pc_lag_two<<<1, 64>>>(in, out)
//@found race-shared lag-two
__global__ void pc_lag_two(const int *in, int *out)
{
    __shared__ int slot[2][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int k = 0; k < 6; k++) {
        if (warp == 0 && k < 4)
            slot[k % 2][lane] = in[32 * k + lane]; // lag-two
        if (warp == 1 && k >= 2)
            out[32 * (k - 2) + lane] = slot[k % 2][31 - lane]; // lag-two
        __syncthreads();
    }
}

// Wrong: the producer arrives before it writes.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch pc_arrive_early<<<1, 64>>>(in, out)
//@found race-shared arrive-early
__global__ void pc_arrive_early(const int *in, int *out)
{
    __shared__ int buf[32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        buf[lane] = 3 * in[lane]; // arrive-early
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[lane] = buf[31 - lane]; // arrive-early
    }
}

// Wrong: the two warps wait at barriers 1 and 2 in opposite order, neither completes.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch pc_crossed<<<1, 64>>>(in, out)
//@found deadlock crossed
__global__ void pc_crossed(const int *in, int *out)
{
    __shared__ int buf[64];
    int t = threadIdx.x;
    buf[t] = in[t];
    if (t < 32) {
        asm volatile("bar.sync 1, 64;" ::: "memory"); // crossed
        out[t] = buf[63 - t];
        asm volatile("bar.sync 2, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory"); // crossed
        out[t] = buf[63 - t];
        asm volatile("bar.sync 1, 64;" ::: "memory");
    }
}

// Wrong: the counter is raised when a place is taken, not when it has been filled.
//@ array in int 32 iota
//@ array out int 32 zero
//@ launch pc_place_taken<<<1, 64>>>(in, out)
//@found race-shared place-taken
__global__ void pc_place_taken(const int *in, int *out)
{
    __shared__ int buf[32];
    __shared__ int count;
    int t = threadIdx.x;
    if (t == 0)
        count = 0;
    __syncthreads();
    if (t < 32) {
        int place = atomicAdd(&count, 1);
        buf[place] = in[t]; // place-taken
        __threadfence_block();
    } else {
        while (atomicAdd(&count, 0) < 32)
            ;
        __threadfence_block();
        out[t - 32] = buf[63 - t]; // place-taken
    }
}

// Wrong: block 0 raises the flag first and writes the data afterwards.
//@ array data int 64 zero
//@ array ready int 1 zero
//@ array out int 64 zero
//@ launch pc_flag_first<<<2, 64>>>(data, ready, out)
//@found race-global flag-first
__global__ void pc_flag_first(int *data, int *ready, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        if (t == 0) {
            __threadfence();
            atomicExch(ready, 1);
        }
        __syncthreads();
        data[t] = 5 * t; // flag-first
    } else {
        if (t == 0) {
            while (atomicAdd(ready, 0) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
        out[t] = data[63 - t]; // flag-first
    }
}
