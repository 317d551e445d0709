// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel for each way to end badly. Each first writes to out and to seen, which the fault must
// undo; what is wrong comes in by a parameter, so that no compiler can see it.
#include <cassert>
#include <cstdio>
#include "helper.h"

__device__ int seen = 1;
__device__ int *kept;

__device__ void mark(int *out)
{
    out[0] = 99;
    seen = 99;
    __threadfence();
}

__global__ void store(int *out, int *p, long i)
{
    mark(out);
    p[i] = 5; // at store
}

__global__ void load(int *out, int *p, long i)
{
    mark(out);
    out[1] = p[i]; // at load
}

__global__ void by_helper(int *out, int *p, long i)
{
    mark(out);
    store_here(p, i);
}

__global__ void keep(int *p)
{
    kept = p;
}

__global__ void use_kept(int *out)
{
    mark(out);
    kept[1] = 4; // at use_kept
}

__global__ void two_barriers(int *out)
{
    mark(out);
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;"); // at two_barriers
    else
        asm volatile("bar.sync 2, 64;");
}

__global__ void spin(int *out, volatile int *flag)
{
    mark(out);
    while (*flag == 0) // at spins
        ;
}

__global__ void traps(int *out, int when)
{
    mark(out);
    if (threadIdx.x == when)
        __trap(); // at traps
}

__global__ void asserts(int *out, int n)
{
    mark(out);
    printf("before\n");
    assert(n < 4); // at asserts
}

__device__ __noinline__ int deep(int n, volatile int *p)
{
    int here[16];
    for (int i = 0; i < 16; i++)
        here[i] = p[0] + i;
    return n == 0 ? here[p[0] & 15] : deep(n - 1, p) + here[(n + p[0]) & 15]; // at overflows
}

__global__ void overflows(int *out, int n)
{
    mark(out);
    out[1] = deep(n, out);
}

__global__ void prints(int n)
{
    for (int i = 0; i < n; i++)
        printf("0123456789012345678901234567890123456789 %d\n", i);
}

__global__ void leaks(int n)
{
    volatile int *lost = (int *)malloc(4 * n);
    lost[0] = n;
}

__global__ void freed(int *out, int n)
{
    mark(out);
    int *p = (int *)malloc(4 * n);
    p[0] = n;
    free(p);
    *(volatile int *)p = 3; // at freed
}

__global__ void fine(int *out)
{
    out[0] = 50;
}
