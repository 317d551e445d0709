// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 3, i32[] random 0 800, i32[] 0
extern "C" __global__ void binsearch(const int *x, const int *keys, int *out) {
    int q = threadIdx.x;
    int key = keys[q];
    int lo = 0;
    int hi = 255;
    int found = -1;
    int steps = 0;
    while (lo <= hi) {
        int mid = lo + (hi - lo) / 2;
        int probe = x[mid];
        steps++;
        if (probe == key) {
            found = mid;
            break;
        }
        if (probe < key) {
            lo = mid + 1;
        } else {
            hi = mid - 1;
        }
    }
    out[q] = found;
    out[q + 64] = steps;
    out[q + 128] = lo;
}
