// SPDX-License-Identifier: GPL-3.0-or-later
union Bits {
    float f;
    unsigned u;
};
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    Bits b = {i * 0.5f};
    unsigned sign = b.u >> 31;
    unsigned exponent = (b.u >> 23) & 255;
    b.u &= 0x7fffff;
    unsigned mantissa = b.u;
    x[i] = sign + exponent + mantissa;
}
