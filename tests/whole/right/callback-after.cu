// A function of the host reads what a kernel of another stream made, after an event.
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

__global__ void fill(int *v) { v[threadIdx.x] = 3 * threadIdx.x; }

struct Job { const int *from; int sum; };

static void add_up(void *data)
{
    Job *job = (Job *)data;
    for (int i = 0; i < N; i++)
        job->sum += job->from[i];
}

int main()
{
    int *v;
    Job *job;
    cudaStream_t work, talk;
    cudaEvent_t filled;
    CHECK(cudaMallocManaged(&v, 2 * N * sizeof(int)));
    CHECK(cudaMallocHost(&job, sizeof *job));
    *job = {v, 0};
    CHECK(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&talk, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&filled));
    fill<<<1, N, 0, work>>>(v);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(filled, work));
    CHECK(cudaStreamWaitEvent(talk, filled, 0));
    CHECK(cudaLaunchHostFunc(talk, add_up, job));
    fill<<<1, N, 0, work>>>(v + N); /* another part of the array */
    CHECK(cudaStreamSynchronize(talk));
    printf("%d\n", job->sum);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventDestroy(filled));
    CHECK(cudaStreamDestroy(work));
    CHECK(cudaStreamDestroy(talk));
    CHECK(cudaFree(v));
    CHECK(cudaFreeHost(job));
}
