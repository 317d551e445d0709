// SPDX-License-Identifier: GPL-3.0-or-later
// Permutations within a row: no conflict in any of them.
// launch 1 32
extern "C" __global__ void bank4_permuted(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int lane = threadIdx.x, sum = 0;
    s[lane] = in[lane];
    __syncthreads();
#pragma unroll 1
    for (int key = 0; key < 32; key++)
        sum = sum * 5 + s[lane ^ key] + s[(lane * 7 + key) & 31] + s[__brev(lane + key) >> 27];
    out[lane] = sum;
}
