// SPDX-License-Identifier: GPL-3.0-or-later
// The logistic map in half precision, two values at a time: twelve steps of x = r * x * (1 - x).
//: small   array x f16 32768 random; array y f16 32768; launch logistic<<<64, 256>>>(x, y, 16384)
//: middle  array x f16 1048576 random; array y f16 1048576; launch logistic<<<2048, 256>>>(x, y, 524288)
//: large   array x f16 67108864 random; array y f16 67108864; launch logistic<<<131072, 256>>>(x, y, 33554432)

#include <cuda_fp16.h>

__global__ void logistic(const __half2 *x, __half2 *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        __half2 one = __float2half2_rn(1.0f);
        __half2 r = __float2half2_rn(3.6f);
        __half2 v = x[i];
#pragma unroll
        for (int k = 0; k < 12; ++k)
            v = __hmul2(__hmul2(r, v), __hsub2(one, v));
        y[i] = v;
    }
}
