// SPDX-License-Identifier: GPL-3.0-or-later
// All lanes in one bank, on the way in and out.
// launch 1 32
extern "C" __global__ void bank4_stride32(const int *in, int *out, int n)
{
    __shared__ int s[32 * 32];
    s[32 * threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[32 * (threadIdx.x ^ 5)];
}
