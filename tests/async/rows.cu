// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a tile with unused elements between them, copied by cp.async. Two rows belong to each warp,
// so the addresses of its lanes have a gap in the middle, at every place of a line.
//@first set arch 80
#include <cuda_pipeline.h>

// A row has 64 ints, and the next one begins SKIP ints later. CUT: the missing step.
template <int SKIP, int CUT> __global__ void rows(const int *x, int *y)
{
    __shared__ __align__(16) int tile[64][64 + SKIP];
    int t = threadIdx.x;
    for (int i = t; i < 64 * 16; i += 256)
        __pipeline_memcpy_async(&tile[i / 16][i % 16 * 4], &x[i * 4], 16); // copy
    __pipeline_commit();
    if (CUT != 1)
        __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = t; i < 64 * 64; i += 256)
        y[i] = tile[i / 64][i % 64]; // take
}

// Right: each thread waits for its copies, and then all threads meet.
//@ array x int 4096 iota; array y int 4096 zero
//@ launch rows<4, 0><<<1, 256>>>(x, y)
//@none
//@ compare y x
template __global__ void rows<4, 0>(const int *, int *);

//@ fill y zero
//@ launch rows<12, 0><<<1, 256>>>(x, y)
//@none
//@ compare y x
template __global__ void rows<12, 0>(const int *, int *);

//@ fill y zero
//@ launch rows<20, 0><<<1, 256>>>(x, y)
//@none
//@ compare y x
template __global__ void rows<20, 0>(const int *, int *);

// Wrong: no thread waits for its copies.
//@ launch rows<4, 1><<<1, 256>>>(x, y)
//@found race-shared take
template __global__ void rows<4, 1>(const int *, int *);
