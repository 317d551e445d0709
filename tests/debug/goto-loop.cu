// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] random 0 30, i32[] 0
extern "C" __global__ void gotoloop(const int *x, int *out) {
    int tid = threadIdx.x;
    int found = -1;
    int tries = 0;
    int i = 0;
    int j = 0;
    for (i = 0; i < 8; i++) {
        for (j = i + 1; j < 8; j++) {
            tries++;
            if (x[tid + i] + x[tid + j] == 25) {
                found = i * 8 + j;
                goto done;
            }
        }
    }
    tries = -tries;
done:
    out[tid] = found;
    out[tid + 64] = tries;
    out[tid + 128] = i + j;
}
