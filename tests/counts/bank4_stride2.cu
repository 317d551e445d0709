// SPDX-License-Identifier: GPL-3.0-or-later
// Every second word: two words in every second bank.
// launch 2 64
extern "C" __global__ void bank4_stride2(const int *in, int *out, int n)
{
    __shared__ int s[128];
    s[2 * threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = s[2 * (63 - threadIdx.x)];
}
