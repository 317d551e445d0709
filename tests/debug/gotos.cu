// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int a = i;
    int turns = 0;
again:
    a = a * 3 % 17;
    turns++;
    if (turns < 5 && a > 4) {
        goto again;
    }
    int b = a + turns;
    x[i] = b;
}
