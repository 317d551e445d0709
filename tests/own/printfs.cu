// SPDX-License-Identifier: GPL-3.0-or-later
//! array x i32 4 list:1,-2,3,40
//! launch formats<<<1,1>>>(-42, 3000000000, 2.5)
//! launch threads<<<2,3>>>(x)
//! launch pieces<<<1,2>>>(x, 4)
//! launch some<<<1,64>>>()
//! launch strings<<<1,1>>>(3)
//! output Hello from the GPU
//! output -42|  -42|-42  |-0042|  -42|+7
//! output 3000000000|b2d05e00|B2D05E00|0xb2d05e00|26264057000
//! output 2.500000|2.5|2.50|   2.5|2.500000e+00|2|-000.125
//! output c|%|  x|9000000000000000000|18446744073709551615|-5
//! output 1e+10 0.0001 1e-05 123457 inf -inf 0
//! output (3) ( 4)
//! output block 0 thread 0 of 3: 1
//! output block 0 thread 1 of 3: -2
//! output block 0 thread 2 of 3: 3
//! output block 1 thread 0 of 3: 1
//! output block 1 thread 1 of 3: -2
//! output block 1 thread 2 of 3: 3
//! output 0: 1 -2 3 40
//! output 1: 1 -2 3 40
//! output lane 5 of warp 0
//! output lane 5 of warp 1
//! output one two three
//! output 
//! output [abc       ] [       abc] [ab] [tab	here]
//! output true 0 1.0
#include <stdio.h>

__global__ void formats(int i, unsigned u, double d)
{
    printf("Hello from the GPU\n");
    printf("%d|%5d|%-5d|%05d|%*d|%+d\n", i, i, i, i, 5, i, 7);
    printf("%u|%x|%X|%#x|%o\n", u, u, u, u, u);
    printf("%f|%g|%.2f|%6.1f|%e|%.0f|%08.3f\n", d, d, d, d, d, d, -0.125);
    printf("%c|%%|%3c|%lld|%llu|%hd\n", 'c', 'x', 9000000000000000000LL, ~0ULL, (short)-5);
    float big = (float)d * 4e9f, zero = (float)(i + 42);
    printf("%g %g %g %g %g %g %g\n", big, 1e-4, 1e-5, 123456.789, 1.0f / zero, -1.0f / zero, zero);
    printf("(%i) (%2i)\n", 3, 4);
}

__global__ void threads(const int *x)
{
    printf("block %d thread %d of %d: %d\n", blockIdx.x, threadIdx.x, blockDim.x, x[threadIdx.x]);
}

// a line in several calls stays together
__global__ void pieces(const int *x, int n)
{
    printf("%d:", threadIdx.x);
    for (int i = 0; i < n; i++)
        printf(" %d", x[i]);
    printf("\n");
}

__global__ void some()
{
    if (threadIdx.x % 32 == 5)
        printf("lane %d of warp %d\n", threadIdx.x % 32, threadIdx.x / 32);
}

__device__ const char *name(int k)
{
    return k == 1 ? "one" : k == 2 ? "two" : "three";
}

__global__ void strings(int n)
{
    for (int k = 1; k <= n; k++)
        printf("%s%s", name(k), k < n ? " " : "\n");
    printf("\n");
    printf("[%-10s] [%10s] [%.2s] [tab\there]\n", "abc", "abc", "abc");
    bool yes = n > 2;
    printf("%s %d %.1f\n", yes ? "true" : "false", !yes, (double)yes);
}
