// SPDX-License-Identifier: GPL-3.0-or-later
// Loads of four bytes at the strides 0 to 33.
// launch 1 32
extern "C" __global__ void bank4_strides(const int *in, int *out, int n)
{
    __shared__ int s[1024 + 64];
    int sum = 0;
    for (int i = threadIdx.x; i < 1024 + 64; i += 32)
        s[i] = in[i];
    __syncthreads();
#pragma unroll 1
    for (int stride = 0; stride <= 33; stride++)
        sum += s[threadIdx.x * stride];
    out[threadIdx.x] = sum;
}
