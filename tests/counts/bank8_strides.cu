// SPDX-License-Identifier: GPL-3.0-or-later
// Loads of eight bytes at the strides 0 to 33.
// launch 1 32
extern "C" __global__ void bank8_strides(const int *in, int *out, int n)
{
    __shared__ long long s[1024 + 64];
    long long sum = 0;
    for (int i = threadIdx.x; i < 1024 + 64; i += 32)
        s[i] = in[i];
    __syncthreads();
#pragma unroll 1
    for (int stride = 0; stride <= 33; stride++)
        sum = sum * 3 + s[threadIdx.x * stride];
    out[threadIdx.x] = (int)(sum >> 7);
}
