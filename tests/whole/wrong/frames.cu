// wrong: streams-conflict
// The brightness of two frames of a film.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                          \
    do {                                                                     \
        cudaError_t e = (call);                                              \
        if (e != cudaSuccess) {                                              \
            fprintf(stderr, "error %d in line %d\n", (int)e, __LINE__);      \
            exit(1);                                                         \
        }                                                                    \
    } while (0)

#define PIXELS 3072

__global__ void brightness(const unsigned char *frame, unsigned *total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < PIXELS) {
        atomicAdd(total, (unsigned)frame[i]);  // OR HERE
    }
}

int main(void)
{
    unsigned char *h_first, *h_second, *d_frame;
    unsigned *d_total, h_total[2];
    cudaStream_t copy, work;
    cudaEvent_t arrived;

    CHECK(cudaMallocHost((void **)&h_first, PIXELS));
    CHECK(cudaMallocHost((void **)&h_second, PIXELS));
    CHECK(cudaMalloc((void **)&d_frame, PIXELS));
    CHECK(cudaMalloc((void **)&d_total, 2 * sizeof(unsigned)));
    CHECK(cudaMemset(d_total, 0, 2 * sizeof(unsigned)));
    CHECK(cudaStreamCreate(&copy));
    CHECK(cudaStreamCreate(&work));
    CHECK(cudaEventCreate(&arrived));
    for (int i = 0; i < PIXELS; i++) {
        h_first[i] = (unsigned char)(i % 7);
        h_second[i] = (unsigned char)(i % 200);
    }

    CHECK(cudaMemcpyAsync(d_frame, h_first, PIXELS, cudaMemcpyHostToDevice, copy));
    CHECK(cudaEventRecord(arrived, copy));
    CHECK(cudaStreamWaitEvent(work, arrived, 0));
    brightness<<<PIXELS / 256, 256, 0, work>>>(d_frame, d_total);  // HERE
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpyAsync(d_frame, h_second, PIXELS, cudaMemcpyHostToDevice, copy));  // AND HERE
    CHECK(cudaEventRecord(arrived, copy));
    CHECK(cudaStreamWaitEvent(work, arrived, 0));
    brightness<<<PIXELS / 256, 256, 0, work>>>(d_frame, d_total + 1);
    CHECK(cudaGetLastError());

    CHECK(cudaStreamSynchronize(work));
    CHECK(cudaMemcpy(h_total, d_total, sizeof(h_total), cudaMemcpyDeviceToHost));
    printf("first frame:  %u\n", h_total[0]);
    printf("second frame: %u\n", h_total[1]);

    CHECK(cudaEventDestroy(arrived));
    CHECK(cudaStreamDestroy(copy));
    CHECK(cudaStreamDestroy(work));
    CHECK(cudaFree(d_frame));
    CHECK(cudaFree(d_total));
    CHECK(cudaFreeHost(h_first));
    CHECK(cudaFreeHost(h_second));
    return 0;
}
