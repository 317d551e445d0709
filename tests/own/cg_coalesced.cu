// SPDX-License-Identifier: GPL-3.0-or-later
//! needs toolkit
//! array x i32 512 random:-100:100
//! array bag i32 512 zero
//! array found i32 1 zero
//! array sums i64 1 zero
//! array odd i32 1 zero
//! launch filter<<<4,128>>>(x, bag, found)
//! launch checkSum<<<1,256>>>(bag, found, sums)
//! launch countOdd<<<2,256>>>(x, odd)
//! expect found
//! expect sums
//! expect odd
// One atomic for all threads of a warp that came here together. Where each
// number goes depends on the order, so only sums are compared.
#include <cooperative_groups.h>

using namespace cooperative_groups;

__device__ int atomicAggInc(int *counter)
{
    coalesced_group active = coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0)
        base = atomicAdd(counter, (int)active.size());
    return active.shfl(base, 0) + active.thread_rank();
}

__global__ void filter(const int *x, int *bag, int *found)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] > 25)
        bag[atomicAggInc(found)] = x[i];
}

__global__ void checkSum(const int *bag, const int *found, long long *sums)
{
    unsigned long long v = 0;
    for (int i = threadIdx.x; i < *found; i += blockDim.x)
        v += bag[i] * 1000003ull + 1;
    atomicAdd((unsigned long long *)sums, v);
}

__global__ void countOdd(const int *x, int *odd)
{
    if (x[blockIdx.x * blockDim.x + threadIdx.x] % 2 == 0)
        return;
    coalesced_group g = coalesced_threads();
    g.sync();
    if (g.thread_rank() == 0)
        atomicAdd(odd, (int)g.size());
}
