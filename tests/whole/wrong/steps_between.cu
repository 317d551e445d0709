// wrong: out-of-bounds
// The difference of each value to the next one.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                  \
    do {                                                             \
        cudaError_t err_ = (call);                                   \
        if (err_ != cudaSuccess) {                                   \
            fprintf(stderr, "line %d: %s\n", __LINE__,               \
                    cudaGetErrorString(err_));                       \
            exit(1);                                                 \
        }                                                            \
    } while (0)

__global__ void differences(const int *v, int *diff, int count)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= count; i += stride) {  // OR HERE
        diff[i] = v[i + 1] - v[i];  // HERE
    }
}

int main(void)
{
    const int n = 1025;
    const int count = n - 1;
    int *v = (int *)malloc(n * sizeof(int));
    int *diff = (int *)malloc(count * sizeof(int));
    if (!v || !diff) return 1;
    for (int i = 0; i < n; i++) {
        v[i] = i * i;
    }

    int *d_v, *d_diff;
    CHECK(cudaMalloc((void **)&d_v, n * sizeof(int)));
    CHECK(cudaMalloc((void **)&d_diff, count * sizeof(int)));
    CHECK(cudaMemcpy(d_v, v, n * sizeof(int), cudaMemcpyHostToDevice));
    differences<<<4, 96>>>(d_v, d_diff, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(diff, d_diff, count * sizeof(int), cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int i = 0; i < count; i++) {
        wrong += diff[i] != 2 * i + 1;
    }
    printf("%d differences, %d of them wrong\n", count, wrong);
    CHECK(cudaFree(d_v));
    CHECK(cudaFree(d_diff));
    free(v);
    free(diff);
    return 0;
}
