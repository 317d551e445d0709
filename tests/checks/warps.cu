// SPDX-License-Identifier: GPL-3.0-or-later
// Warps: shuffles, masks, votes, numbered barriers, lanes that drift. See shared.cu for the marks.

//@ array x int 256 iota; array y int 256
//@ launch shuffle_right<<<1, 64>>>(x, y)
//@none
__global__ void shuffle_right(const int *x, int *y)
{
    __shared__ int s[2];
    int t = threadIdx.x, v = x[t];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    if (t % 32 == 0)
        s[t / 32] = v;
    __syncthreads();
    y[t] = s[0] + s[1];
}

//@ launch shuffle_no_barrier<<<1, 64>>>(x, y)
//@found race-shared warp-sums
//@may uninitialized
__global__ void shuffle_no_barrier(const int *x, int *y)
{
    __shared__ int s[2];
    int t = threadIdx.x, v = x[t];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    if (t % 32 == 0)
        s[t / 32] = v;
    y[t] = s[0] + s[1]; // warp-sums
}

//@ launch exchange_right<<<1, 64>>>(x, y)
//@none
__global__ void exchange_right(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    y[t] = s[t ^ 1];
}

//@ launch exchange_lockstep<<<1, 64>>>(x, y)
//@found race-shared in-step
//@may uninitialized
__global__ void exchange_lockstep(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    y[t] = s[t ^ 1]; // in-step
}

//@ launch exchange_other_warp<<<1, 64>>>(x, y)
//@found race-shared other-warp
//@may uninitialized
__global__ void exchange_other_warp(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    y[t] = s[t ^ 32]; // other-warp
}

//@ launch half_mask<<<1, 32>>>(x, y)
//@none
__global__ void half_mask(const int *x, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    unsigned mask = t < 16 ? 0x0000ffff : 0xffff0000;
    s[t] = x[t];
    __syncwarp(mask);
    y[t] = s[t ^ 7];
}

//@ launch half_mask_across<<<1, 32>>>(x, y)
//@found race-shared across
//@may uninitialized
__global__ void half_mask_across(const int *x, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    unsigned mask = t < 16 ? 0x0000ffff : 0xffff0000;
    s[t] = x[t];
    __syncwarp(mask);
    y[t] = s[t ^ 16]; // across
}

// Shuffles, votes and matches wait for lanes, but only __syncwarp orders what these have stored.
//@ launch vote_orders<<<1, 32>>>(x, y)
//@found race-shared vote
//@may uninitialized
__global__ void vote_orders(const int *x, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = x[t]; // vote
    if (__all_sync(0xffffffff, t < 32))
        y[t] = s[31 - t]; // vote
}

//@ launch shuffle_orders<<<1, 32>>>(x, y)
//@found race-shared shuffle-orders
//@may uninitialized
__global__ void shuffle_orders(const int *x, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = x[t]; // shuffle-orders
    int v = __shfl_sync(0xffffffff, t, 0);
    y[t] = s[31 - t] + v; // shuffle-orders
}

//@ launch shuffle_then_syncwarp<<<1, 32>>>(x, y)
//@none
__global__ void shuffle_then_syncwarp(const int *x, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    int v = __shfl_sync(0xffffffff, t, 0);
    __syncwarp();
    y[t] = s[31 - t] + v;
}

//@ launch ballot_orders<<<1, 32>>>(x, y)
//@found race-shared ballot-orders
//@may uninitialized
__global__ void ballot_orders(const int *x, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = x[t]; // ballot-orders
    int v = (int)__ballot_sync(0xffffffff, t < 7);
    y[t] = s[31 - t] + v; // ballot-orders
}

//@ launch match_orders<<<1, 32>>>(x, y)
//@found race-shared match-orders
//@may uninitialized
__global__ void match_orders(const int *x, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = x[t]; // match-orders
    int v = (int)__match_any_sync(0xffffffff, t / 2);
    y[t] = s[31 - t] + v; // match-orders
}

//@ launch match_then_syncwarp<<<1, 32>>>(x, y)
//@none
__global__ void match_then_syncwarp(const int *x, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    int v = (int)__match_any_sync(0xffffffff, t / 2);
    __syncwarp();
    y[t] = s[31 - t] + v;
}

//@ launch reuse_right<<<1, 32>>>(x, y)
//@none
__global__ void reuse_right(const int *x, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        s[t] = x[t] + k;
        __syncwarp();
        y[t] = s[31 - t];
        __syncwarp();
    }
}

//@ launch reuse_one_sync<<<1, 32>>>(x, y)
//@found race-shared one-sync
__global__ void reuse_one_sync(const int *x, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 4; k++) {
        s[t] = x[t] + k; // one-sync
        __syncwarp();
        sum += s[31 - t]; // one-sync
    }
    y[t] = sum;
}

//@ launch odd_block<<<1, 40>>>(x, y)
//@none
__global__ void odd_block(const int *x, int *y)
{
    __shared__ int s[40];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    y[t] = s[t ^ 1];
    __syncthreads();
    y[t] += s[39 - t];
}

//@ launch numbered_right<<<1, 128>>>(x, y)
//@none
__global__ void numbered_right(const int *x, int *y)
{
    __shared__ int s[128];
    int t = threadIdx.x, half = t / 64;
    s[t] = x[t];
    asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
    y[t] = s[t ^ 63];
}

//@ launch numbered_across<<<1, 128>>>(x, y)
//@found race-shared other-half
//@may uninitialized
__global__ void numbered_across(const int *x, int *y)
{
    __shared__ int s[128];
    int t = threadIdx.x, half = t / 64;
    s[t] = x[t];
    asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
    y[t] = s[t ^ 64]; // other-half
}

//@ launch produce_right<<<1, 64>>>(x, y)
//@none
__global__ void produce_right(const int *x, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (t < 32)
            s[t] = x[32 * k + t];
        __syncthreads();
        if (t >= 32)
            y[32 * k + t - 32] = s[t - 32];
        __syncthreads();
    }
}

//@ launch produce_one_barrier<<<1, 64>>>(x, y)
//@found race-shared handed-over
__global__ void produce_one_barrier(const int *x, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (t < 32)
            s[t] = x[32 * k + t]; // handed-over
        __syncthreads();
        if (t >= 32)
            y[32 * k + t - 32] = s[t - 32]; // handed-over
    }
}

//@ launch double_buffer<<<1, 64>>>(x, y)
//@none
__global__ void double_buffer(const int *x, int *y)
{
    __shared__ int s[2][32];
    int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (t < 32)
            s[k % 2][t] = x[32 * k + t];
        __syncthreads();
        if (t >= 32)
            y[32 * k + t - 32] = s[k % 2][t - 32];
    }
}

//@ launch shared_flag<<<1, 64>>>(x, y)
//@none
__global__ void shared_flag(const int *x, int *y)
{
    __shared__ volatile int ready;
    __shared__ int data;
    int t = threadIdx.x;
    ready = 0;
    __syncthreads();
    if (t == 0) {
        data = x[5];
        __threadfence_block();
        ready = 1;
    } else if (t == 32) {
        while (ready == 0) {
        }
        __threadfence_block();
        y[0] = data;
    }
}

//@ launch shared_lock<<<1, 64>>>(y)
//@none
__global__ void shared_lock(int *y)
{
    __shared__ int lock, sum;
    if (threadIdx.x == 0)
        lock = sum = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence_block();
        sum++;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    y[threadIdx.x] = sum;
}

//@ launch count_barrier<<<1, 64>>>(x, y)
//@none
__global__ void count_barrier(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    int odd = __syncthreads_count(x[t] % 2);
    y[t] = s[63 - t] + odd;
}

//@ launch early_leave<<<1, 64>>>(x, y)
//@none
__global__ void early_leave(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t >= 40)
        return;
    y[t] = s[t + 20];
}

//@ launch turned_right<<<2, 64>>>(x, y)
//@none
__global__ void turned_right(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x, base = t / 32 * 32;
    s[t] = x[t];
    for (int d = 16; d > 0; d /= 2) {
        __syncwarp();
        int other = s[base + (t + d) % 32];
        __syncwarp();
        s[t] += other;
    }
    __syncwarp();
    if (t < 32)
        y[32 * blockIdx.x + t] = s[(t + 1) % 32];
}

//@ launch turned_too_soon<<<1, 64>>>(x, y)
//@found race-shared turned-store
__global__ void turned_too_soon(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x, base = t / 32 * 32;
    s[t] = x[t];
    __syncwarp();
    int other = s[base + (t + 1) % 32];
    s[t] = other + 1; // turned-store
    __syncwarp();
    y[t] = s[t];
}

//@ launch column_right<<<1, 32>>>(x, y)
//@none
__global__ void column_right(const int *x, int *y)
{
    __shared__ int s[32][32];
    int t = threadIdx.x;
    s[t][0] = x[t];
    for (int d = 16; d > 0; d /= 2) {
        __syncwarp();
        int other = s[(t + d) % 32][0];
        __syncwarp();
        s[t][0] += other;
    }
    y[t] = s[t][0];
}

//@ launch column_too_soon<<<1, 32>>>(x, y)
//@found race-shared column-store
__global__ void column_too_soon(const int *x, int *y)
{
    __shared__ int s[32][32];
    int t = threadIdx.x;
    s[t][0] = x[t];
    __syncwarp();
    int other = s[(t + 5) % 32][0];
    s[t][0] = other + 1; // column-store
    __syncwarp();
    y[t] = s[t][0];
}

//@ launch column_unwritten<<<1, 32>>>(x, y)
//@found uninitialized column-load
__global__ void column_unwritten(const int *x, int *y)
{
    __shared__ int s[32][32];
    int t = threadIdx.x;
    if (t != 7)
        s[t][0] = x[t];
    __syncwarp();
    y[t] = s[(t + 1) % 32][0]; // column-load
}

//@ launch own_place<<<1, 64>>>(x, y)
//@found race-shared not-own
__global__ void own_place(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x, base = t / 32 * 32;
    s[t] = x[t];
    __syncwarp();
    y[t] = s[t]; // not-own
    if (t % 32 == 0)
        s[t] = 0;
    if (t % 32 == 1)
        s[base + 2] = 0; // the place of lane 2, which may not have read it yet
}
