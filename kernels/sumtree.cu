/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Up to 32 threads of one warp add one value each to *total: one kernel for each way.
 *
 * Thread i has value[i]. Threads below `first` have nothing to add: their value is 0. Each
 * kernel stores the values of its threads after each step in after[step][thread]. Step 0 is the
 * start. source[step][thread] is the thread that was read in this step. The host draws both.
 *
 * "//: variant NAME" begins the part of one variant. "//: used by NAME ..." begins a part that
 * these variants need too. A part ends where the next one begins.
 */

//: used by tree shuffle dissemination butterfly
#define MOST 32      /* threads */
#define NOBODY (-1)

/* Store the value of this thread after a step, and the thread that it read. */
__device__ __forceinline__ void Note(float *after, int *source, int step, float holds, int reads)
{
    after[step * MOST + threadIdx.x] = holds;
    source[step * MOST + threadIdx.x] = reads;
}

//: used by all
/* The lanes of the warp that exist. */
__device__ __forceinline__ unsigned All_lanes(void)
{
    return 0xffffffffu >> (32 - blockDim.x);
}

//: used by linear tree shuffle dissemination butterfly
__device__ __forceinline__ float My_value(const float *value, int first)
{
    return (int)threadIdx.x >= first ? value[threadIdx.x] : 0.0f;
}

//: variant linear
/*
 * Each thread adds to *total by itself, one at a time. CUDA defines no order, so it is fixed
 * here: turn[i] is the turn of thread i. before[t] is what turn t found.
 */
extern "C" __global__ void sumtree_linear(const float *value, int first, const int *turn,
                                          float *total, float *before)
{
    int my_turn = turn[threadIdx.x];
    float my_value = My_value(value, first);

    for (int t = 0; t < blockDim.x; t++) {
        if (t == my_turn)
            before[t] = atomicAdd(total, my_value);
        __syncwarp(All_lanes());
    }
}

//: variant noguard
/* WRONG: no thread tests whether it has a value, so f(x_0) is added a second time. */
extern "C" __global__ void sumtree_noguard(const float *value, int first, const int *turn,
                                           float *total, float *before)
{
    int my_turn = turn[threadIdx.x];
    float my_value = value[threadIdx.x];

    for (int t = 0; t < blockDim.x; t++) {
        if (t == my_turn)
            before[t] = atomicAdd(total, my_value);
        __syncwarp(All_lanes());
    }
}

//: variant tree
/* Of `left` values, the upper half is added to the lower half, until one value is left. */
extern "C" __global__ void sumtree_tree(const float *value, int first, float *total, float *after,
                                        int *source)
{
    __shared__ float sums[MOST];
    int i = threadIdx.x, step = 0;

    sums[i] = My_value(value, first);
    Note(after, source, step, sums[i], NOBODY);
    for (int left = blockDim.x, half; left > 1; left = half) {
        half = (left + 1) / 2;
        __syncthreads();
        bool adds = i + half < left;
        if (adds)
            sums[i] += sums[i + half];
        Note(after, source, ++step, sums[i], adds ? i + half : NOBODY);
    }
    if (i == 0)
        atomicAdd(total, sums[0]);
}

//: variant shuffle
/*
 * The same in registers: lane i adds the value of lane i + diff. If there is no such lane, a
 * lane gets its own value and doubles it. No lane reads this value again.
 */
extern "C" __global__ void sumtree_shuffle(const float *value, int first, float *total,
                                           float *after, int *source)
{
    int lanes = blockDim.x, i = threadIdx.x, step = 0;
    float sum = My_value(value, first);

    Note(after, source, step, sum, NOBODY);
    for (int diff = lanes / 2; diff > 0; diff /= 2) {
        sum += __shfl_down_sync(All_lanes(), sum, diff, lanes);
        Note(after, source, ++step, sum, i + diff < lanes ? i + diff : i);
    }
    if (i == 0)
        atomicAdd(total, sum);
}

//: variant dissemination
/* In shared memory, every lane reads the lane diff places further, in a ring. All get the sum. */
extern "C" __global__ void sumtree_dissemination(const float *value, int first, float *total,
                                                 float *after, int *source)
{
    __shared__ float sums[MOST];
    int lanes = blockDim.x, i = threadIdx.x, step = 0;

    sums[i] = My_value(value, first);
    Note(after, source, step, sums[i], NOBODY);
    __syncwarp(All_lanes());
    for (int diff = lanes / 2; diff > 0; diff /= 2) {
        float other = sums[(i + diff) % lanes];
        __syncwarp(All_lanes());
        sums[i] += other;
        __syncwarp(All_lanes());
        Note(after, source, ++step, sums[i], (i + diff) % lanes);
    }
    if (i == 0)
        atomicAdd(total, sums[0]);
}

//: variant butterfly
/* Pairs of lanes exchange their values, and both add. All lanes get the sum. */
extern "C" __global__ void sumtree_butterfly(const float *value, int first, float *total,
                                             float *after, int *source)
{
    int lanes = blockDim.x, i = threadIdx.x, step = 0;
    float sum = My_value(value, first);

    Note(after, source, step, sum, NOBODY);
    for (int diff = lanes / 2; diff > 0; diff /= 2) {
        sum += __shfl_xor_sync(All_lanes(), sum, diff, lanes);
        Note(after, source, ++step, sum, i ^ diff);
    }
    if (i == 0)
        atomicAdd(total, sum);
}
