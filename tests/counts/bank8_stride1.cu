// SPDX-License-Identifier: GPL-3.0-or-later
// Eight bytes a lane, neighbours: two passes.
// launch 1 32
extern "C" __global__ void bank8_stride1(const int *in, int *out, int n)
{
    __shared__ long long s[32];
    s[threadIdx.x] = in[threadIdx.x] * 12345678901ll;
    __syncthreads();
    out[threadIdx.x] = (int)(s[31 - threadIdx.x] >> 16);
}
