// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: f32[] 0 step 0.1, i32[] 0
#include <cuda_fp16.h>

__device__ __half clampHalf(__half v, __half top) {
    if (__hgt(v, top)) {
        return top;
    }
    return v;
}

extern "C" __global__ void halfround(const float *y, int *out) {
    unsigned i = threadIdx.x;
    float exact = y[i + 32] * 17.0f;
    __half rounded = __float2half_rn(exact);
    __half limit = __float2half(90.0f);
    __half kept = clampHalf(rounded, limit);
    unsigned short raw = __half_as_ushort(kept);
    int exponent = (raw >> 10) & 31;
    int fraction = raw & 1023;
    float error = exact - __half2float(rounded);
    bool isExact = error == 0.0f;
    out[i] = exponent;
    out[i + 64] = fraction;
    out[i + 128] = isExact ? 1 : 0;
}
