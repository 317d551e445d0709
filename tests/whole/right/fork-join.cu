// One stream forks into three, and they join again. Rounds of this are ordered by events.
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

const int N = 96, PARTS = 3, ROUNDS = 20;

__global__ void grow(int *v, int from)
{
    v[from + threadIdx.x] += 1;
}

__global__ void turn(const int *in, int *out)
{
    out[threadIdx.x] = in[N - 1 - threadIdx.x];
}

int main()
{
    int *a, *b, out[N];
    cudaStream_t main_stream, part[PARTS];
    cudaEvent_t fork, join[PARTS];
    CHECK(cudaMalloc(&a, N * sizeof(int)));
    CHECK(cudaMalloc(&b, N * sizeof(int)));
    CHECK(cudaStreamCreateWithFlags(&main_stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    for (int i = 0; i < PARTS; i++) {
        CHECK(cudaStreamCreateWithFlags(&part[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&join[i], cudaEventDisableTiming));
    }
    CHECK(cudaMemsetAsync(a, 0, N * sizeof(int), main_stream));
    for (int round = 0; round < ROUNDS; round++) {
        CHECK(cudaEventRecord(fork, main_stream));
        for (int i = 0; i < PARTS; i++) {
            CHECK(cudaStreamWaitEvent(part[i], fork, 0));
            grow<<<1, N / PARTS, 0, part[i]>>>(a, i * N / PARTS);
            CHECK(cudaEventRecord(join[i], part[i]));
            CHECK(cudaStreamWaitEvent(main_stream, join[i], 0));
        }
        turn<<<1, N, 0, main_stream>>>(a, b);
        CHECK(cudaMemcpyAsync(a, b, N * sizeof(int), cudaMemcpyDeviceToDevice, main_stream));
    }
    CHECK(cudaStreamSynchronize(main_stream));
    CHECK(cudaMemcpy(out, a, sizeof out, cudaMemcpyDeviceToHost));
    printf("%d %d %d\n", out[0], out[N / 2], out[N - 1]);
    for (int i = 0; i < PARTS; i++) {
        CHECK(cudaStreamDestroy(part[i]));
        CHECK(cudaEventDestroy(join[i]));
    }
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaStreamDestroy(main_stream));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}
