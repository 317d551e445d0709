// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int a = 1;
    int b = 2;
    if (i & 1) {
        a = i;
        if (i & 2) {
            b = a + 5;
            a = -a;
        } else {
            b = -1;
        }
        x[i] = a + b;
    } else {
        int old = a;
        a = b + i;
        b = old;
        x[i] = a - b;
    }
    int c = a ^ b;
    for (int j = 0; j < (i & 3); j++) {
        c += j;
        if (c & 4) {
            continue;
        }
        if (c > 60) {
            break;
        }
        a++;
    }
    x[i] += a + b + c;
}
