// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0, i64 3000000007
extern "C" __global__ void longlongs(const int *x, int *out, long long base) {
    int tid = threadIdx.x;
    long long big = base * (tid + 1);
    unsigned long long ubig = (unsigned long long)big * 0x9E3779B97F4A7C15ull;
    long long negative = -big;
    int low = (int)(ubig & 0xffffffffull);
    int high = (int)(ubig >> 32);
    long long quotient = negative / 97;
    long long remainder = negative % 97;
    for (long long p = 1; p < 100000000000LL; p *= 1000) {
        quotient += p;
    }
    remainder += x[tid];
    out[tid] = low ^ high;
    out[tid + 64] = (int)(quotient >> 20);
    out[tid + 128] = (int)remainder;
}
