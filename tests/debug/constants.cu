// SPDX-License-Identifier: GPL-3.0-or-later
constexpr int WIDTH = 8;
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    const int four = 4;
    constexpr int wide = WIDTH * 2;
    const float half = 0.5f;
    const int offset = i % wide;
    int sum = four * offset;
    for (int j = 0; j < four; j++) {
        const int part = j * wide;
        sum += part;
    }
    x[i] = sum + (int)(half * 10);
}
