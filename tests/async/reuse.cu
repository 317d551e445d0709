// SPDX-License-Identifier: GPL-3.0-or-later
// An mbarrier is used again: it is initialized once more, its memory serves another purpose, or its
// next phase is over, while threads may still wait for the phase before.
//@first set arch 80
#include <cuda/barrier>
#include <utility>

#pragma nv_diag_suppress 20054
#pragma nv_diag_suppress static_var_with_dynamic_init

using barrier = cuda::barrier<cuda::thread_scope_block>;
using word = unsigned long long;
enum { TILE = 128, ROUNDS = 4 };

static __device__ unsigned place(word *b)
{
    return (unsigned)__cvta_generic_to_shared(b);
}

#define START(b, n) \
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(place(&(b))), "r"(n) : "memory")
#define END(b) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(place(&(b))) : "memory")
#define ARRIVE(b) \
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(place(&(b))) \
                 : "memory")
#define WAIT(b, parity) \
    while (!over(&(b), parity)) \
        ;

static __device__ __forceinline__ int over(word *b, int parity)
{
    int is;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2;"
                 " selp.b32 %0, 1, 0, p; }"
                 : "=r"(is) : "r"(place(b)), "r"(parity) : "memory"); // look
    return is;
}

__global__ void line(int *y, int a, int b)
{
    y[threadIdx.x] = a + b * (int)threadIdx.x;
}

// One mbarrier serves for two exchanges. It is initialized again between them. CUT: the step that is
// missing.
template <int CUT> __global__ void again(const int *x, int *y)
{
    __shared__ int s[TILE];
    __shared__ word b;
    int t = threadIdx.x, sum;
    if (t == 0)
        START(b, TILE);
    __syncthreads();
    s[t] = x[t];
    ARRIVE(b);
    WAIT(b, 0); // leave
    sum = s[TILE - 1 - t];
    if (CUT != 1)
        __syncthreads();
    if (t == 0) {
        if (CUT == 3)
            END(b);
        START(b, TILE); // start
    }
    if (CUT != 2)
        __syncthreads();
    s[t] = x[TILE + t]; // second
    ARRIVE(b); // come
    WAIT(b, 0); // meet
    y[t] = sum + s[TILE - 1 - t]; // second
}

// Right: all threads have left the wait, and all know that the mbarrier begins again.
//@ array x int 1024 iota; array y int 128 zero; array want int 128 zero
//@ launch line<<<1, 128>>>(want, 382, -2)
//@none
//@ launch again<0><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void again<0>(const int *, int *);

// Right: it is ended before.
//@ fill y zero
//@ launch again<3><<<1, 128>>>(x, y)
//@none
//@ compare y want
template __global__ void again<3>(const int *, int *);

// Wrong: threads may still be in the wait.
//@ launch again<1><<<1, 128>>>(x, y)
//@found race-shared start
//@may race-shared
//@may uninitialized
//@may deadlock
template __global__ void again<1>(const int *, int *);

// Wrong: threads arrive before it begins again.
//@ launch again<2><<<1, 128>>>(x, y)
//@found race-shared start
//@may race-shared
//@may trap
//@may deadlock
template __global__ void again<2>(const int *, int *);

// The memory of the mbarrier serves for something else. CUT: the missing step.
template <int CUT> __global__ void overlay(int *y)
{
    __shared__ union { word b; int number; } u;
    int t = threadIdx.x;
    if (t == 0)
        START(u.b, TILE);
    __syncthreads();
    ARRIVE(u.b);
    WAIT(u.b, 0); // all
    if (CUT != 1)
        __syncthreads();
    if (t == 0) {
        END(u.b); // end
        u.number = 7; // end
    }
    __syncthreads();
    y[t] = u.number;
}

// Right: all threads have left the wait.
//@ launch overlay<0><<<1, 128>>>(y)
//@none
//@ compare y value:7
template __global__ void overlay<0>(int *);

// Wrong: threads may still be in the wait.
//@ launch overlay<1><<<1, 128>>>(y)
//@found race-shared end
//@may race-shared
//@may trap
template __global__ void overlay<1>(int *);

// Thread 0 gives the other threads a number in each round. CUT: the missing step.
template <int CUT> __global__ void rounds(const int *x, int *y)
{
    __shared__ int s;
    __shared__ word full, empty;
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        START(full, 1);
        START(empty, TILE - 32);
    }
    __syncthreads();
    for (int i = 0; t == 0 && i < ROUNDS; i++) {
        if (CUT != 1 && i > 0)
            WAIT(empty, (i - 1) & 1);
        s = x[i];
        ARRIVE(full); // give
    }
    for (int i = 0; t >= 32 && i < ROUNDS; i++) {
        WAIT(full, i & 1);
        sum += s;
        ARRIVE(empty);
    }
    y[t] = t < 32 ? 6 : sum;
}

// Right: thread 0 waits until all have the number of the round before.
//@ launch rounds<0><<<1, 128>>>(x, y)
//@none
//@ compare y value:6
template __global__ void rounds<0>(const int *, int *);

// Wrong: thread 0 completes phases that the others may not have seen.
//@ launch rounds<1><<<1, 128>>>(x, y)
//@found deadlock look
//@or race-shared
//@may race-shared
//@may deadlock
template __global__ void rounds<1>(const int *, int *);

// Half of the threads arrive, all wait. CUT: the missing step.
template <int CUT> __global__ void some(int *y)
{
    __shared__ word b;
    int t = threadIdx.x;
    if (t == 0)
        START(b, TILE / 2);
    __syncthreads();
    for (int i = 0; i < ROUNDS; i++) {
        if (t < TILE / 2)
            ARRIVE(b); // some
        WAIT(b, i & 1); // some
        if (CUT != 1)
            __syncthreads();
    }
    y[t] = t;
}

// Right: all have left the wait before the next phase can end.
//@ launch line<<<1, 128>>>(want, 0, 1)
//@none
//@ launch some<0><<<1, 128>>>(y)
//@none
//@ compare y want
template __global__ void some<0>(int *);

// Wrong: two phases may end before a thread of the other half looks.
//@ launch some<1><<<1, 128>>>(y)
//@found race-shared some
//@or deadlock
//@may race-shared
//@may deadlock
template __global__ void some<1>(int *);

// Right: all threads arrive, so no phase can end before all have left the phase before.
//@ fill y zero
//@ launch told<<<1, 128>>>(y)
//@none
//@ compare y want
__global__ void told(int *y)
{
    __shared__ barrier b;
    int t = threadIdx.x;
    if (t == 0)
        init(&b, TILE);
    __syncthreads();
    for (int i = 0; i < ROUNDS; i++) {
        barrier::arrival_token token = b.arrive();
        b.wait(std::move(token));
    }
    y[t] = t;
}

// Wrong: a thread arrives for the next phase before it has waited for this one.
//@ launch late<<<1, 128>>>(y)
//@found race-shared late
//@or deadlock
//@or trap
//@may race-shared
//@may deadlock
//@may trap
__global__ void late(int *y)
{
    __shared__ barrier b;
    int t = threadIdx.x;
    if (t == 0)
        init(&b, TILE);
    __syncthreads();
    barrier::arrival_token token = b.arrive();
    if (t < 64)
        b.wait(std::move(token)); // late
    barrier::arrival_token next = b.arrive(); // late
    if (t >= 64)
        b.wait(std::move(token)); // late
    b.wait(std::move(next)); // late
    y[t] = t;
}
