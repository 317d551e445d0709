// wrong: streams-conflict
// Water levels of three rivers. Each river has its stream, and a fourth adds them up.
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

const int DAYS = 300;

__global__ void river(int *level, int start)
{
    int day = blockIdx.x * blockDim.x + threadIdx.x;
    if (day < DAYS)
        level[day] = start + day % 11;
}

__global__ void add_up(const int *levels, int *sum)
{
    int day = blockIdx.x * blockDim.x + threadIdx.x;
    if (day < DAYS)
        sum[day] = levels[day] + levels[DAYS + day] + levels[2 * DAYS + day];
}

int main()
{
    int *levels, *sum, result[DAYS];
    cudaStream_t streams[3], last;
    cudaEvent_t ready[3];
    CHECK(cudaMalloc(&levels, 3 * DAYS * sizeof(int)));
    CHECK(cudaMalloc(&sum, DAYS * sizeof(int)));
    CHECK(cudaStreamCreate(&last));
    for (int i = 0; i < 3; i++) {
        CHECK(cudaStreamCreate(&streams[i]));
        CHECK(cudaEventCreate(&ready[i]));
        river<<<3, 100, 0, streams[i]>>>(levels + i * DAYS, 10 * i);  // HERE
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(ready[i], streams[i]));
    }
    for (int i = 0; i < 2; i++)
        CHECK(cudaStreamWaitEvent(last, ready[i], 0));
    add_up<<<3, 100, 0, last>>>(levels, sum);  // AND HERE
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(result, sum, sizeof result, cudaMemcpyDeviceToHost, last));
    CHECK(cudaDeviceSynchronize());
    printf("day 0: %d, day 299: %d\n", result[0], result[DAYS - 1]);
    for (int i = 0; i < 3; i++) {
        CHECK(cudaStreamDestroy(streams[i]));
        CHECK(cudaEventDestroy(ready[i]));
    }
    CHECK(cudaStreamDestroy(last));
    CHECK(cudaFree(levels));
    CHECK(cudaFree(sum));
}
