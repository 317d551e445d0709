// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    long long total = 0;
    for (int a = 0; a < 3; a++) {
        int row = a * i;
        for (int b = a; b < 4; b++) {
            int cell = row + b;
            if (cell % 3 == 0) {
                total -= cell;
            } else {
                int more = cell * 2;
                total += more;
            }
        }
        row++;
        total += row;
    }
    x[i] = (int)total;
}
