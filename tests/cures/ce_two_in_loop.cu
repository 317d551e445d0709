// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 64 random; array y f32 64 random; array out f32 2 zero; launch sums<<<1, 64>>>(x, y, out, 3)
//@ kind race-shared
//@ cure syncthreads
//@ place call-end
//@ unsaid loop
__device__ float total(float *s, float v)
{
    int t = threadIdx.x;
    s[t] = v;
    __syncthreads();
    float sum = 0.0f;
    for (int i = 0; i < 64; i++)
        sum += s[i];
#ifdef CURED
    __syncthreads();
#endif
    return sum;
}
__global__ void sums(const float *x, const float *y, float *out, int rounds)
{
    __shared__ float s[64];
    float a = 0.0f, b = 0.0f;
    for (int r = 0; r < rounds; r++) {
        a += total(s, x[threadIdx.x] + r);
        b += total(s, y[threadIdx.x] - r);
    }
    if (threadIdx.x == 0) {
        out[0] = a;
        out[1] = b;
    }
}
