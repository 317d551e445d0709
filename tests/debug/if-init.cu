// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0
extern "C" __global__ void ifinit(const int *x, int *out) {
    int tid = threadIdx.x;
    int result = 0;
    if (int r = x[tid] % 3; r == 0) {
        int third = x[tid] / 3;
        result = third;
    } else if (int s = r + 10; s == 11) {
        result = s * 2;
    } else {
        result = r - s;
    }
    switch (int q = result & 3; q) {
        case 0:
            result += 100;
            break;
        case 1:
            result -= q;
            break;
        default:
            result *= q;
            break;
    }
    if (const int *p = x + tid; *p > 20) {
        result ^= *p;
    }
    out[tid] = result;
}
