// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    char letter = 'a' + i % 26;
    unsigned char code = (unsigned char)letter;
    short both = (short)(letter * 256 + code);
    for (char c = 'a'; c < 'e'; c++) {
        code += c;
        letter ^= 1;
    }
    unsigned short wide = (unsigned short)both;
    wide >>= 2;
    signed char sign = (signed char)(code - 128);
    x[i] = letter + code + wide + sign;
}
