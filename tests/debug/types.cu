// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    short s = (short)(i * 1000);
    unsigned short us = (unsigned short)(i * 2001);
    char c = (char)(i + 100);
    signed char sc = (signed char)(i - 20);
    unsigned char uc = (unsigned char)(i * 9);
    bool b = i > 7;
    bool other = !b;
    float f = i / 3.0f;
    double d = f * 1e10;
    long long l = (long long)i << 33;
    unsigned long long ul = ~0ULL - i;
    unsigned u = 0x80000000u + i;
    long w = l * 3;
    s += 5;
    us = us * 3;
    c++;
    sc -= uc;
    uc ^= 0x55;
    b = other || i == 9;
    f *= f;
    d = d / 7;
    l -= w;
    ul >>= 3;
    u /= 3;
    x[i] = s + us + c + sc + uc + b + other + (int)f + (int)d + (int)l + (int)ul + u + (int)w;
}
