// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 64: i32[] 0 step 1, i32[] 0
extern "C" __global__ void diverge(const int *x, int *out) {
    int tid = threadIdx.x;
    int lane = tid % 32;
    int warp = tid / 32;
    int v = x[tid];
    if (lane < 10) {
        int small = v * v;
        v = small + 1;
        if (lane & 1) {
            int odd = v / 3;
            v -= odd;
        } else {
            int even = v / 2;
            v += even;
        }
    } else if (lane < 20 && warp == 1) {
        unsigned u = (unsigned)v << lane % 4;
        v = (int)u;
    } else {
        for (int k = lane; k < 32; k += 5) {
            v += k;
        }
    }
    int final = v + warp;
    out[tid] = final;
}
