// Ask for a good block size, then launch by cudaLaunchKernelEx.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

// The result must not depend on the block size.
__global__ void digit_sums(const unsigned *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned v = in[i], sum = 0;
    while (v > 0) {
        sum += v % 10;
        v /= 10;
    }
    out[i] = sum;
}

int main()
{
    const int n = 5000;
    int min_grid = 0, block = 0, per_sm = 0;
    cudaError_t e = cudaOccupancyMaxPotentialBlockSize(&min_grid, &block, digit_sums, 0, 0);
    if (e != cudaSuccess) {
        std::printf("occupancy: %s\n", cudaGetErrorName(e));
        return 1;
    }
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, digit_sums, block, 0);
    bool sane = block >= 32 && block <= 1024 && block % 32 == 0 && min_grid > 0 && per_sm > 0;
    std::printf("advice is usable: %s\n", sane ? "yes" : "no");

    std::vector<unsigned> in(n), out(n);
    for (int i = 0; i < n; ++i)
        in[i] = 7919u * i + 13u;
    unsigned *din, *dout;
    cudaMalloc(&din, n * sizeof(unsigned));
    cudaMalloc(&dout, n * sizeof(unsigned));
    cudaMemcpy(din, in.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);

    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((n + block - 1) / block);
    config.blockDim = dim3(block);
    config.dynamicSmemBytes = 0;
    config.stream = s;
    config.attrs = nullptr;
    config.numAttrs = 0;
    const unsigned *input = din;
    e = cudaLaunchKernelEx(&config, digit_sums, input, dout, n);
    if (e != cudaSuccess) {
        std::printf("launch: %s\n", cudaGetErrorName(e));
        return 1;
    }
    cudaStreamSynchronize(s);
    cudaMemcpy(out.data(), dout, n * sizeof(unsigned), cudaMemcpyDeviceToHost);

    unsigned total = 0, best = 0;
    for (int i = 0; i < n; ++i) {
        total += out[i];
        if (out[i] > out[best])
            best = i;
    }
    std::printf("total of digit sums: %u\n", total);
    std::printf("largest: %u has %u\n", in[best], out[best]);
    cudaStreamDestroy(s);
    cudaFree(din);
    cudaFree(dout);
    return 0;
}
