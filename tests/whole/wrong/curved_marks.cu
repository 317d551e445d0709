// wrong: streams-conflict
// Marks are curved in a stream that does not wait for the default stream.
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

const int N = 500;

__global__ void curve(int *marks, int bonus)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        marks[i] += bonus;
}

int main()
{
    int *marks, first;
    cudaStream_t own;
    CHECK(cudaMalloc(&marks, N * sizeof(int)));
    CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    CHECK(cudaMemset(marks, 0, N * sizeof(int)));  // HERE
    curve<<<2, 256, 0, own>>>(marks, 3);  // AND HERE
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(own));
    CHECK(cudaMemcpy(&first, marks, sizeof first, cudaMemcpyDeviceToHost));
    printf("first mark: %d\n", first);
    CHECK(cudaStreamDestroy(own));
    CHECK(cudaFree(marks));
}
