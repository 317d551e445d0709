// Prefix sum of many blocks: scan each block, scan the block totals, add them.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define TRY(x)                                                              \
    if (cudaError_t e = (x); e != cudaSuccess) {                            \
        std::fprintf(stderr, "error: %s\n", cudaGetErrorName(e));           \
        std::exit(1);                                                       \
    }

constexpr int B = 64;

// Inclusive scan of one block. Two buffers take turns.
__global__ void scan_block(const int *in, int *out, int *totals, int n)
{
    __shared__ int buf[2][B];
    int t = threadIdx.x;
    int i = blockIdx.x * B + t;
    int cur = 0;
    buf[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < B; d *= 2) {
        int next = 1 - cur;
        buf[next][t] = buf[cur][t] + (t >= d ? buf[cur][t - d] : 0);
        cur = next;
        __syncthreads();
    }
    if (i < n)
        out[i] = buf[cur][t];
    if (t == B - 1 && totals != nullptr)
        totals[blockIdx.x] = buf[cur][t];
}

__global__ void add_offsets(int *data, const int *offsets, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        data[i] += offsets[blockIdx.x - 1];
}

int main()
{
    const int n = 2000;
    const int blocks = (n + B - 1) / B;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; ++i)
        in[i] = (i * i) % 11;

    int *din, *dout, *totals, *sums;
    TRY(cudaMalloc(&din, n * sizeof(int)));
    TRY(cudaMalloc(&dout, n * sizeof(int)));
    TRY(cudaMalloc(&totals, blocks * sizeof(int)));
    TRY(cudaMalloc(&sums, blocks * sizeof(int)));
    TRY(cudaMemcpy(din, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));

    scan_block<<<blocks, B>>>(din, dout, totals, n);
    scan_block<<<1, B>>>(totals, sums, nullptr, blocks);
    add_offsets<<<blocks, B>>>(dout, sums, n);
    TRY(cudaGetLastError());
    TRY(cudaMemcpy(out.data(), dout, n * sizeof(int), cudaMemcpyDeviceToHost));

    int run = 0, bad = 0;
    for (int i = 0; i < n; ++i) {
        run += in[i];
        bad += out[i] != run;
    }
    for (int i : {0, 1, 63, 64, 1000, 1999})
        std::printf("out[%d] = %d\n", i, out[i]);
    std::printf("bad items: %d\n", bad);
    for (int *p : {din, dout, totals, sums})
        TRY(cudaFree(p));
    return bad ? 1 : 0;
}
