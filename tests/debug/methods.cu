// SPDX-License-Identifier: GPL-3.0-or-later
struct Counter {
    int value;
    int step;
    __device__ int next()
    {
        value += step;
        return value;
    }
};
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    Counter c = {i, 3};
    int a = c.next();
    int b = c.next();
    c.step = b - a;
    int d = c.next();
    x[i] = d;
}
