// wrong: wrong-symbol
// A filter with five weights in constant memory.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                      \
    do {                                                                 \
        cudaError_t e = (call);                                          \
        if (e != cudaSuccess) {                                          \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(e));    \
            exit(1);                                                     \
        }                                                                \
    } while (0)

__constant__ int weights[5];

__global__ void filter(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
    for (int k = -2; k <= 2; k++) {
        int j = i + k;
        if (j >= 0 && j < n) {
            sum += weights[k + 2] * in[j];
        }
    }
    out[i] = sum;
}

int main()
{
    const int n = 320;
    const int h_weights[5] = {1, 4, 6, 4, 1};
    std::vector<int> h(n);
    for (int i = 0; i < n; i++) {
        h[i] = i % 16;
    }

    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(weights, h_weights, sizeof(h_weights), cudaMemcpyHostToDevice));  // HERE

    filter<<<n / 64, 64>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d %d %d\n", h[0], h[8], h[n - 1]);

    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
