// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int base = i * 10;
    auto next = [&](int step) { return base + step; };
    int one = next(1);
    base += one;
    int two = next(2);
    auto scaled = [=](float f) { return base * f; };
    float three = scaled(0.5f);
    x[i] = one + two + (int)three;
}
