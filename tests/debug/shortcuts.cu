// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int a = 0;
    int b = 10;
    if (i > 3 && i % 2 == 0 && x[i + 256] > 0) {
        a = 1;
    }
    if (i < 5 || i > 60 || x[i + 300] == 2) {
        b = a - 1;
        a++;
    } else if (a == 1) {
        b = 4;
    }
    bool all = a && b;
    x[i] = a + b + all;
}
