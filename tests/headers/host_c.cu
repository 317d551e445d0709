/* SPDX-License-Identifier: GPL-3.0-or-later */
/* a C-style main with an error check at each call */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <time.h>
#include <assert.h>
#include <cuda.h>
#include <cuda_runtime.h>
#define CHECK(call)                                                              \
    do {                                                                         \
        cudaError_t status = (call);                                             \
        if (status != cudaSuccess) {                                             \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__,              \
                    cudaGetErrorString(status), cudaGetErrorName(status));       \
            exit(EXIT_FAILURE);                                                  \
        }                                                                        \
    } while (0)
__global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    size_t size = n * sizeof(float);
    float *h_a = (float *)malloc(size), *h_c = (float *)calloc(n, sizeof *h_c), *a, *b, *c;
    srand((unsigned)time(NULL));
    for (int i = 0; i < n; i++)
        h_a[i] = rand() / (float)RAND_MAX + sinf(i) + fabs(cos(M_PI * i));
    CHECK(cudaMalloc((void **)&a, size));
    CHECK(cudaMalloc(&b, size));
    CHECK(cudaMallocManaged(&c, size));
    CHECK(cudaMemcpy(a, h_a, size, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(b, 0, size));
    double start = seconds();
    vecadd<<<(n + 255) / 256, 256>>>(a, b, c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaPeekAtLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h_c, c, size, cudaMemcpyDeviceToHost));
    printf("%f s, %f\n", seconds() - start, h_c[0]);
    assert(memcmp(h_a, h_c, 4) != 0 && strlen(argv[0]) > 0);
    cudaFree(a); cudaFree(b); cudaFree(c);
    free(h_a); free(h_c);
    cudaDeviceReset();
    return EXIT_SUCCESS;
}
