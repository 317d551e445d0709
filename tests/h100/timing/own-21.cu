// SPDX-License-Identifier: GPL-3.0-or-later
// Fourier transforms of 1024 complex numbers, one a block, radix 2, in shared memory.
// The input is put in bit-reversed order; ten stages follow, with a barrier after each.
//: small   array in f32 32768 random:-1:1; array out f32 32768; launch fft1024<<<16, 512>>>(in, out)
//: middle  array in f32 524288 random:-1:1; array out f32 524288; launch fft1024<<<256, 512>>>(in, out)
//: large   array in f32 12582912 random:-1:1; array out f32 12582912; launch fft1024<<<6144, 512>>>(in, out)

__global__ void fft1024(const float2 *in, float2 *out)
{
    __shared__ float2 v[1024];
    int t = threadIdx.x;
    const float2 *mine = in + blockIdx.x * 1024;
    for (int k = t; k < 1024; k += 512)
        v[__brev(k) >> 22] = mine[k];
    __syncthreads();
    for (int half = 1; half < 1024; half *= 2) {
        int j = t & (half - 1);
        int low = (t - j) * 2 + j;
        float s, c;
        __sincosf(-3.14159265f * j / half, &s, &c);
        float2 a = v[low];
        float2 b = v[low + half];
        float re = b.x * c - b.y * s;
        float im = b.x * s + b.y * c;
        v[low] = make_float2(a.x + re, a.y + im);
        v[low + half] = make_float2(a.x - re, a.y - im);
        __syncthreads();
    }
    for (int k = t; k < 1024; k += 512)
        out[blockIdx.x * 1024 + k] = v[k];
}
