// SPDX-License-Identifier: GPL-3.0-or-later
// Stores of eight bytes at the strides 1 to 17.
// launch 1 32
extern "C" __global__ void bank8_store_strides(const int *in, int *out, int n)
{
    __shared__ long long s[32 * 17];
    for (int i = threadIdx.x; i < 32 * 17; i += 32)
        s[i] = 1;
    __syncthreads();
#pragma unroll 1
    for (int stride = 1; stride <= 17; stride++) {
        s[threadIdx.x * stride] = in[stride + threadIdx.x];
        __syncwarp();
    }
    for (int i = threadIdx.x; i < 32 * 17; i += 32)
        out[i] = (int)s[i];
}
