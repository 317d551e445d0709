// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 160 random; array best i32 5 zero; launch groupMax<<<5, 32>>>(x, best)
//@ kind race-shared
//@ cure syncwarp
//@ place loop-end
__global__ void groupMax(const int *x, int *best)
{
    __shared__ int m[32];
    int t = threadIdx.x;

    m[t] = x[blockIdx.x * 32 + t];
    __syncwarp();
    for (int o = 16; o >= 1; o /= 2) {
        if (t < o && m[t + o] > m[t])
            m[t] = m[t + o];
#ifdef CURED
        __syncwarp();
#endif
    }
    if (t == 0)
        best[blockIdx.x] = m[0];
}
