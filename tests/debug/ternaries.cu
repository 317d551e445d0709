// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int a = i > 20 ? i - 20 : 20 - i;
    int b = a & 1 ? a & 2 ? 7 : 5 : 3;
    float f = b == 5 ? 0.25f : (float)a;
    int c = a > b ? a : b;
    int d = c == a ? b : a;
    c = d > 4 ? c - d : c;
    x[i] = b + c + d + (int)f;
}
