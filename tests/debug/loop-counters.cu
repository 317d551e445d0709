// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0, i32 12
extern "C" __global__ void loops2(const int *x, int *out, int n) {
    int tid = threadIdx.x;
    int j = n - 1;
    int crossings = 0;
    int total = 0;
    for (int i = 0; i < j; ++i, --j) {
        int left = x[tid + i];
        int right = x[tid + j];
        total += left * right;
        crossings++;
    }
    for (int a = 0; a < 3; a++) {
        for (int b = a; b < 4; b += 2) {
            int product = a * b;
            total += product;
        }
        total -= a;
    }
    out[tid] = total + 1000 * crossings;
}
