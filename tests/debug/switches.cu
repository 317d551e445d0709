// SPDX-License-Identifier: GPL-3.0-or-later
enum Colour { RED, GREEN = 5, BLUE };
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    Colour c = i % 3 == 0 ? RED : i % 3 == 1 ? GREEN : BLUE;
    int result = 0;
    switch (i % 5) {
    case 0:
        result = 10;
        break;
    case 1: {
        int one = i * 2;
        result = one;
        break;
    }
    case 2:
        result = 7;
    case 3:
        result += i;
        break;
    default:
        result = -1;
    }
    switch (c) {
    case RED:
        result++;
        break;
    case GREEN:
        result--;
        break;
    case BLUE:
        c = RED;
        result *= 2;
        break;
    }
    x[i] = result + c;
}
