// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] random -100 100, i32[] 0
extern "C" __global__ void inssort(const int *x, int *out) {
    const int N = 7;
    int a[N] = {0};
    int tid = threadIdx.x;
    for (int i = 0; i < N; i++) {
        a[i] = x[tid * 7 + i];
    }
    int moves = 0;
    for (int i = 1; i < N; i++) {
        int key = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > key) {
            a[j + 1] = a[j];
            j--;
            moves++;
        }
        a[j + 1] = key;
    }
    int median = a[N / 2];
    int range = a[N - 1] - a[0];
    for (int i = 0; i < N; i++) {
        out[tid * 7 + i] = a[i];
    }
    out[224 + tid] = median * 1000 + range + moves;
}
