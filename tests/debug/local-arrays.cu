// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0
extern "C" __global__ void localarray(const int *x, int *out) {
    int tid = threadIdx.x;
    int window[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    float weights[3] = {0.25f, 0.5f, 0.25f};
    short table[2][3] = {{1, 2, 3}, {4, 5, 6}};
    for (int k = 0; k < 8; k++) {
        window[k] = (x[tid + k] * 37) % 23;
    }
    int best = 0;
    for (int k = 1; k < 8; k++) {
        if (window[k] > window[best]) {
            best = k;
        }
    }
    float smooth = 0.0f;
    for (int k = 0; k < 3; k++) {
        smooth += weights[k] * window[(best + k) % 8];
    }
    int row = tid & 1;
    table[row][tid % 3] += 10;
    int picked = table[row][best % 3];
    out[tid] = best;
    out[tid + 64] = (int)smooth;
    out[tid + 128] = picked;
}
