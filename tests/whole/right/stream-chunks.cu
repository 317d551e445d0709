// Copy, compute and copy back in chunks. Three streams overlap the work.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CHECK(c)                                                    \
    {                                                               \
        cudaError_t r = (c);                                        \
        if (r != cudaSuccess) {                                     \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(r)); \
            exit(1);                                                \
        }                                                           \
    }

enum { N = 6000, CHUNKS = 6, STREAMS = 3, PER = N / CHUNKS };

__global__ void collatz(const unsigned *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned v = in[i], steps = 0;
    while (v != 1 && steps < 40) {
        v = (v & 1) ? 3 * v + 1 : v / 2;
        steps++;
    }
    out[i] = steps;
}

int main(void)
{
    unsigned *in, *out, *din, *dout;
    cudaStream_t stream[STREAMS];
    CHECK(cudaMallocHost((void **)&in, N * sizeof(unsigned)));
    CHECK(cudaMallocHost((void **)&out, N * sizeof(unsigned)));
    CHECK(cudaMalloc((void **)&din, N * sizeof(unsigned)));
    CHECK(cudaMalloc((void **)&dout, N * sizeof(unsigned)));
    for (int s = 0; s < STREAMS; s++)
        CHECK(cudaStreamCreate(&stream[s]));
    for (int i = 0; i < N; i++) {
        in[i] = i + 1;
        out[i] = 0;
    }

    for (int c = 0; c < CHUNKS; c++) {
        cudaStream_t s = stream[c % STREAMS];
        int at = c * PER;
        CHECK(cudaMemcpyAsync(din + at, in + at, PER * sizeof(unsigned),
                              cudaMemcpyHostToDevice, s));
        collatz<<<(PER + 127) / 128, 128, 0, s>>>(din + at, dout + at, PER);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(out + at, dout + at, PER * sizeof(unsigned),
                              cudaMemcpyDeviceToHost, s));
    }
    for (int s = 0; s < STREAMS; s++)
        CHECK(cudaStreamSynchronize(stream[s]));

    for (int c = 0; c < CHUNKS; c++) {
        unsigned sum = 0, capped = 0;
        for (int i = c * PER; i < (c + 1) * PER; i++) {
            sum += out[i];
            capped += out[i] == 40;
        }
        printf("chunk %d: steps %u, at the limit %u\n", c, sum, capped);
    }
    printf("27 takes %u or more\n", out[26]);

    for (int s = 0; s < STREAMS; s++) {
        CHECK(cudaStreamQuery(stream[s]));
        CHECK(cudaStreamDestroy(stream[s]));
    }
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    CHECK(cudaFree(din));
    CHECK(cudaFree(dout));
    return 0;
}
