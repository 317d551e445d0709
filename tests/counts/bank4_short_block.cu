// SPDX-License-Identifier: GPL-3.0-or-later
// A block of forty: the second warp has eight lanes.
// launch 2 40
extern "C" __global__ void bank4_short_block(const int *in, int *out, int n)
{
    __shared__ int s[40 * 8];
    s[threadIdx.x * 8] = in[blockIdx.x * 40 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 40 + threadIdx.x] = s[(39 - threadIdx.x) * 8];
}
