/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pi is estimated by chance. Points are drawn at random in a square with sides of length 1. The
 * part of them in the quarter circle with radius 1 is pi / 4.
 *
 * Each thread draws its share of n points with a generator of cuRAND and counts its hits. It also
 * stores its first point. The kernels differ in how each thread gets random numbers of its own.
 *
 * "//: variant NAME" begins the part of one variant. "//: used by NAME ..." begins a part that
 * these variants need too. A part ends where the next one begins.
 */

//: used by all but own host
#include <curand_kernel.h>

/* This is the generator. You can also use curandStateXORWOW_t or curandStateMRG32k3a_t. */
#ifndef GENERATOR
#define GENERATOR curandStatePhilox4_32_10_t
#endif
typedef GENERATOR State;

//: used by all but host
/* Thread i has this many of n points. */
__device__ __forceinline__ int My_share(int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x, all = gridDim.x * blockDim.x;

    return n / all + (i < n % all);
}

//: used by sequence seeds saved oneseed unsaved
/* Draw so many points. Return how many are in the quarter circle. */
__device__ __forceinline__ unsigned long long Hits(State *state, int points, float2 *first)
{
    unsigned long long hits = 0;

    for (int k = 0; k < points; k++) {
        float x = curand_uniform(state), y = curand_uniform(state);
        if (k == 0)
            *first = make_float2(x, y);
        hits += x * x + y * y <= 1.0f;
    }
    return hits;
}

//: variant sequence
/* One seed for all threads, and a sequence of numbers for each thread. */
extern "C" __global__ void pi_sequence(const unsigned long long seed, const int n, float2 *first,
                                       unsigned long long *hits)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    State state;

    curand_init(seed, i, 0, &state);
    atomicAdd(hits, Hits(&state, My_share(n), &first[i]));
}

//: variant seeds
/* Another seed for each thread. All threads use sequence 0 of their seed. */
extern "C" __global__ void pi_seeds(const unsigned long long seed, const int n, float2 *first,
                                    unsigned long long *hits)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    State state;

    curand_init(seed + i, 0, 0, &state);
    atomicAdd(hits, Hits(&state, My_share(n), &first[i]));
}

//: variant own
/* Philox4x32-10: four random words from a counter and a key. There is no state. */
__device__ __forceinline__ uint4 Philox(uint4 counter, uint2 key)
{
    for (int round = 0; round < 10; round++) {
        unsigned high_x = __umulhi(0xD2511F53u, counter.x), low_x = 0xD2511F53u * counter.x;
        unsigned high_z = __umulhi(0xCD9E8D57u, counter.z), low_z = 0xCD9E8D57u * counter.z;
        counter = make_uint4(high_z ^ counter.y ^ key.x, low_z, high_x ^ counter.w ^ key.y, low_x);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return counter;
}

/* A word as a float above 0, up to 1. */
__device__ __forceinline__ float Uniform(unsigned word)
{
    return word * 0x1p-32f + 0x1p-33f;
}

/* The counter has the number of the draw and the number of the thread, as in cuRAND. */
extern "C" __global__ void pi_own(const unsigned long long seed, const int n, float2 *first,
                                  unsigned long long *hits)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x, points = My_share(n);
    uint2 key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    uint4 words = make_uint4(0, 0, 0, 0);
    unsigned long long my_hits = 0;

    for (int k = 0; k < points; k++) {
        if (k % 2 == 0)
            words = Philox(make_uint4(k / 2, 0, i, 0), key);   /* for two points */
        float x = Uniform(k % 2 == 0 ? words.x : words.z);
        float y = Uniform(k % 2 == 0 ? words.y : words.w);
        if (k == 0)
            first[i] = make_float2(x, y);
        my_hits += x * x + y * y <= 1.0f;
    }
    atomicAdd(hits, my_hits);
}

//: variant host
/*
 * The host's functions of cuRAND have filled the array `points`. The threads only load the points
 * and count their hits.
 */
extern "C" __global__ void pi_host(const int n, const float2 *points, float2 *first,
                                   unsigned long long *hits)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x, all = gridDim.x * blockDim.x;
    unsigned long long my_hits = 0;

    first[i] = points[i];
    for (int k = i; k < n; k += all) {
        float2 p = points[k];
        my_hits += p.x * p.x + p.y * p.y <= 1.0f;
    }
    atomicAdd(hits, my_hits);
}

//: used by saved unsaved
/* Set up a state per thread, once. */
extern "C" __global__ void pi_start(const unsigned long long seed, State *states)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    curand_init(seed, i, 0, &states[i]);
}

//: variant saved
/* One of several launches. It goes on where the launch before has stopped. */
extern "C" __global__ void pi_saved(const int n, State *states, float2 *first,
                                    unsigned long long *hits)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    State state = states[i];   /* a copy in registers is faster than memory */

    atomicAdd(hits, Hits(&state, My_share(n), &first[i]));
    states[i] = state;
}

//: variant normal
/*
 * Normal numbers, with mean 0 and standard deviation 1. The mean of their sizes is sqrt(2 / pi).
 * within[0..2] counts the numbers whose size is at most 1, 2 and 3.
 */
extern "C" __global__ void pi_normal(const unsigned long long seed, const int n, float2 *first,
                                     float *sums, unsigned long long *within)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x, numbers = My_share(n);
    unsigned long long at_most_1 = 0, at_most_2 = 0, at_most_3 = 0;
    float my_sum = 0.0f;
    State state;

    curand_init(seed, i, 0, &state);
    for (int k = 0; k < numbers; k++) {
        float number = curand_normal(&state), size = number < 0.0f ? -number : number;
        if (k == 0)
            first[i] = make_float2(number, size);
        my_sum += size;
        at_most_1 += size <= 1.0f;
        at_most_2 += size <= 2.0f;
        at_most_3 += size <= 3.0f;
    }
    sums[i] = my_sum;
    atomicAdd(&within[0], at_most_1);
    atomicAdd(&within[1], at_most_2);
    atomicAdd(&within[2], at_most_3);
}

//: variant oneseed
/* WRONG: all threads have the same seed and the same sequence, so they draw the same points. */
extern "C" __global__ void pi_oneseed(const unsigned long long seed, const int n, float2 *first,
                                      unsigned long long *hits)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    State state;

    curand_init(seed, 0, 0, &state);
    atomicAdd(hits, Hits(&state, My_share(n), &first[i]));
}

//: variant unsaved
/* WRONG: the state is not stored, so the next launch draws the same points again. */
extern "C" __global__ void pi_unsaved(const int n, State *states, float2 *first,
                                      unsigned long long *hits)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    State state = states[i];

    atomicAdd(hits, Hits(&state, My_share(n), &first[i]));
}
