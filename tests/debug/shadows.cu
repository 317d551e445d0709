// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int a = i + 1;
    {
        float a = i * 0.5f;
        {
            char a = (char)(i + 'A');
            x[i] = a;
        }
        x[i] += (int)a;
    }
    for (int i = 0; i < 3; i++) {
        int a = i * 3;
        x[40 * blockIdx.x + threadIdx.x] += a;
        if (a > 2) {
            int i = a - 1;
            x[40 * blockIdx.x + threadIdx.x] -= i;
        }
    }
    x[i] += a;
}
