// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the Fourier transform of each 512 complex numbers in shared memory, in nine steps of
// radix two. The input is read in bit-reversed order, and the factors come from sincospif.
//: small   array x f32 8192 random:-1:1; array y f32 8192; launch fft<<<8, 256>>>(y, x)
//: middle  array x f32 131072 random:-1:1; array y f32 131072; launch fft<<<128, 256>>>(y, x)
//: large   array x f32 2097152 random:-1:1; array y f32 2097152; launch fft<<<2048, 256>>>(y, x)

__global__ void fft(float2 *y, const float2 *x)
{
    __shared__ float2 s[512];
    int t = threadIdx.x, base = blockIdx.x * 512;
    s[t] = x[base + (__brev(t) >> 23)];
    s[t + 256] = x[base + (__brev(t + 256) >> 23)];
    for (int half = 1; half < 512; half *= 2) {
        __syncthreads();
        int k = t % half, lo = 2 * (t - k) + k, hi = lo + half;
        float sine, cosine;
        sincospif(-(float)k / half, &sine, &cosine);
        float2 a = s[lo], b = s[hi];
        float re = b.x * cosine - b.y * sine, im = b.x * sine + b.y * cosine;
        s[lo] = make_float2(a.x + re, a.y + im);
        s[hi] = make_float2(a.x - re, a.y - im);
    }
    __syncthreads();
    y[base + t] = s[t];
    y[base + t + 256] = s[t + 256];
}
