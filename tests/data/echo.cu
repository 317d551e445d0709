/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints its arguments, or with `sum` the sum of what it reads: for tests of grading. */
#include <cassert>
#include <cstdio>
#include <cstring>
__global__ void put(int *v, int n) { v[threadIdx.x] = n; }
int main(int argc, char **argv)
{
    int sum = 0, x, *d;
    cudaMalloc(&d, 4 * sizeof(int));
    put<<<1, 4>>>(d, argc);
    cudaDeviceSynchronize();
    cudaFree(d);
    if (argc == 2 && strcmp(argv[1], "sum") == 0) {
        while (scanf("%d", &x) == 1)
            sum += x;
        printf("%d\n", sum);
        return 0;
    }
    for (int i = 1; i < argc; i++)
        printf("%s|", argv[i]);
    printf("\n");
    return argc - 1;
}
