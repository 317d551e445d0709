// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0
__noinline__ __device__ int inner(int a, short b, char c) {
    int sum = a + b;
    sum = sum * 2;
    int result = sum - c;
    return result;
}

__noinline__ __device__ float blend(float u, float v, double w) {
    float left = u * (float)w;
    float right = v * (1.0f - (float)w);
    return left + right;
}

__noinline__ __device__ int outer(int a, int b) {
    int x = inner(a, (short)b, 'A');
    int y = inner(b, (short)x, 'b');
    float m = blend((float)x, (float)y, 0.25);
    int rounded = (int)m;
    return rounded;
}

extern "C" __global__ void noinl(const int *x, int *out) {
    int a = threadIdx.x;
    int b = x[a] + 100;
    int first = outer(a, b);
    int second = outer(b, a);
    out[a] = first - second;
}
