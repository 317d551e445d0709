// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 16: i32[] 0 step 1, i32[] 0
__device__ int fact(int n) {
    if (n <= 1) {
        return 1;
    }
    int smaller = fact(n - 1);
    int result = n * smaller;
    return result;
}

extern "C" __global__ void factorial(const int *x, int *out) {
    int tid = threadIdx.x;
    int n = x[tid] % 9;
    int f = fact(n);
    int digits = 0;
    int rest = f;
    while (rest > 0) {
        rest /= 10;
        digits++;
    }
    out[tid] = f;
    out[tid + 64] = digits;
}
