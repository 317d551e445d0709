// SPDX-License-Identifier: GPL-3.0-or-later
// Stores of sixteen bytes at the strides 1 to 9.
// launch 1 32
extern "C" __global__ void bank16_store_strides(const int *in, int *out, int n)
{
    __shared__ int4 s[32 * 9];
    for (int i = threadIdx.x; i < 32 * 9; i += 32)
        s[i] = make_int4(1, 2, 3, 4);
    __syncthreads();
#pragma unroll 1
    for (int stride = 1; stride <= 9; stride++) {
        int v = in[stride + threadIdx.x];
        s[threadIdx.x * stride] = make_int4(v, v + 1, v + 2, v + 3);
        __syncwarp();
    }
    for (int i = threadIdx.x; i < 32 * 9; i += 32)
        out[i] = s[i].x + s[i].w;
}
