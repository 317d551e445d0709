// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 1000 iota; array d i32 1000 zero; launch difference<<<4, 256>>>(x, d, 1000)
//@ kind barrier-divergence
//@ cure barrier-all
//@ line 18
__global__ void difference(const int *x, int *d, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
#ifdef CURED
    if (i < n)
        s[t] = x[i];
    __syncthreads();
    if (i >= n)
        return;
#else
    if (i >= n)
        return;
    s[t] = x[i];
    __syncthreads();
#endif
    int left;
    if (t > 0)
        left = s[t - 1];
    else
        left = i > 0 ? x[i - 1] : 0;
    d[i] = s[t] - left;
}
