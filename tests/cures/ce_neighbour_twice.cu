// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 256 iota; array out i32 256 zero; launch smoothTwice<<<2, 128>>>(x, out)
//@ kind race-shared
//@ cure syncthreads
//@ place call-end
//@ says lines 12 and 14
//@ unsaid loop
__device__ int smooth(int *s, int v)
{
    int t = threadIdx.x;
    int n = blockDim.x;
    s[t] = v;
    __syncthreads();
    int mean = (s[t] + s[(t + 33) % n]) / 2;
#ifdef CURED
    __syncthreads();
#endif
    return mean;
}
__global__ void smoothTwice(const int *x, int *out)
{
    __shared__ int s[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = smooth(s, x[i]);
    out[i] = smooth(s, v);
}
