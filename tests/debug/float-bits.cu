// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: f32[] -7.5 step 0.75, i32[] 0
union FloatBits {
    float f;
    unsigned u;
    unsigned char bytes[4];
};

extern "C" __global__ void floatbits(const float *y, int *out) {
    int i = threadIdx.x;
    FloatBits fb = {0.0f};
    fb.f = y[i];
    unsigned sign = fb.u >> 31;
    int exponent = (int)((fb.u >> 23) & 255u) - 127;
    unsigned mantissa = fb.u & 0x7fffffu;
    unsigned char top = fb.bytes[3];
    fb.u ^= 0x80000000u;
    float negated = fb.f;
    fb.u &= 0xffff0000u;
    float truncated = fb.f;
    bool same = negated == truncated;
    out[i] = exponent * 2 + (int)sign;
    out[i + 32] = (int)mantissa;
    out[i + 64] = top;
    out[i + 96] = same ? 1 : 0;
}
