/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The trapezoidal rule: one kernel for each way to add up the terms.
 *
 * All kernels work alike. The host sets *trap_p to (f(a) + f(b)) / 2. The kernel adds f(x_1) ...
 * f(x_(n-1)). Thread i takes x_i = a + i h. At the end, the host multiplies by h. Each wrong
 * kernel has one mistake. They are at the end of the file.
 *
 * "//: variant NAME" begins the part of one variant. "//: used by NAME ..." begins a part that
 * these variants need too. A part ends where the next one begins.
 */

//: used by all
#include "lab_sums.h"    /* sums over a warp and over a block */
#define MAX_BLKSZ 1024   /* the maximum number of threads in a block */

#ifdef F_IS_CALLED
/* This is a real call, so cudalab can replace the body. The asm hides the result. */
extern "C" __device__ __noinline__ float trap_f(float x)
{
    float y = x * x + 1.0f;
    asm volatile("" : "+f"(y));
    return y;
}
#define f trap_f
#else
__device__ __forceinline__ float f(float x)
{
    return x * x + 1.0f;
}
#endif

//: used by shared block-shared two-barriers samebank zerofill reuse
/*
 * Dissemination sum of 32 values in shared memory. Every lane gets the sum. Lanes of a warp may
 * run apart. So all lanes must read before one writes, and all must write before one reads.
 */
__device__ __forceinline__ float Shared_mem_sum(float shared_vals[])
{
    int my_lane = threadIdx.x % WARPSZ;

    __syncwarp();
    for (int diff = WARPSZ / 2; diff > 0; diff /= 2) {
        int source = (my_lane + diff) % WARPSZ;
        float other = shared_vals[source];
        __syncwarp();
        shared_vals[my_lane] += other;
        __syncwarp();
    }
    return shared_vals[my_lane];
}

//: used by block-shared two-barriers samebank zerofill reuse
/* The same if only the first `lanes` lanes exist. This is a tree, and lane 0 has the sum. */
__device__ __forceinline__ float Part_shared_sum(float shared_vals[], int lanes)
{
    if (lanes == WARPSZ)
        return Shared_mem_sum(shared_vals);

    unsigned mask = (1u << lanes) - 1;
    int my_lane = threadIdx.x % WARPSZ;
    __syncwarp(mask);
    for (int diff = WARPSZ / 2; diff > 0; diff /= 2) {
        float other = my_lane + diff < lanes ? shared_vals[my_lane + diff] : 0.0f;
        __syncwarp(mask);
        shared_vals[my_lane] += other;
        __syncwarp(mask);
    }
    return shared_vals[my_lane];
}

//: used by shared block-shared two-barriers samebank lockstep zerofill reuse
/* f(x_i) of this thread, or 0 if i is not one of 1 ... n-1. */
__device__ __forceinline__ float My_trap(float a, float h, int n)
{
    int my_i = blockDim.x * blockIdx.x + threadIdx.x;

    if (0 < my_i && my_i < n)
        return f(a + my_i * h);
    return 0.0f;
}

//: variant atomic
/* Each thread does one atomic addition. It is right but slow: all wait at one address. */
extern "C" __global__ void trap_atomic(const float a, const float b, const float h, const int n,
                                       float *trap_p)
{
    int my_i = blockDim.x * blockIdx.x + threadIdx.x;

    if (0 < my_i && my_i < n) {
        float my_x = a + my_i * h;
        float my_trap = f(my_x);
        atomicAdd(trap_p, my_trap);
    }
}

//: variant shuffle
/* Each warp adds its values in registers, with one atomic per warp. All warps must be full. */
extern "C" __global__ void trap_shuffle(const float a, const float b, const float h, const int n,
                                        float *trap_p)
{
    int my_i = blockDim.x * blockIdx.x + threadIdx.x;
    float my_trap = 0.0f;

    if (0 < my_i && my_i < n) {
        float my_x = a + my_i * h;
        my_trap = f(my_x);
    }
    float result = Warp_sum(my_trap);

    if (threadIdx.x % WARPSZ == 0)
        atomicAdd(trap_p, result);
}

//: variant shared
/* Each warp adds its values in its own piece of shared memory. All warps must be full. */
extern "C" __global__ void trap_shared(const float a, const float b, const float h, const int n,
                                       float *trap_p)
{
    __shared__ float thread_calcs[MAX_BLKSZ];
    int my_warp = threadIdx.x / WARPSZ;
    int my_lane = threadIdx.x % WARPSZ;
    float *shared_vals = thread_calcs + my_warp * WARPSZ;

    shared_vals[my_lane] = My_trap(a, h, n);
    float result = Shared_mem_sum(shared_vals);

    if (my_lane == 0)
        atomicAdd(trap_p, result);
}

//: variant block-shuffle
/* Warps add by shuffle, and warp 0 adds the warp sums. Each block, of any size, has one atomic. */
extern "C" __global__ void trap_block_shuffle(const float a, const float b, const float h,
                                              const int n, float *trap_p)
{
    __shared__ float warp_sum_arr[WARPSZ];
    int my_i = blockDim.x * blockIdx.x + threadIdx.x;
    float my_trap = 0.0f;

    if (0 < my_i && my_i < n) {
        float my_x = a + my_i * h;
        my_trap = f(my_x);
    }
    float blk_result = Block_sum(my_trap, warp_sum_arr);

    if (threadIdx.x == 0)
        atomicAdd(trap_p, blk_result);
}

//: variant block-1024
/*
 * The same for blocks of full warps. There is no test for lanes, and all warps except the first
 * are done at the barrier. It is made for large blocks.
 */
extern "C" __global__ void trap_block_1024(const float a, const float b, const float h,
                                           const int n, float *trap_p)
{
    __shared__ float warp_sum_arr[WARPSZ];
    int my_i = blockDim.x * blockIdx.x + threadIdx.x;
    int my_warp = threadIdx.x / WARPSZ;
    int my_lane = threadIdx.x % WARPSZ;
    float my_trap = 0.0f;

    if (0 < my_i && my_i < n) {
        float my_x = a + my_i * h;
        my_trap = f(my_x);
    }
    float result = Warp_sum(my_trap);
    if (my_lane == 0)
        warp_sum_arr[my_warp] = result;
    __syncthreads();
    if (my_warp > 0)
        return;

    result = Warp_sum(my_lane < Block_warps() ? warp_sum_arr[my_lane] : 0.0f);
    if (my_lane == 0)
        atomicAdd(trap_p, result);
}

//: variant block-shared
/* The same in shared memory: one array for the threads' values, another for the warp sums. */
extern "C" __global__ void trap_block_shared(const float a, const float b, const float h,
                                             const int n, float *trap_p)
{
    __shared__ float thread_calcs[MAX_BLKSZ];
    __shared__ float warp_sum_arr[WARPSZ];
    int my_warp = threadIdx.x / WARPSZ;
    int my_lane = threadIdx.x % WARPSZ;
    float *shared_vals = thread_calcs + my_warp * WARPSZ;
    float blk_result = 0.0f;

    shared_vals[my_lane] = My_trap(a, h, n);
    float my_result = Part_shared_sum(shared_vals, Warp_lanes());
    if (my_lane == 0)
        warp_sum_arr[my_warp] = my_result;
    __syncthreads();

    if (my_warp == 0) {
        if (my_lane >= Block_warps())
            warp_sum_arr[my_lane] = 0.0f;
        blk_result = Part_shared_sum(warp_sum_arr, Warp_lanes());
    }
    if (threadIdx.x == 0)
        atomicAdd(trap_p, blk_result);
}

//: variant two-barriers
/* One array is enough for both. It needs two barriers: before the store, and before the read. */
extern "C" __global__ void trap_two_barriers(const float a, const float b, const float h,
                                             const int n, float *trap_p)
{
    __shared__ float thread_calcs[MAX_BLKSZ];
    int my_warp = threadIdx.x / WARPSZ;
    int my_lane = threadIdx.x % WARPSZ;
    float *shared_vals = thread_calcs + my_warp * WARPSZ;
    float blk_result = 0.0f;

    shared_vals[my_lane] = My_trap(a, h, n);
    float my_result = Part_shared_sum(shared_vals, Warp_lanes());
    __syncthreads();
    if (my_lane == 0)
        thread_calcs[my_warp] = my_result;
    __syncthreads();

    if (my_warp == 0) {
        if (my_lane >= Block_warps())
            thread_calcs[my_lane] = 0.0f;
        blk_result = Part_shared_sum(thread_calcs, Warp_lanes());
    }
    if (threadIdx.x == 0)
        atomicAdd(trap_p, blk_result);
}

//: variant samebank
/* Each warp stores its sum in its first element. They are 32 words apart, all in one bank. */
extern "C" __global__ void trap_samebank(const float a, const float b, const float h, const int n,
                                         float *trap_p)
{
    __shared__ float thread_calcs[MAX_BLKSZ];
    int my_warp = threadIdx.x / WARPSZ;
    int my_lane = threadIdx.x % WARPSZ;
    float *shared_vals = thread_calcs + my_warp * WARPSZ;

    shared_vals[my_lane] = My_trap(a, h, n);
    float result = Part_shared_sum(shared_vals, Warp_lanes());
    if (my_lane == 0)
        shared_vals[0] = result;
    __syncthreads();

    /* A block of one warp has its sum already. */
    if (my_warp == 0 && Block_warps() > 1) {
        if (my_lane >= Block_warps())
            thread_calcs[WARPSZ * my_lane] = 0.0f;
        __syncwarp();
        for (int diff = WARPSZ / 2; diff > 0; diff /= 2) {
            int source = (my_lane + diff) % WARPSZ;
            float other = thread_calcs[WARPSZ * source];
            __syncwarp();
            thread_calcs[WARPSZ * my_lane] += other;
            __syncwarp();
        }
        result = thread_calcs[WARPSZ * my_lane];
    }
    if (threadIdx.x == 0)
        atomicAdd(trap_p, result);
}

//: variant gridstride
/* Each thread adds many terms, one grid apart. So any grid is right for any n. */
extern "C" __global__ void trap_gridstride(const float a, const float b, const float h,
                                           const int n, float *trap_p)
{
    __shared__ float warp_sum_arr[WARPSZ];
    int my_i = blockDim.x * blockIdx.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    float my_trap = 0.0f;

    for (int i = my_i; i < n; i += stride)
        if (i > 0)
            my_trap += f(a + i * h);
    float blk_result = Block_sum(my_trap, warp_sum_arr);

    if (threadIdx.x == 0)
        atomicAdd(trap_p, blk_result);
}

//: variant race
/* WRONG: load, add and store are three steps. What other threads add in between is lost. */
extern "C" __global__ void trap_race(const float a, const float b, const float h, const int n,
                                     float *trap_p)
{
    int my_i = blockDim.x * blockIdx.x + threadIdx.x;

    if (0 < my_i && my_i < n) {
        float my_x = a + my_i * h;
        float my_trap = f(my_x);
        *trap_p += my_trap;
    }
}

//: variant private
/*
 * WRONG: each thread has its own h and trap. Thread 0 sets only its own. The host has passed h =
 * 0, so the other threads work at x = a. They add to a trap that is never read. Thread 0
 * multiplies by h here, so the host must not.
 */
extern "C" __global__ void trap_private(const float a, const float b, float h, const int n,
                                        float *trap_p)
{
    int my_i = blockDim.x * blockIdx.x + threadIdx.x;
    volatile float trap = 0.0f;   /* volatile keeps the compiler from removing the lost work */

    if (my_i == 0) {
        h = (b - a) / n;
        trap = 0.5f * (f(a) + f(b));
    }
    if (0 < my_i && my_i < n) {
        float my_x = a + my_i * h;
        trap += f(my_x);
    }
    if (my_i == 0)
        *trap_p = trap * h;
}

//: variant init-race
/* WRONG: thread 0 sets the start value, but other threads may have added already. */
extern "C" __global__ void trap_init_race(const float a, const float b, const float h, const int n,
                                          float *trap_p)
{
    int my_i = blockDim.x * blockIdx.x + threadIdx.x;

    if (my_i == 0)
        *trap_p = 0.5f * (f(a) + f(b));
    if (0 < my_i && my_i < n) {
        float my_x = a + my_i * h;
        float my_trap = f(my_x);
        atomicAdd(trap_p, my_trap);
    }
}

//: variant norange
/* WRONG: without a test of my_i, f(x_0) and all terms from x_n on are added too. */
extern "C" __global__ void trap_norange(const float a, const float b, const float h, const int n,
                                        float *trap_p)
{
    int my_i = blockDim.x * blockIdx.x + threadIdx.x;
    float my_x = a + my_i * h;
    float my_trap = f(my_x);

    atomicAdd(trap_p, my_trap);
}

//: variant noscale
/* WRONG with its host: the sum is right, but it is never multiplied by h. */
extern "C" __global__ void trap_noscale(const float a, const float b, const float h, const int n,
                                        float *trap_p)
{
    int my_i = blockDim.x * blockIdx.x + threadIdx.x;
    float my_trap = 0.0f;

    if (0 < my_i && my_i < n) {
        float my_x = a + my_i * h;
        my_trap = f(my_x);
    }
    float result = Warp_sum(my_trap);

    if (threadIdx.x % WARPSZ == 0)
        atomicAdd(trap_p, result);
}

//: variant partial
/* WRONG for 40 threads, for example: the last warp has 8 lanes, and they read missing lanes. */
extern "C" __global__ void trap_partial(const float a, const float b, const float h, const int n,
                                        float *trap_p)
{
    int my_i = blockDim.x * blockIdx.x + threadIdx.x;
    float my_trap = 0.0f;

    if (0 < my_i && my_i < n) {
        float my_x = a + my_i * h;
        my_trap = f(my_x);
    }
    float result = Warp_sum(my_trap);   /* the mask names 32 lanes */

    if (threadIdx.x % WARPSZ == 0)
        atomicAdd(trap_p, result);
}

//: used by lockstep zerofill
/* WRONG since compute capability 7.0: the 32 lanes may run apart. */
__device__ __forceinline__ float Lockstep_sum(volatile float shared_vals[])
{
    int my_lane = threadIdx.x % WARPSZ;

    for (int diff = WARPSZ / 2; diff > 0; diff /= 2) {
        int source = (my_lane + diff) % WARPSZ;
        shared_vals[my_lane] += shared_vals[source];
    }
    return shared_vals[my_lane];
}

//: variant lockstep
/* `shared` without its warp barriers. It is right on old devices, where a warp runs in lockstep. */
extern "C" __global__ void trap_lockstep(const float a, const float b, const float h, const int n,
                                         float *trap_p)
{
    __shared__ volatile float thread_calcs[MAX_BLKSZ];
    int my_warp = threadIdx.x / WARPSZ;
    int my_lane = threadIdx.x % WARPSZ;
    volatile float *shared_vals = thread_calcs + my_warp * WARPSZ;

    shared_vals[my_lane] = My_trap(a, h, n);
    float result = Lockstep_sum(shared_vals);

    if (my_lane == 0)
        atomicAdd(trap_p, result);
}

//: variant zerofill
/*
 * WRONG since compute capability 7.0: the last sum adds 32 values, so lanes without a warp store
 * zeros. No barrier makes the other lanes wait for these zeros. And blockDim.x / 32 rounds down:
 * if the last warp is not full, a zero replaces its sum.
 */
extern "C" __global__ void trap_zerofill(const float a, const float b, const float h, const int n,
                                         float *trap_p)
{
    __shared__ float thread_calcs[MAX_BLKSZ];
    __shared__ volatile float warp_sum_arr[WARPSZ];
    int my_warp = threadIdx.x / WARPSZ;
    int my_lane = threadIdx.x % WARPSZ;
    float *shared_vals = thread_calcs + my_warp * WARPSZ;
    float blk_result = 0.0f;

    shared_vals[my_lane] = My_trap(a, h, n);
    float my_result = Part_shared_sum(shared_vals, Warp_lanes());
    if (my_lane == 0)
        warp_sum_arr[my_warp] = my_result;
    __syncthreads();

    if (my_warp == 0) {
        if (threadIdx.x >= blockDim.x / WARPSZ)
            warp_sum_arr[threadIdx.x] = 0.0f;
        /* __syncwarp() is missing here */
        blk_result = Lockstep_sum(warp_sum_arr);
    }
    if (threadIdx.x == 0)
        atomicAdd(trap_p, blk_result);
}

//: variant nobarrier
/* WRONG: warp 0 reads the warp sums without waiting until the other warps have stored them. */
extern "C" __global__ void trap_nobarrier(const float a, const float b, const float h, const int n,
                                          float *trap_p)
{
    __shared__ float warp_sum_arr[WARPSZ];
    int my_i = blockDim.x * blockIdx.x + threadIdx.x;
    int my_warp = threadIdx.x / WARPSZ;
    int my_lane = threadIdx.x % WARPSZ;
    float my_trap = 0.0f;

    if (0 < my_i && my_i < n) {
        float my_x = a + my_i * h;
        my_trap = f(my_x);
    }
    float result = Part_warp_sum(my_trap, Warp_lanes());
    if (my_lane == 0)
        warp_sum_arr[my_warp] = result;
    /* __syncthreads() is missing here */

    if (my_warp == 0) {
        result = my_lane < Block_warps() ? warp_sum_arr[my_lane] : 0.0f;
        result = Part_warp_sum(result, Warp_lanes());
    }
    if (threadIdx.x == 0)
        atomicAdd(trap_p, result);
}

//: variant reuse
/* WRONG: a warp stores its sum between the values of warp 0, which may still add them. */
extern "C" __global__ void trap_reuse(const float a, const float b, const float h, const int n,
                                      float *trap_p)
{
    __shared__ float thread_calcs[MAX_BLKSZ];
    int my_warp = threadIdx.x / WARPSZ;
    int my_lane = threadIdx.x % WARPSZ;
    float *shared_vals = thread_calcs + my_warp * WARPSZ;
    float blk_result = 0.0f;

    shared_vals[my_lane] = My_trap(a, h, n);
    float my_result = Part_shared_sum(shared_vals, Warp_lanes());
    /* __syncthreads() is missing here */
    if (my_lane == 0)
        thread_calcs[my_warp] = my_result;
    __syncthreads();

    if (my_warp == 0) {
        if (my_lane >= Block_warps())
            thread_calcs[my_lane] = 0.0f;
        blk_result = Part_shared_sum(thread_calcs, Warp_lanes());
    }
    if (threadIdx.x == 0)
        atomicAdd(trap_p, blk_result);
}
