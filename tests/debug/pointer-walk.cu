// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    const int *at = x + 256 + i;
    const int *end = at + 5;
    int best = -100;
    const int *where = at;
    while (at != end) {
        int v = *at;
        if (v > best) {
            best = v;
            where = at;
        }
        at++;
    }
    long distance = end - where;
    x[i] = best + (int)distance;
}
