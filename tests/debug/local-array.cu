// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int a[8] = {5, 3, 8, 1, 9, 2, 7, 4};
    for (int j = 1; j < 8; j++) {
        int key = a[j];
        int at = j - 1;
        while (at >= 0 && a[at] > key) {
            a[at + 1] = a[at];
            at--;
        }
        a[at + 1] = key;
    }
    int middle = a[(i & 1) + 3];
    x[i] = middle;
}
