// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0, i32 3
extern "C" __global__ void lambdaval(const int *x, int *out, int k) {
    int tid = threadIdx.x;
    int offset = tid * 2;
    auto affine = [k, offset](int v) {
        int scaled = v * k;
        return scaled + offset;
    };
    auto twice = [=](int v) {
        int once = affine(v);
        int again = affine(once);
        return again - tid;
    };
    offset = -1;
    int a = affine(x[tid]);
    int b = twice(a);
    auto counter = [n = 10]() mutable {
        n += 5;
        return n;
    };
    int c1 = counter();
    int c2 = counter();
    out[tid] = a + offset;
    out[tid + 64] = b;
    out[tid + 128] = c1 * c2;
}
