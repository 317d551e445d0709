// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 300 random; array out f32 128 zero; launch pairSums<<<1, 128>>>(x, out, 300)
//@ kind barrier-divergence
//@ cure barrier-all
//@ line 22
__global__ void pairSums(const float *x, float *out, int n)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    float acc = 0.0f;
#ifdef CURED
    for (int start = 0; start < n; start += blockDim.x) {
        int i = start + t;
        if (i < n)
            s[t] = x[i];
        __syncthreads();
        if (i < n)
            acc += s[t] * s[t ^ 1];
        __syncthreads();
    }
#else
    for (int i = t; i < n; i += blockDim.x) {
        s[t] = x[i];
        __syncthreads();
        acc += s[t] * s[t ^ 1];
        __syncthreads();
    }
#endif
    out[t] = acc;
}
