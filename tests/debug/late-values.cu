// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int a;
    int b;
    if (i & 1) {
        a = 5;
        b = i;
    } else {
        a = i;
        b = 6;
    }
    int c = a * b; // set: a
    int d = c - b; // set: b
    for (int j = 0; j < 3; j++) {
        int last;
        if (j & 1) {
            last = j;
        } else {
            last = -j;
        }
        d += last; // set: last
        c ^= last;
    }
    x[i] = c + d;
}
