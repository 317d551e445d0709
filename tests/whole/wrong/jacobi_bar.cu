// wrong: double-free
// Heat in a bar. Two buffers change places after each step.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define N 130
#define STEPS 40
#define CHECK(call)                                                      \
    do {                                                                 \
        cudaError_t e = (call);                                          \
        if (e != cudaSuccess) {                                          \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(e));    \
            exit(1);                                                     \
        }                                                                \
    } while (0)

__global__ void step(const float *old_t, float *new_t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    if (i == 0 || i == N - 1) {
        new_t[i] = old_t[i];
    } else {
        new_t[i] = 0.5f * (old_t[i - 1] + old_t[i + 1]);
    }
}

int main(void)
{
    float h[N];
    for (int i = 0; i < N; i++) {
        h[i] = i == 0 ? 100.0f : 0.0f;
    }

    float *d_a, *d_b;
    CHECK(cudaMalloc((void **)&d_a, sizeof(h)));
    CHECK(cudaMalloc((void **)&d_b, sizeof(h)));
    CHECK(cudaMemcpy(d_a, h, sizeof(h), cudaMemcpyHostToDevice));

    float *d_old = d_a, *d_new = d_b;
    for (int s = 0; s < STEPS; s++) {
        step<<<(N + 63) / 64, 64>>>(d_old, d_new);
        CHECK(cudaGetLastError());
        float *t = d_old;
        d_old = d_new;
        d_new = t;
    }
    CHECK(cudaMemcpy(h, d_old, sizeof(h), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_old));  // OR HERE
    printf("near the hot end: %.1f\n", h[1]);
    printf("far away: %.1f\n", h[N - 2]);

    CHECK(cudaFree(d_a));  // HERE
    CHECK(cudaFree(d_b));
    return 0;
}
