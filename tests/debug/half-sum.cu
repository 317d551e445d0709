// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: f32[] 0 step 0.25, f32[] 0
#include <cuda_fp16.h>

extern "C" __global__ void halfsum(const float *x, float *y) {
    int t = threadIdx.x;
    __half h = __float2half(x[t]);
    __half step = __float2half(0.125f);
    __half acc = __float2half(0.0f);
    for (int k = 0; k < 4; k++) {
        acc = __hadd(acc, h);
        h = __hadd(h, step);
    }
    float wide = __half2float(acc);
    __half scaled = __hmul(acc, __float2half(3.0f));
    float result = __half2float(scaled) - wide;
    y[t] = result;
    y[t + 64] = wide;
}
