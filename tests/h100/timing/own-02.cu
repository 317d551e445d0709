// SPDX-License-Identifier: GPL-3.0-or-later
// A polynomial of degree 95 at every element, by Horner's rule. The coefficients come by a
// recurrence, so each step is two dependent multiply-adds.
//: small   array x f32 8192 random; array y f32 8192; launch horner<<<32, 256>>>(x, y, 8192)
//: middle  array x f32 262144 random; array y f32 262144; launch horner<<<1024, 256>>>(x, y, 262144)
//: large   array x f32 8388608 random; array y f32 8388608; launch horner<<<32768, 256>>>(x, y, 8388608)

extern "C" __global__ void horner(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float t = x[i];
    float c = 1.0f;
    float p = 0.0f;
#pragma unroll 8
    for (int k = 0; k < 96; ++k) {
        p = p * t + c;
        c = c * -0.75f + 0.125f;
    }
    y[i] = p;
}
