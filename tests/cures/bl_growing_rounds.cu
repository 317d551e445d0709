// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array v i32 64 iota; launch rounds<<<1, 64>>>(v)
//@ kind barrier-divergence
//@ cure barrier-all
//@ line 18
//@ says iterations
// thread 5 goes round five times, thread 6 six times
__global__ void rounds(int *v)
{
    __shared__ int sum[64];
    int me = threadIdx.x;
    sum[me] = v[me];
    __syncthreads();
#ifdef CURED
    for (int i = 0; i < 64; i++) {
        if (i < me)
#else
    for (int i = 0; i < me; i++) {
#endif
            sum[me] += i;
        __syncthreads();
    }
    v[me] = sum[me];
}
