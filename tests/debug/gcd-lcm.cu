// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] random 1 500, i32[] 0
__device__ int gcd(int a, int b) {
    while (b != 0) {
        int r = a % b;
        a = b;
        b = r;
    }
    return a;
}

__device__ int gcdRec(int a, int b, int &depth) {
    ++depth;
    if (b == 0) {
        return a;
    }
    return gcdRec(b, a % b, depth);
}

extern "C" __global__ void gcdlcm(const int *x, int *out) {
    int t = threadIdx.x;
    int a = x[t];
    int b = x[t + 32];
    int g = gcd(a, b);
    int depth = 0;
    int h = gcdRec(a, b, depth);
    int lcm = a / g * b;
    bool agree = g == h;
    bool coprime = g == 1;
    out[t] = agree ? lcm : -1;
    out[t + 64] = depth;
    out[t + 128] = coprime;
}
