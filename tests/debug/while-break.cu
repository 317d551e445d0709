// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] random 1 60, i32[] 0, i32 150
extern "C" __global__ void whilebreak(const int *x, int *out, int target) {
    int me = threadIdx.x;
    int pos = me;
    int sum = 0;
    int skipped = 0;
    bool reached = false;
    while (true) {
        int v = x[pos];
        pos++;
        if (pos >= 200) {
            break;
        }
        if (v % 5 == 0) {
            skipped++;
            continue;
        }
        sum += v;
        if (sum >= target) {
            reached = true;
            break;
        }
    }
    int used = pos - me - skipped;
    out[me] = reached ? sum : -sum;
    out[me + 64] = used;
    out[me + 128] = skipped;
}
