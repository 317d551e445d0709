// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int *count = x + 1024 + i;
    int before = atomicAdd(count, 5);
    int now = *count;
    int most = atomicMax(count, before + 20);
    int swapped = atomicCAS(count, most, 1);
    int done = atomicExch(count, 9);
    x[i] = before + now + most + swapped + done;
}
