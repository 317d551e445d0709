// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of cp.async, and waits for them: double buffering, and the memory that a copy reads.
//@first set arch 80
#include <cuda_pipeline.h>

enum { TILE = 128, TILES = 6 };

__global__ void line(int *y, int a, int b)
{
    y[threadIdx.x] = a + b * (int)threadIdx.x;
}

// Sums all tiles, each read backwards, with two buffers. CUT: the step that is missing.
template <int CUT> __global__ void groups(const int *x, int *y)
{
    __shared__ int s[2][TILE];
    int t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&s[0][t], &x[t], sizeof(int)); // fill
    __pipeline_commit();
    for (int i = 0; i < TILES; i++) {
        if (i + 1 < TILES)
            __pipeline_memcpy_async(&s[(i + 1) % 2][t], &x[(i + 1) * TILE + t], sizeof(int)); // fill
        __pipeline_commit();
        if (CUT != 1)
            __pipeline_wait_prior(1);
        if (CUT != 2)
            __syncthreads();
        sum += s[i % 2][TILE - 1 - t]; // use
        if (CUT != 3)
            __syncthreads();
    }
    y[t] = sum;
}

// Right: wait for the group, barrier, read, barrier, and fill again.
//@ array x int 1024 iota; array y int 128 zero; array want int 128 zero
//@ launch line<<<1, 128>>>(want, 2682, -6)
//@none
//@ launch groups<0><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void groups<0>(const int *, int *);

// Wrong: nothing waits for the group.
//@ launch groups<1><<<1, 128>>>(x, y)
//@found race-shared fill
//@may race-shared
template __global__ void groups<1>(const int *, int *);

// Wrong: each thread waits for its own copies only, and reads what other threads copied.
//@ launch groups<2><<<1, 128>>>(x, y)
//@found race-shared use
//@may race-shared
//@may uninitialized
template __global__ void groups<2>(const int *, int *);

// Wrong: the buffer is filled again while other threads may still read it.
//@ launch groups<3><<<1, 128>>>(x, y)
//@found race-shared use
//@may race-shared
template __global__ void groups<3>(const int *, int *);

// The copies read x. Then the threads write x.
template <int CUT> __global__ void source(int *x, int *y)
{
    __shared__ int s[TILE];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &x[t], sizeof(int)); // copy
    __pipeline_commit();
    if (CUT != 1)
        __pipeline_wait_prior(0);
    x[t] = -1; // reuse
    __pipeline_wait_prior(0);
    y[t] = s[t];
}

// Right: the copy has read x before x changes.
//@ fill x iota; fill y zero
//@ launch line<<<1, 128>>>(want, 0, 1)
//@none
//@ launch source<0><<<1, 128>>>(x, y)
//@none
//@ compare y want
//@ compare x[0..127] value:-1
template __global__ void source<0>(int *, int *);

// Wrong: x changes while the copy may still read it.
//@ fill x iota
//@ launch source<1><<<1, 128>>>(x, y)
//@found race-global copy
template __global__ void source<1>(int *, int *);

// Wrong: another thread changes x after a barrier, but no thread has waited for the copy.
//@ fill x iota
//@ launch source_met<<<1, 128>>>(x, y)
//@found race-global copy-met
__global__ void source_met(int *x, int *y)
{
    __shared__ int s[TILE];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &x[t], sizeof(int)); // copy-met
    __pipeline_commit();
    __syncthreads();
    x[TILE - 1 - t] = -1; // copy-met
    __pipeline_wait_prior(0);
    y[t] = s[t];
}

// Right: each thread waits for its copy before the barrier.
//@ fill x iota
//@ launch source_waited<<<1, 128>>>(x, y)
//@none
__global__ void source_waited(int *x, int *y)
{
    __shared__ int s[TILE];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &x[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    x[TILE - 1 - t] = -1;
    y[t] = s[t];
}
