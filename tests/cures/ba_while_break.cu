// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 128 iota; array peak i32 128 zero; launch halve<<<1, 128>>>(x, peak)
//@ kind barrier-divergence
//@ cure barrier-all
//@ line 22
// halve until nothing is left, and note the greatest value of the neighbour
__global__ void halve(const int *x, int *peak)
{
    __shared__ int level[128];
    int t = threadIdx.x;
    int v = x[t];
    int best = 0;
    while (true) {
        level[t] = v;
        __syncthreads();
        best = max(best, level[(t + 1) % 128]);
#ifdef CURED
        if (!__syncthreads_or(v != 0))
            break;
#else
        __syncthreads();
        if (v == 0)
            break;
#endif
        v /= 2;
    }
    peak[t] = best;
}
