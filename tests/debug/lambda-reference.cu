// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, f32[] 0
extern "C" __global__ void lambdaref(const int *x, float *y) {
    int tid = threadIdx.x;
    int calls = 0;
    float sum = 0.0f;
    float sumSquares = 0.0f;
    auto add = [&](float v) {
        calls++;
        sum += v;
        sumSquares += v * v;
    };
    for (int i = 0; i < 4; i++) {
        add(x[tid + i] * 0.5f);
    }
    auto reset = [&sum, &calls]() {
        sum = 0.0f;
        calls = 0;
    };
    float mean = sum / calls;
    float variance = sumSquares / calls - mean * mean;
    if (tid % 4 == 0) {
        reset();
    }
    y[tid] = mean;
    y[tid + 64] = variance;
    y[tid + 128] = sum + calls;
}
