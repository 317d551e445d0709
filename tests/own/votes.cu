// SPDX-License-Identifier: GPL-3.0-or-later
//! array x i32 128 random:0:9
//! array v u32 512
//! array part u32 40
//! array groups u32 64
//! array c i32 12
//! launch votes<<<2,64>>>(x, v)
//! launch lastWarp<<<2,20>>>(x, part)
//! launch match<<<1,64>>>(x, groups)
//! launch counts<<<4,96>>>(x, c)
//! expect v
//! expect part
//! expect groups
//! expect c
#define ALL 0xFFFFFFFFu

__global__ void votes(const int *x, unsigned *v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[4 * i] = __ballot_sync(ALL, x[i] > 4);
    v[4 * i + 1] = __any_sync(ALL, x[i] == 7) != 0;
    v[4 * i + 2] = __all_sync(ALL, x[i] < 9) != 0;
    // votes in a branch: only those who are there
    unsigned odd = __ballot_sync(ALL, x[i] & 1);
    if (x[i] & 1)
        v[4 * i + 3] = __ballot_sync(odd, x[i] > 2);
    else
        v[4 * i + 3] = 100 + (__all_sync(~odd, x[i] != 4) != 0) + 2 * (__any_sync(~odd, x[i] == 8) != 0);
}

// a warp that isn't full
__global__ void lastWarp(const int *x, unsigned *part)
{
    const unsigned mask = (1u << 20) - 1;
    int i = blockIdx.x * 20 + threadIdx.x;
    unsigned b = __ballot_sync(mask, x[i] >= 5);
    part[i] = b * 2 + (threadIdx.x == __ffs(b) - 1);
}

__global__ void match(const int *x, unsigned *groups)
{
    unsigned same = __match_any_sync(ALL, x[threadIdx.x] % 4);
    groups[threadIdx.x] = same;
    int pred;
    unsigned all = __match_all_sync(ALL, x[threadIdx.x] / 10, &pred);
    if (!pred || all != ALL)
        groups[threadIdx.x] = 0;
}

__global__ void counts(const int *x, int *c)
{
    int mine = x[(blockIdx.x * 11 + threadIdx.x) % 128];
    int n = __syncthreads_count(mine > 6);
    int every = __syncthreads_and(mine <= (int)blockIdx.x * 3);
    int some = __syncthreads_or(threadIdx.x == 95 && mine == 1);
    if (threadIdx.x == 33) {
        c[3 * blockIdx.x] = n;
        c[3 * blockIdx.x + 1] = every != 0;
        c[3 * blockIdx.x + 2] = some != 0;
    }
}
