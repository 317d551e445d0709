// wrong: barrier
// The highest point of each of several hikes.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define POINTS 256
#define HIKES 5
#define CHECK(call)                                                      \
    do {                                                                 \
        cudaError_t e = (call);                                          \
        if (e != cudaSuccess) {                                          \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(e));    \
            exit(1);                                                     \
        }                                                                \
    } while (0)

__global__ void highest(const int *height, int *top)
{
    __shared__ int s[POINTS];
    int t = threadIdx.x;
    s[t] = height[blockIdx.x * POINTS + t];
    __syncthreads();
    for (int half = POINTS / 2; half > 0; half >>= 1) {
        if (t < half) {  // OR HERE
            s[t] = max(s[t], s[t + half]);
            __syncthreads();  // HERE
        }
    }
    if (t == 0) {
        top[blockIdx.x] = s[0];
    }
}

int main(void)
{
    static int height[HIKES * POINTS];
    int top[HIKES];
    for (int k = 0; k < HIKES; k++) {
        for (int i = 0; i < POINTS; i++) {
            height[k * POINTS + i] = 400 + 90 * k + (i * (13 + 2 * k)) % 251;
        }
    }

    int *d_height, *d_top;
    CHECK(cudaMalloc((void **)&d_height, sizeof(height)));
    CHECK(cudaMalloc((void **)&d_top, sizeof(top)));
    CHECK(cudaMemcpy(d_height, height, sizeof(height), cudaMemcpyHostToDevice));
    highest<<<HIKES, POINTS>>>(d_height, d_top);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(top, d_top, sizeof(top), cudaMemcpyDeviceToHost));

    for (int k = 0; k < HIKES; k++) {
        printf("hike %d: %d m\n", k + 1, top[k]);
    }
    CHECK(cudaFree(d_height));
    CHECK(cudaFree(d_top));
    return 0;
}
