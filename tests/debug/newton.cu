// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: f32[] 1 step 1, f32 0.00001
// away: error converged
extern "C" __global__ void newton(float *y, float tolerance) {
    int i = threadIdx.x;
    float target = y[i];
    float guess = target > 1.0f ? target / 2.0f : 1.0f;
    float error = 0.0f;
    int iterations = 0;
    bool converged = false;
    do {
        float f = guess * guess - target;
        float slope = 2.0f * guess;
        float next = guess - f / slope;
        error = fabsf(next - guess);
        guess = next;
        iterations++;
        converged = error < tolerance * guess;
    } while (!converged && iterations < 20);
    double cube = 1.0;
    for (int k = 0; k < 5; ++k) {
        double g2 = cube * cube;
        cube = cube - (g2 * cube - target) / (3.0 * g2);
    }
    y[i] = guess;
    y[i + 64] = (float)cube;
    y[i + 128] = (float)iterations;
}
