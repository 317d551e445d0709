// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 64: i32[] 0 step 1, i32[] 0
extern "C" __global__ void collatz(const int *x, int *out) {
    int tid = threadIdx.x;
    long long n = x[tid] % 16 + 1;
    long long peak = n;
    short steps = 0;
    unsigned path = 0u;
    while (n != 1) {
        bool odd = n % 2 == 1;
        if (odd) {
            n = 3 * n + 1;
        } else {
            n /= 2;
        }
        path = (path << 1) | (odd ? 1u : 0u);
        peak = n > peak ? n : peak;
        steps++;
    }
    int packed = steps * 1000 + (int)peak;
    out[tid] = packed;
    out[tid + 64] = (int)path;
}
