// wrong: elements-for-bytes
// Mean of each value and its two neighbours.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                      \
    do {                                                                 \
        cudaError_t e = (call);                                          \
        if (e != cudaSuccess) {                                          \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(e));    \
            exit(1);                                                     \
        }                                                                \
    } while (0)

__global__ void smooth(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float left = in[i > 0 ? i - 1 : 0];
    float right = in[i < n - 1 ? i + 1 : n - 1];
    out[i] = (left + in[i] + right) / 3.0f;
}

int main(void)
{
    const int n = 640;
    const size_t bytes = n * sizeof(float);
    float *h_in = (float *)malloc(bytes);
    float *h_out = (float *)calloc(n, sizeof(float));
    if (h_in == NULL || h_out == NULL) return 1;
    for (int i = 0; i < n; i++) {
        h_in[i] = 3.0f * i;
    }

    float *d_in, *d_out;
    CHECK(cudaMalloc((void **)&d_in, bytes));
    CHECK(cudaMalloc((void **)&d_out, bytes));
    CHECK(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice));
    smooth<<<5, 128>>>(d_in, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_out, d_out, n, cudaMemcpyDeviceToHost));  // HERE

    for (int i = 100; i < n; i += 200) {
        printf("%d: %.1f\n", i, h_out[i]);
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    free(h_in);
    free(h_out);
    return 0;
}
