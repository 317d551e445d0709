// SPDX-License-Identifier: GPL-3.0-or-later
// Computes a polynomial of degree 8 in half precision, two numbers a thread in one half2.
//: small   array x f16 8192 random:-1:1; array y f16 8192; launch horner<<<16, 256>>>(y, x, 4096)
//: middle  array x f16 262144 random:-1:1; array y f16 262144; launch horner<<<512, 256>>>(y, x, 131072)
//: large   array x f16 16777216 random:-1:1; array y f16 16777216; launch horner<<<32768, 256>>>(y, x, 8388608)

#include <cuda_fp16.h>

__global__ void horner(__half2 *y, const __half2 *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __half2 v = x[i], p = __float2half2_rn(0.125f);
#pragma unroll
    for (int k = 1; k <= 8; k++)
        p = __hfma2(p, v, __float2half2_rn(1.0f / k));
    y[i] = p;
}
