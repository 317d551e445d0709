// SPDX-License-Identifier: GPL-3.0-or-later
// Collatz: how many steps to one, with a store each time a number is odd.
// launch 2 64
extern "C" __global__ void diverge_while(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x, v = i + 1, steps = 0;
#pragma unroll 1
    while (v != 1) {
        if (v & 1) {
            v = 3 * v + 1;
            out[i + 1024] = v;
        } else {
            v /= 2;
        }
        steps++;
    }
    out[i] = steps;
}
