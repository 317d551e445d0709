// wrong: use-after-free
// A blur filter and a sharpen filter.
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

__global__ void blur(const int *in, int *soft, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int left = i > 0 ? in[i - 1] : in[i];
        int right = i < n - 1 ? in[i + 1] : in[i];
        soft[i] = (left + 2 * in[i] + right) / 4;
    }
}

__global__ void sharpen(const int *in, const int *soft, int *sharp, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        sharp[i] = 2 * in[i] - soft[i];  // OR HERE
    }
}

int main()
{
    const int n = 700;
    const int threads = 100;
    const size_t bytes = n * sizeof(int);
    std::vector<int> h(n);
    for (int i = 0; i < n; i++) {
        h[i] = i % 50 < 25 ? 40 : 80;
    }

    int *in, *soft, *sharp;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&soft, bytes));
    CHECK(cudaMalloc(&sharp, bytes));
    CHECK(cudaMemcpy(in, h.data(), bytes, cudaMemcpyHostToDevice));
    blur<<<n / threads, threads>>>(in, soft, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));  // OR HERE

    sharpen<<<n / threads, threads>>>(in, soft, sharp, n);  // HERE
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(soft));

    CHECK(cudaMemcpy(h.data(), sharp, bytes, cudaMemcpyDeviceToHost));
    printf("%d %d %d %d\n", h[0], h[24], h[25], h[40]);
    CHECK(cudaFree(sharp));
    return 0;
}
