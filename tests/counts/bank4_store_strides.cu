// SPDX-License-Identifier: GPL-3.0-or-later
// Stores of four bytes at the strides 1 to 33.
// launch 1 32
extern "C" __global__ void bank4_store_strides(const int *in, int *out, int n)
{
    __shared__ int s[1024 + 64];
    for (int i = threadIdx.x; i < 1024 + 64; i += 32)
        s[i] = 0;
    __syncthreads();
#pragma unroll 1
    for (int stride = 1; stride <= 33; stride++) {
        s[threadIdx.x * stride] = in[stride + threadIdx.x];
        __syncwarp();
    }
    for (int i = threadIdx.x; i < 1024 + 64; i += 32)
        out[i] = s[i];
}
