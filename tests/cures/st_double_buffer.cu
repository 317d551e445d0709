// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 640 random; array y f32 128 zero; launch filter<<<1, 128>>>(x, y, 5)
//@ kind race-shared
//@ cure syncthreads
//@ place loop-end
#define N 128

// while tile k is worked on, tile k+1 is already on its way
__global__ void filter(const float *x, float *y, int tiles)
{
    __shared__ float buf[2][N];
    int t = threadIdx.x;
    float acc = 0.f;

    buf[0][t] = x[t];
    __syncthreads();

    for (int k = 0; k < tiles; k++) {
        int cur = k & 1;
        if (k + 1 < tiles)
            buf[cur ^ 1][t] = x[(k + 1) * N + t];
        acc += buf[cur][t] - 0.5f * buf[cur][N - 1 - t];
#ifdef CURED
        __syncthreads();
#endif
    }
    y[t] = acc;
}
