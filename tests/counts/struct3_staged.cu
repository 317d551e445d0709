// SPDX-License-Identifier: GPL-3.0-or-later
// Structures of three through shared memory, so that global memory sees neighbours.
// launch 2 96
extern "C" __global__ void struct3_staged(const int *in, int *out, int n)
{
    __shared__ int s[96 * 3];
    int t = threadIdx.x, first = blockIdx.x * 96 * 3;
    for (int k = t; k < 96 * 3; k += 96)
        s[k] = in[first + k];
    __syncthreads();
    int x = s[3 * t], y = s[3 * t + 1], z = s[3 * t + 2];
    s[3 * t] = x + y;
    s[3 * t + 1] = y - z;
    s[3 * t + 2] = z ^ x;
    __syncthreads();
    for (int k = t; k < 96 * 3; k += 96)
        out[first + k] = s[k];
}
