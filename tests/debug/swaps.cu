// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int a = i;
    int b = n;
    int c = a + b;
    for (int j = 0; j < 5; j++) {
        int t = a;
        a = b;
        b = c;
        c = t;
        if (c > b) {
            int u = b;
            b = c;
            c = u;
        }
    }
    x[i] = a + 2 * b + 3 * c;
}
