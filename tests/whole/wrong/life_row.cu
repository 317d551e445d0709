// wrong: uninit
// Cells in a row live and die for some rounds.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CELLS 62
#define CHECK(call)                                                  \
    do {                                                             \
        cudaError_t err_ = (call);                                   \
        if (err_ != cudaSuccess) {                                   \
            fprintf(stderr, "line %d: %s\n", __LINE__,               \
                    cudaGetErrorString(err_));                       \
            exit(1);                                                 \
        }                                                            \
    } while (0)

__global__ void next(const int *now, int *then)
{
    int i = threadIdx.x + 1;
    if (i <= CELLS) {
        then[i] = (now[i - 1] + now[i + 1]) % 2;  // HERE
    }
}

int main(void)
{
    const int rounds = 5;
    int h[CELLS] = {0};
    int *now, *then;
    h[5] = h[30] = 1;

    CHECK(cudaMalloc((void **)&now, (CELLS + 2) * sizeof(int)));  // OR HERE
    CHECK(cudaMalloc((void **)&then, (CELLS + 2) * sizeof(int)));
    CHECK(cudaMemcpy(now + 1, h, sizeof(h), cudaMemcpyHostToDevice));  // OR HERE
    CHECK(cudaMemset(then, 0, (CELLS + 2) * sizeof(int)));

    for (int r = 0; r < rounds; r++) {
        next<<<1, 64>>>(now, then);
        CHECK(cudaGetLastError());
        int *t = now;
        now = then;
        then = t;
    }
    CHECK(cudaMemcpy(h, now + 1, sizeof(h), cudaMemcpyDeviceToHost));
    for (int i = 0; i < CELLS; i++) {
        putchar(h[i] ? '*' : ' ');
    }
    printf("|\n");

    CHECK(cudaFree(now));
    CHECK(cudaFree(then));
    return 0;
}
