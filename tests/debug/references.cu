// SPDX-License-Identifier: GPL-3.0-or-later
static __device__ __noinline__ void bump(int &v, float &f)
{
    int old = v;
    v = old + 2;
    f += v;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int count = i;
    float sum = 0.5f;
    int &alias = count;
    bump(alias, sum);
    alias++;
    bump(count, sum);
    const float &shown = sum;
    int cells[3] = {1, 2, 3};
    int &cell = cells[i % 3];
    cell += alias;
    x[i] = count + (int)shown + cell;
}
