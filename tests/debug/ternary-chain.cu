// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 64: i32[] random -50 50, i32[] 0
extern "C" __global__ void ternary(const int *x, int *out) {
    const int t = threadIdx.x;
    int a = x[t];
    int b = x[t + 64];
    int c = x[t + 128];
    int lo = a < b ? a : b;
    int hi = a < b ? b : a;
    int mid = c < lo ? lo : (c > hi ? hi : c);
    int sign = mid > 0 ? 1 : mid < 0 ? -1 : 0;
    bool even = (mid & 1) == 0 ? true : false;
    float weight = even ? 0.5f : 1.5f;
    char letter = sign > 0 ? 'p' : (sign < 0 ? 'n' : 'z');
    double score = letter == 'z' ? 0.0 : (double)weight * mid;
    out[t] = (int)score;
    out[t + 64] = letter;
    out[t + 128] = mid;
}
