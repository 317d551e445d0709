// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0
extern "C" __global__ void dowhile(const int *x, int *out) {
    int tid = threadIdx.x;
    int n = x[tid] * 1237 + 5;
    int reversed = 0;
    int digits = 0;
    int rest = n;
    do {
        int digit = rest % 10;
        reversed = reversed * 10 + digit;
        rest /= 10;
        ++digits;
    } while (rest != 0);
    bool palindrome = reversed == n;
    unsigned bits = (unsigned)n;
    int ones = 0;
    do {
        unsigned lowest = bits & 1u;
        ones += (int)lowest;
        bits >>= 1;
    } while (bits);
    out[tid] = palindrome ? digits : reversed;
    out[tid + 64] = ones;
}
