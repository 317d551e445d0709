// wrong: streams-conflict
// The host prints scores from a stream before another stream has made them.
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

const int N = 96;

__global__ void add_points(int *score, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(score, i % 5);
}

static void report(void *score)
{
    int now = *(int *)score;  // HERE
    printf("there is a score: %s\n", now >= 0 ? "yes" : "no");
}

int main()
{
    int *score;
    cudaStream_t work, talk;
    CHECK(cudaMallocManaged(&score, sizeof(int)));
    *score = 0;
    CHECK(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&talk, cudaStreamNonBlocking));
    add_points<<<1, N, 0, work>>>(score, N);  // OR HERE
    CHECK(cudaGetLastError());
    CHECK(cudaLaunchHostFunc(talk, report, score));
    CHECK(cudaStreamSynchronize(talk));
    CHECK(cudaStreamSynchronize(work));
    printf("score: %d\n", *score);
    CHECK(cudaStreamDestroy(work));
    CHECK(cudaStreamDestroy(talk));
    CHECK(cudaFree(score));
}
