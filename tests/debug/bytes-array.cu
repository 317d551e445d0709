// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    char text[6] = {'h', 'e', 'l', 'l', 'o', 0};
    int length = 0;
    while (text[length] != 0) {
        char c = text[length];
        text[length] = c - 32;
        length++;
    }
    short parts[3] = {1, 2, 3};
    parts[length % 3] = (short)i;
    int total = parts[0] + parts[1] + parts[2] + text[0];
    x[i] = total;
}
