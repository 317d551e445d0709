// SPDX-License-Identifier: GPL-3.0-or-later
// Four bytes a lane, neighbours: one word in each bank.
// launch 1 32
extern "C" __global__ void bank4_stride1(const int *in, int *out, int n)
{
    __shared__ int s[32];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
}
