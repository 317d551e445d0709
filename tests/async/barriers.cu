// SPDX-License-Identifier: GPL-3.0-or-later
// cuda::barrier of a block: threads arrive and wait, and the barrier waits for copies.
//@first set arch 80
#include <cuda/barrier>
#include <cuda_awbarrier_primitives.h>
#include <utility>

#pragma nv_diag_suppress 20054
#pragma nv_diag_suppress static_var_with_dynamic_init

using barrier = cuda::barrier<cuda::thread_scope_block>;
enum { TILE = 128, TILES = 4 };

__global__ void line(int *y, int a, int b)
{
    y[threadIdx.x] = a + b * (int)threadIdx.x;
}

// In each round a thread writes a number and reads another thread's. CUT: the missing step.
template <int CUT> __global__ void rounds(const int *x, int *y)
{
    __shared__ int s[TILE];
    __shared__ barrier b;
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        init(&b, TILE); // meet
    if (CUT != 1)
        __syncthreads();
    for (int i = 0; i < TILES; i++) {
        s[t] = x[i * TILE + t]; // leave
        if (CUT == 2)
            (void)b.arrive();
        else
            b.arrive_and_wait(); // meet
        sum += s[TILE - 1 - t];  // take
        if (CUT != 3)
            b.arrive_and_wait(); // meet
    }
    y[t] = sum;
}

// Right: a barrier after each step.
//@ array x int 1024 iota; array y int 128 zero; array want int 128 zero
//@ launch line<<<1, 128>>>(want, 1276, -4)
//@none
//@ launch rounds<0><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void rounds<0>(const int *, int *);

// Wrong: no thread waits until the barrier is initialized.
//@ launch rounds<1><<<1, 128>>>(x, y)
//@found race-shared meet
//@or uninitialized
//@may race-shared
//@may trap
template __global__ void rounds<1>(const int *, int *);

// Wrong: the threads arrive, but do not wait.
//@ launch rounds<2><<<1, 128>>>(x, y)
//@found race-shared take
//@may race-shared
//@may uninitialized
//@may deadlock
template __global__ void rounds<2>(const int *, int *);

// Wrong: a thread writes the next number while another thread may still read this one.
//@ launch rounds<3><<<1, 128>>>(x, y)
//@found race-shared take
template __global__ void rounds<3>(const int *, int *);

// The barrier waits for copies. The program keeps the state that the arrival returned.
template <int CUT> __global__ void copies(const int *x, int *y)
{
    __shared__ int s[TILE];
    __shared__ barrier b;
    int t = threadIdx.x;
    if (t == 0)
        init(&b, TILE);
    __syncthreads();
    cuda::memcpy_async(&s[t], &x[t], sizeof(int), b); // fill-copies
    barrier::arrival_token token = b.arrive();
    if (CUT != 1)
        b.wait(std::move(token));
    y[t] = s[TILE - 1 - t]; // use-copies
}

// Right: all threads wait.
//@ fill y zero
//@ launch line<<<1, 128>>>(want, 127, -1)
//@none
//@ launch copies<0><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void copies<0>(const int *, int *);

// Wrong: no thread waits.
//@ launch copies<1><<<1, 128>>>(x, y)
//@found race-shared use-copies
//@may uninitialized
//@may race-shared
template __global__ void copies<1>(const int *, int *);

// Wrong: only one warp waits; the other warps go on.
//@ launch one_waits<<<1, 128>>>(x, y)
//@found race-shared use-one
//@may uninitialized
__global__ void one_waits(const int *x, int *y)
{
    __shared__ int s[TILE];
    __shared__ barrier b;
    int t = threadIdx.x;
    if (t == 0)
        init(&b, TILE);
    __syncthreads();
    cuda::memcpy_async(&s[t], &x[t], sizeof(int), b); // use-one
    barrier::arrival_token token = b.arrive();
    if (t < 32)
        b.wait(std::move(token));
    y[t] = s[TILE - 1 - t]; // use-one
}

// Wrong: the barrier expects one thread more than arrive.
//@ launch too_few<<<1, 128>>>(y)
//@found deadlock come-few
__global__ void too_few(int *y)
{
    __shared__ barrier full;
    int t = threadIdx.x;
    if (t == 0)
        init(&full, TILE + 1);
    __syncthreads();
    full.arrive_and_wait(); // come-few
    y[t] = t;
}

// Wrong: more threads arrive than the barrier expects.
//@ launch too_many<<<1, 128>>>(y)
//@found trap come-many
__global__ void too_many(int *y)
{
    __shared__ __mbarrier_t full;
    int t = threadIdx.x;
    if (t == 0)
        __mbarrier_init(&full, TILE / 4 + 1);
    __syncthreads();
    __mbarrier_arrive_and_drop(&full); // come-many
    y[t] = t;
}

// Wrong: a thread dropped out of the barrier, and arrives again.
//@ launch left<<<1, 64>>>(y)
//@found deadlock stay
__global__ void left(int *y)
{
    __shared__ barrier b;
    int t = threadIdx.x;
    if (t == 0)
        init(&b, 65);
    __syncthreads();
    if (t < 32)
        b.arrive_and_drop();
    else
        b.arrive_and_wait(); // stay
    y[t] = t;
}

// Right: half of the threads drop out, and do not arrive again.
//@ fill y zero
//@ launch drop<<<1, 64>>>(y)
//@none
//@ compare y[0..31] value:3
__global__ void drop(int *y)
{
    __shared__ barrier b;
    __shared__ int n;
    int t = threadIdx.x;
    if (t == 0) {
        init(&b, 64);
        n = 0;
    }
    __syncthreads();
    if (t >= 32) {
        b.arrive_and_drop();
        return;
    }
    for (int i = 0; i < 3; i++) {
        b.arrive_and_wait();
        if (t == 0)
            n++;
        b.arrive_and_wait();
    }
    y[t] = n;
}
