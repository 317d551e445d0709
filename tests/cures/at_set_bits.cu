// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 1024 iota; array bits u32 32 zero; launch markSquares<<<8, 128>>>(x, bits, 1024)
//@ kind race-global
//@ cure atomic
// bit i of the set is 1 when x[i] is a square modulo 17
__global__ void markSquares(const int *x, unsigned int *bits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    bool square = false;
    for (int r = 0; r < 17; r++)
        if ((r * r) % 17 == x[i] % 17)
            square = true;

    unsigned int word = i / 32, bit = i % 32;
    if (square)
#ifdef CURED
        atomicOr(&bits[word], 1u << bit);
#else
        bits[word] |= 1u << bit;
#endif
}
