// SPDX-License-Identifier: GPL-3.0-or-later
// Waits at an mbarrier for the wrong phase (compute capability 9.0).
//@first set arch 90
#include <cuda/ptx>

namespace ptx = cuda::ptx;
using u64 = cuda::std::uint64_t;
using u32 = cuda::std::uint32_t;
enum { TILE = 128, TILES = 4, BYTES = TILE * sizeof(int) };

// Macros, so that findings have the line of each wait.
#define wait(bar, parity)                                                                    \
    while (!ptx::mbarrier_try_wait_parity(bar, parity))                                      \
        ;

// Another instruction, so that the compiler does not make one loop of two waits.
#define test(bar, parity)                                                                    \
    while (!ptx::mbarrier_test_wait_parity(bar, parity))                                     \
        ;

__device__ void start(int *to, const int *from, u64 *bar)
{
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, BYTES);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, BYTES, bar);
}

enum parity { FLIPS, STAYS, BEGINS_WITH_1 };
__device__ u32 parity_of(int how, u32 round)
{
    return how == STAYS ? 0 : how == FLIPS ? round & 1 : (round & 1) ^ 1;
}

// One buffer. All threads wait for each copy.
template <int HOW> __global__ void all(const int *x, int *y)
{
    alignas(16) __shared__ int s[TILE];
    __shared__ u64 bar;
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        ptx::mbarrier_init(&bar, 1);
    __syncthreads();
    for (int i = 0; i < TILES; i++) {
        if (t == 0)
            start(s, x + i * TILE, &bar);
        wait(&bar, parity_of(HOW, i)); // use-all
        sum += s[TILE - 1 - t]; // use-all
        __syncthreads();
    }
    y[t] = sum;
}

// Right: the parity is flipped after each wait.
//@ array x int 1024 iota; array y int 128 zero
//@ launch all<0><<<1, 128>>>(x, y)
//@none
template __global__ void all<FLIPS>(const int *, int *);

// Wrong: the parity stays 0.
//@ launch all<1><<<1, 128>>>(x, y)
//@found race-shared use-all
//@may race-shared
//@may deadlock
//@may trap
template __global__ void all<STAYS>(const int *, int *);

// Wrong: the first wait is for the phase before the first one.
//@ launch all<2><<<1, 128>>>(x, y)
//@found race-shared use-all
//@or deadlock
//@may race-shared
//@may uninitialized
//@may deadlock
//@may trap
template __global__ void all<BEGINS_WITH_1>(const int *, int *);

// Thread 0 alone waits, and all threads wait for it.
template <int HOW> __global__ void one(const int *x, int *y)
{
    alignas(16) __shared__ int s[TILE];
    __shared__ u64 bar;
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        ptx::mbarrier_init(&bar, 1);
    __syncthreads();
    for (int i = 0; i < TILES; i++) {
        if (t == 0) {
            start(s, x + i * TILE, &bar);
            wait(&bar, parity_of(HOW, i)); // wait-one
        }
        __syncthreads();
        sum += s[TILE - 1 - t]; // use-one
        __syncthreads();
    }
    y[t] = sum;
}

// Right: the parity is flipped after each wait.
//@ launch one<0><<<1, 128>>>(x, y)
//@none
template __global__ void one<FLIPS>(const int *, int *);

// Wrong: the parity stays 0.
//@ launch one<1><<<1, 128>>>(x, y)
//@found deadlock wait-one
//@may race-shared
//@may deadlock
//@may trap
template __global__ void one<STAYS>(const int *, int *);

// Two warps store, and two warps read what they stored, in turns.
template <int HOW> __global__ void plain(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 full, empty;
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        ptx::mbarrier_init(&full, 64);
        ptx::mbarrier_init(&empty, 64);
    }
    __syncthreads();
    for (int i = 0; i < TILES; i++) {
        if (t < 64) {
            test(&empty, (i & 1) ^ 1); // use-plain
            s[t] = x[i * 64 + t]; // leave-plain
            ptx::mbarrier_arrive(&full);
        } else {
            wait(&full, parity_of(HOW, i)); // use-plain
            sum += s[127 - t]; // use-plain
            ptx::mbarrier_arrive(&empty);
        }
    }
    if (t >= 64)
        y[t] = sum;
}

// Right: both sides flip the parity.
//@ launch plain<0><<<1, 128>>>(x, y)
//@none
template __global__ void plain<FLIPS>(const int *, int *);

// Wrong: the readers' parity stays 0.
//@ launch plain<1><<<1, 128>>>(x, y)
//@found race-shared use-plain
//@or deadlock
//@may race-shared
//@may deadlock
//@may trap
template __global__ void plain<STAYS>(const int *, int *);

// Wrong: the readers begin with the phase before the first one.
//@ launch plain<2><<<1, 128>>>(x, y)
//@found race-shared use-plain
//@or deadlock
//@may race-shared
//@may uninitialized
//@may deadlock
//@may trap
template __global__ void plain<BEGINS_WITH_1>(const int *, int *);

// Right: the weights come once, and each round waits for them again.
//@ launch weights<<<1, 128>>>(x, y)
//@none
__global__ void weights(const int *x, int *y)
{
    alignas(16) __shared__ int s[TILE], w[TILE];
    __shared__ u64 bar, once;
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::mbarrier_init(&once, 1);
    }
    __syncthreads();
    if (t == 0)
        start(w, x, &once);
    for (int i = 0; i < TILES; i++) {
        if (t == 0)
            start(s, x + i * TILE, &bar);
        wait(&once, 0);
        wait(&bar, i & 1);
        sum += w[t] * s[TILE - 1 - t];
        __syncthreads();
    }
    y[t] = sum;
}
