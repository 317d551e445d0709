// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int a = i;
    int b = i * 2;
    int *p = &a;
    int **pp = &p;
    **pp = 7;
    *pp = &b;
    **pp += 1;
    int sum = a + b + *p;
    x[i] = sum;
}
