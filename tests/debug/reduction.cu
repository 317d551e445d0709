// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    __shared__ int sums[64];
    int t = threadIdx.x;
    int i = blockIdx.x * 40 + t;
    sums[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int step = 20; step > 0; step /= 2) {
        int other = 0;
        if (t < step) {
            other = sums[t + step];
        }
        __syncthreads();
        if (t < step) {
            int own = sums[t];
            sums[t] = own + other;
        }
        __syncthreads();
    }
    int result = sums[0];
    x[i] = result;
}
