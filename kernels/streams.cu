/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel of a program with streams. It is the same in each variant. The variants differ in the
 * part of the arrays that a launch is given, in its stream, and in what waits for it.
 *
 * "//: variant NAME" begins the part of one variant. A part ends where the next one begins.
 */

//: variant streams breadth synced pageable frames once pipeline concurrent onestream nosync onewait noevent
/* z = x + y, and then so many rounds of work with each sum. */
extern "C" __global__ void streams_add(const unsigned *x, const unsigned *y, unsigned *z,
                                       const int n, const int rounds)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        unsigned v = x[i] + y[i];

#pragma unroll 1
        for (int r = 0; r < rounds; r++)
            v = 3 * v + 1;
        z[i] = v;
    }
}
