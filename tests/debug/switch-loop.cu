// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int state = i % 4;
    int out = 0;
    for (int step = 0; step < 6; step++) {
        int before = state;
        switch (state) {
        case 0:
            state = 2;
            out += 1;
            break;
        case 1:
            state = 3;
            break;
        case 2:
            state = 1;
            out *= 2;
            continue;
        default:
            state = 0;
        }
        out += before;
    }
    x[i] = out;
}
