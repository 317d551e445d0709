// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    float m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
    float v[3] = {1.0f, (float)i, 2.0f};
    float sum = 0;
    for (int r = 0; r < 3; r++) {
        float dot = 0;
        for (int c = 0; c < 3; c++) {
            dot += m[r][c] * v[c];
        }
        sum += dot;
        m[r][r] = dot;
    }
    x[i] = (int)sum;
}
