// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    const int4 *from = (const int4 *)(x + 256);
    int4 v = from[i];
    int sum = v.x + v.y;
    int2 w = *(const int2 *)(x + 512 + 2 * i);
    sum += w.x - w.y;
    v.z = sum;
    x[i] = v.z + v.w;
}
