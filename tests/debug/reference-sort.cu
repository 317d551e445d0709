// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] random 0 99, f32[] 1
__device__ void sort2(int &a, int &b, int &swaps) {
    if (a > b) {
        int t = a;
        a = b;
        b = t;
        swaps++;
    }
}

extern "C" __global__ void references(const int *x, float *y) {
    int id = threadIdx.x;
    int a = x[id];
    int b = x[id + 1];
    int c = x[id + 2];
    int swaps = 0;
    sort2(a, b, swaps);
    sort2(b, c, swaps);
    sort2(a, b, swaps);
    int &median = b;
    const int &largest = c;
    median *= 2;
    float &cell = y[id];
    cell += median;
    float mean = (a + median + largest) / 3.0f;
    cell -= mean;
    y[id + 64] = (float)swaps;
}
