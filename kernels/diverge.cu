/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lanes of a warp take different ways. What decides is their number, an element, the length of
 * a loop, a switch, or an early return. One kernel needs no branch.
 *
 * The compiler would use predicates for a short branch, or merge what its sides have in common, as
 * in `select`. MARK() and a volatile x prevent this. The mistake in nosync does not depend on the
 * optimiser.
 */

//: used by lane warp data sorted meet nosync
/* This is not an instruction. No two marks are alike, so the compiler keeps them apart. */
#define MARK(number) asm volatile("// mark " #number)

//: variant lane warp
/* The side depends on the thread's number: `group` neighbouring threads take the same side. */
extern "C" __global__ void diverge_lane(volatile float *x, int n, int group)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i >= n)
        return;
    if (threadIdx.x / group % 2 == 0) {
        MARK(1);
        x[i] += 1;
        MARK(2);
    } else {
        MARK(3);
        x[i] -= 2;
        MARK(4);
    }
}

//: variant data sorted
/* The side depends on the element. */
extern "C" __global__ void diverge_data(volatile float *x, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i >= n)
        return;
    if (x[i] >= 0) {
        MARK(1);
        x[i] += 1;
        MARK(2);
    } else {
        MARK(3);
        x[i] -= 2;
        MARK(4);
    }
}

//: variant select
/* Each lane computes both values and selects one of them. This needs no branch. */
extern "C" __global__ void diverge_select(float *x, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i >= n)
        return;
    float v = x[i];
    x[i] = v >= 0 ? v + 1 : v - 2;
}

//: variant loop
/* Each lane has its own number of rounds. */
extern "C" __global__ void diverge_loop(const int *count, float *x, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i >= n)
        return;
    float v = x[i];
    int rounds = count[i];
#pragma unroll 1
    for (int k = 0; k < rounds; k++)
        v = 0.5f * v + 1;
    x[i] = v;
}

//: variant switch
/* As many ways as the launch says, at most eight. */
extern "C" __global__ void diverge_switch(volatile float *x, int n, int ways)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i >= n)
        return;
    switch (threadIdx.x % ways) {
    case 0: x[i] += 1; break;
    case 1: x[i] -= 2; break;
    case 2: x[i] *= 3; break;
    case 3: x[i] = 4 - x[i]; break;
    case 4: x[i] *= 0.5f; break;
    case 5: x[i] = -x[i]; break;
    case 6: x[i] += 7; break;
    default: x[i] = 8; break;
    }
}

//: variant return
/* Some lanes return, and the others still have work. */
extern "C" __global__ void diverge_return(volatile float *x, int n, int rounds)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i >= n)
        return;
    if (x[i] < 0)
        return;
    float v = x[i];
#pragma unroll 1
    for (int k = 0; k < rounds; k++)
        v = 0.5f * v + 1;
    x[i] = v;
}

//: used by meet nosync
/* The neighbour in the block, or the thread itself where it has none. */
__device__ __forceinline__ int Neighbour(int own, int threads)
{
    int other = own ^ 1;
    return other < threads ? other : own;
}

//: variant meet
/* Each lane gets the value that its neighbour computed on the other side of the branch. */
extern "C" __global__ void diverge_meet(volatile float *x, int n)
{
    __shared__ volatile float value[1024];
    int first = blockDim.x * blockIdx.x, own = threadIdx.x, i = first + own;
    int threads = n - first < (int)blockDim.x ? n - first : blockDim.x;

    if (i >= n)
        return;
    if (own % 2 == 0) {
        MARK(1);
        value[own] = x[i] + 1;
        MARK(2);
    } else {
        MARK(3);
        value[own] = x[i] - 2;
        MARK(4);
    }
    __syncwarp();                      /* all lanes of the warp wait here for each other */
    x[i] = value[Neighbour(own, threads)];
}

//: variant nosync
/* WRONG: after a branch, lanes need not run together. A lane may read before its neighbour has
 * stored. */
extern "C" __global__ void diverge_nosync(volatile float *x, int n)
{
    __shared__ volatile float value[1024];
    int first = blockDim.x * blockIdx.x, own = threadIdx.x, i = first + own;
    int threads = n - first < (int)blockDim.x ? n - first : blockDim.x;

    if (i >= n)
        return;
    if (own % 2 == 0) {
        MARK(1);
        value[own] = x[i] + 1;
        MARK(2);
    } else {
        MARK(3);
        value[own] = x[i] - 2;
        MARK(4);
    }
    /* __syncwarp() is missing here */
    x[i] = value[Neighbour(own, threads)];
}
