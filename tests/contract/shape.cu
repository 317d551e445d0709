// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch looks like from inside: its shape, its dynamic shared memory, its lines.
#include <cstdio>

__global__ void shape(int *out)
{
    out[0] = gridDim.x, out[1] = gridDim.y, out[2] = gridDim.z;
    out[3] = blockDim.x, out[4] = blockDim.y, out[5] = blockDim.z;
    unsigned bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    out[6] = bytes;
}

__global__ void ends(int *out, int words)
{
    extern __shared__ int pool[];
    pool[0] = 3;
    pool[words - 1] = 4;
    out[0] = pool[0] * 10 + pool[words - 1];
}

__global__ void hello()
{
    printf("b%u t%u\n", blockIdx.x, threadIdx.x);
}

__global__ void odd_bytes()
{
    printf("a\xff"
           "b \xc3\xa9 \"q\" \\ \t|\n");
}
