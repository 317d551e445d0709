// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 2 32: i32 250, f32 1.5, f32[] 0 step 1, f32[] 1
extern "C" __global__ void gridstride(size_t n, float a, const float *__restrict__ x, float *__restrict__ y) {
    size_t start = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    size_t stride = (size_t)blockDim.x * gridDim.x;
    int rounds = 0;
    float last = 0.0f;
    for (size_t i = start; i < n; i += stride) {
        float xi = x[i];
        float yi = y[i];
        last = a * xi + yi;
        y[i] = last;
        rounds++;
    }
    if (rounds < 4) {
        size_t left = n - start;
        last = -last + left;
    }
    if (start == 0) {
        y[255] = last + rounds;
    }
}
