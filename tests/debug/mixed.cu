// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    float f = i;
    double d = f / 3;
    short s = (short)d;
    long long l = s * 1000000007LL;
    unsigned char c = (unsigned char)l;
    for (int j = 0; j < 3; j++) {
        f += c;
        d -= f;
        l ^= (long long)d;
        c = (unsigned char)(l >> j);
        s += c;
    }
    x[i] = (int)f + (int)d + s + (int)l + c;
}
