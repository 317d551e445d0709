// wrong: elements-for-bytes
// Squares of numbers. The copy to the GPU brings too little.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                    \
    do {                                                               \
        cudaError_t e = (call);                                        \
        if (e != cudaSuccess) {                                        \
            printf("%s, line %d\n", cudaGetErrorString(e), __LINE__);  \
            exit(1);                                                   \
        }                                                              \
    } while (0)

__global__ void squares(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * in[i];  // OR HERE
}

int main()
{
    const int n = 200;
    int in[n], out[n];
    for (int i = 0; i < n; i++)
        in[i] = i;
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in, n, cudaMemcpyHostToDevice));  // HERE
    squares<<<1, 256>>>(d_in, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
    printf("last square: %d\n", out[n - 1]);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
}
