// wrong: streams-conflict
// Two halves of a street are painted in two streams, but the halves overlap by one house.
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

const int HOUSES = 1000;

__global__ void paint(unsigned char *house, int from, int to, unsigned char colour)
{
    int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= to)  // OR HERE
        house[i] = colour;
}

int main()
{
    unsigned char *street, colours[HOUSES];
    cudaStream_t left, right;
    CHECK(cudaMalloc(&street, HOUSES));
    CHECK(cudaStreamCreate(&left));
    CHECK(cudaStreamCreate(&right));
    paint<<<4, 128, 0, left>>>(street, 0, HOUSES / 2, 7);  // HERE
    CHECK(cudaGetLastError());
    paint<<<4, 128, 0, right>>>(street, HOUSES / 2, HOUSES - 1, 9);  // AND HERE
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(left));
    CHECK(cudaStreamSynchronize(right));
    CHECK(cudaMemcpy(colours, street, HOUSES, cudaMemcpyDeviceToHost));
    printf("first %d, last %d\n", colours[0], colours[HOUSES - 1]);
    CHECK(cudaStreamDestroy(left));
    CHECK(cudaStreamDestroy(right));
    CHECK(cudaFree(street));
}
