// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int before = -1;
    int older = -2;
    int now = 0;
    for (int j = 0; j < 6; j++) {
        now = (i + j * j) % 7;
        int change = now - before;
        older = before;
        before = now;
        if (change > 3) {
            before = older;
        }
    }
    x[i] = before * 100 + older * 10 + now;
}
