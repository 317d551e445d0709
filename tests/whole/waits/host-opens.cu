// A stream waits until the host has given it all its work: its first kernel watches a flag in pinned
// memory, then one in managed memory.
#include "check.h"

const int N = 1000;

__global__ void watch(volatile unsigned *gate)
{
    while (*gate < 1)
        ;
}

__global__ void twice(int *v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        v[i] *= 2;
}

static bool try_gate(volatile unsigned *gate)
{
    int *v, seen[N];
    CHECK(cudaMalloc(&v, sizeof seen));
    for (int i = 0; i < N; i++)
        seen[i] = i;
    CHECK(cudaMemcpy(v, seen, sizeof seen, cudaMemcpyHostToDevice));
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    for (int turn = 0; turn < 2; turn++) {
        *gate = 0;
        watch<<<1, 1, 0, s>>>(gate);
        for (int k = 0; k < 3; k++)
            twice<<<8, 128, 0, s>>>(v);
        CHECK(cudaGetLastError());
        *gate = 1;
        CHECK(cudaStreamSynchronize(s));
    }
    CHECK(cudaMemcpy(seen, v, sizeof seen, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < N; i++)
        right = right && seen[i] == 64 * i;
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(v));
    return right;
}

int main()
{
    unsigned *pinned, *managed;
    CHECK(cudaMallocHost(&pinned, sizeof *pinned));
    CHECK(cudaMallocManaged(&managed, sizeof *managed));
    bool right = try_gate(pinned) && try_gate(managed);
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(managed));
    return result(right);
}
