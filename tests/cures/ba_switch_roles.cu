// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 192 iota; array y i32 192 zero; launch roles<<<1, 192>>>(x, y)
//@ kind barrier-divergence
//@ cure barrier-all
//@ line 26
// threads 0, 3, 6.. give, threads 1, 4, 7.. take, the others copy
__global__ void roles(const int *x, int *y)
{
    __shared__ int gift[64];
    int t = threadIdx.x;
#ifdef CURED
    if (t % 3 == 0)
        gift[t / 3] = 10 * x[t];
    __syncthreads();
    switch (t % 3) {
    case 0:
        y[t] = x[t];
        break;
    case 1:
        y[t] = x[t] + gift[63 - t / 3];
        break;
    default:
        y[t] = x[t];
    }
#else
    switch (t % 3) {
    case 0:
        gift[t / 3] = 10 * x[t];
        __syncthreads();
        y[t] = x[t];
        break;
    case 1:
        __syncthreads();
        y[t] = x[t] + gift[63 - t / 3];
        break;
    default:
        y[t] = x[t];
    }
#endif
}
