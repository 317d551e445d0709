/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels for data that comes from the host and goes back to it. They are the same for each kind of
 * host memory: only the addresses that they are given differ.
 *
 * "//: variant NAME" begins the part of one variant. A part ends where the next one begins.
 */

//: variant pageable pinned mapped async reuse nosync
/* Thread i reads x[i] so many times, and stores one result. `volatile` forces each of these
 * loads. */
extern "C" __global__ void hostmem_work(const volatile unsigned *x, unsigned *z, const int n,
                                        const int passes)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        unsigned v = 0;

#pragma unroll 1
        for (int p = 0; p < passes; p++)
            v = 3 * v + x[i];
        z[i] = v;
    }
}

/* The kernel of the lecture notes: it reads nothing, and stores each element once. */
extern "C" __global__ void hostmem_set(unsigned *a, const int n, const unsigned value)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        a[i] = value;
}
