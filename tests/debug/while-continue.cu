// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int steps = 0;
    int value = i + 3;
    while (value != 1) {
        steps++;
        if (value % 2 == 0) {
            value /= 2;
            continue;
        }
        value = 3 * value + 1;
        if (steps > 12) {
            break;
        }
    }
    x[i] = steps + value;
}
