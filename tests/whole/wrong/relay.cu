// wrong: event-unrecorded
// Three runners in three streams. Each one adds to what the one before left.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                      \
    do {                                                                 \
        cudaError_t e = (call);                                          \
        if (e != cudaSuccess) {                                          \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(e));    \
            exit(1);                                                     \
        }                                                                \
    } while (0)

__global__ void runLeg(const int *from, int *to, int n, int leg)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        to[i] = from[i] * 10 + leg;
    }
}

int main()
{
    const int n = 512;
    const int legs = 3;
    int *buf[legs + 1];
    cudaStream_t runner[legs];
    cudaEvent_t baton[legs];

    for (int k = 0; k <= legs; k++) {
        CHECK(cudaMalloc(&buf[k], n * sizeof(int)));
        CHECK(cudaMemset(buf[k], 0, n * sizeof(int)));
    }
    for (int k = 0; k < legs; k++) {
        CHECK(cudaStreamCreateWithFlags(&runner[k], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&baton[k], cudaEventDisableTiming));
    }
    CHECK(cudaDeviceSynchronize());

    for (int k = 0; k < legs; k++) {
        if (k > 0) {
            CHECK(cudaStreamWaitEvent(runner[k], baton[k], 0));  // HERE
        }
        runLeg<<<(n + 127) / 128, 128, 0, runner[k]>>>(buf[k], buf[k + 1], n, k + 1);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(baton[k], runner[k]));  // OR HERE
    }
    CHECK(cudaDeviceSynchronize());

    int h[n];
    CHECK(cudaMemcpy(h, buf[legs], sizeof(h), cudaMemcpyDeviceToHost));
    int good = 0;
    for (int i = 0; i < n; i++) {
        good += h[i] == 123;
    }
    printf("%d of %d lanes are right\n", good, n);

    for (int k = 0; k < legs; k++) {
        CHECK(cudaStreamDestroy(runner[k]));
        CHECK(cudaEventDestroy(baton[k]));
    }
    for (int k = 0; k <= legs; k++) {
        CHECK(cudaFree(buf[k]));
    }
    return 0;
}
