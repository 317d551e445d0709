// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: f32[] 0 step 0.125, i32 9
extern "C" __global__ void doubles(float *y, int terms) {
    int i = threadIdx.x;
    double angle = (double)y[i] - 2.0;
    double term = angle;
    double sum = angle;
    double square = angle * angle;
    for (int k = 1; k < terms; k++) {
        double denominator = (2.0 * k) * (2.0 * k + 1.0);
        term = -term * square / denominator;
        sum += term;
    }
    float single = (float)sum;
    double lost = sum - (double)single;
    double tiny = lost * 1e9;
    y[i] = single;
    y[i + 64] = (float)tiny;
}
