// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    long long big = 1LL << (i & 31);
    unsigned long long hash = 1469598103934665603ULL;
    for (int j = 0; j < 4; j++) {
        hash ^= (unsigned long long)(big + j);
        hash *= 1099511628211ULL;
        big = -big;
    }
    long low = (long)(hash & 0xffff);
    unsigned high = (unsigned)(hash >> 32);
    x[i] = (int)low + (int)high + (int)big;
}
