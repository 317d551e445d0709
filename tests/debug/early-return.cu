// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 2 32: i32[] 0 step 1, f32[] 1, i32 50, i32 37
__device__ int classify(int v, int limit) {
    if (v < 0) {
        return -1;
    }
    int twice = v * 2;
    if (twice > limit) {
        int over = twice - limit;
        return over;
    }
    int under = limit - twice;
    return -under;
}

extern "C" __global__ void earlyret(const int *x, float *y, int n, int limit) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= n) {
        return;
    }
    int v = x[idx] - 4;
    int c = classify(v, limit);
    if (c == -1) {
        y[idx] = -100.0f;
        return;
    }
    float scaled = c * 0.25f;
    y[idx] += scaled;
}
