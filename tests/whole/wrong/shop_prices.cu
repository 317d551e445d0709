// wrong: host-pointer
// Adds the tax to a list of prices in cents.
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

__global__ void addTax(const int *price, int *withTax, int n, int percent)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        withTax[i] = price[i] + price[i] * percent / 100;  // OR HERE
    }
}

int main()
{
    const int n = 200;
    std::vector<int> price(n), withTax(n);
    for (int i = 0; i < n; i++) {
        price[i] = 100 * (i + 1);
    }

    int *d_withTax;
    CHECK(cudaMalloc(&d_withTax, n * sizeof(int)));

    addTax<<<2, 128>>>(price.data(), d_withTax, n, 19);  // HERE
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    CHECK(cudaMemcpy(withTax.data(), d_withTax, n * sizeof(int), cudaMemcpyDeviceToHost));
    printf("first: %d, last: %d\n", withTax[0], withTax[n - 1]);
    CHECK(cudaFree(d_withTax));
    return 0;
}
