// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    if (i % 7 == 6) {
        return;
    }
    int a = i * 2;
    for (int j = 0; j < 8; j++) {
        int b = a + j;
        if (b % 11 == 10) {
            x[i] = b;
            return;
        }
        a += b & 1;
    }
    int end = a * 3;
    x[i] = end;
}
