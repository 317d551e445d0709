// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array out i32 64 zero; launch turnAndPut<<<1, 64>>>(out)
//@ kind race-shared
//@ cure syncthreads
//@ place between
//@ unsaid loop
__device__ void put(int *s, int v)
{
    s[threadIdx.x] = v;
}
__global__ void turnAndPut(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    put(s, t);
    __syncthreads();
    int other = s[63 - t];
#ifdef CURED
    __syncthreads();
#endif
    put(s, t + other);
    __syncthreads();
    out[t] = s[t];
}
