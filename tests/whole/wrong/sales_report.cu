// wrong: streams-conflict
// The host reports a total from a stream, while another stream still adds to it.
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

const int N = 64;

__global__ void add_sales(int *total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(total, i % 5);
}

static void report(void *total)
{
    int now = *(int *)total;  // HERE
    printf("there is a total: %s\n", now >= 0 ? "yes" : "no");
}

int main()
{
    int *total;
    cudaStream_t work, talk;
    CHECK(cudaMallocManaged(&total, sizeof(int)));
    *total = 0;
    CHECK(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&talk, cudaStreamNonBlocking));
    add_sales<<<1, N, 0, work>>>(total, N);  // OR HERE
    CHECK(cudaGetLastError());
    CHECK(cudaLaunchHostFunc(talk, report, total));
    CHECK(cudaStreamSynchronize(work));
    CHECK(cudaStreamSynchronize(talk));
    printf("total: %d\n", *total);
    CHECK(cudaStreamDestroy(work));
    CHECK(cudaStreamDestroy(talk));
    CHECK(cudaFree(total));
}
