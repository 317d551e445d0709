// Two ways to sum an array: a tree in shared memory, and warp shuffles.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void tree_sum(const int *in, int *out, int n)
{
    extern __shared__ int part[];
    unsigned t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

__device__ int warp_sum(int v)
{
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}

__global__ void shuffle_sum(const int *in, int *total, int *largest, int n)
{
    int sum = 0;
    int big = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x) {
        sum += in[i];
        big = max(big, in[i]);
    }
    sum = warp_sum(sum);
    for (int m = 16; m > 0; m >>= 1)
        big = max(big, __shfl_xor_sync(0xffffffffu, big, m));
    if ((threadIdx.x & 31) == 0) {
        atomicAdd(total, sum);
        atomicMax(largest, big);
    }
}

int main()
{
    const int n = 3000, threads = 128;
    const int blocks = (n + threads - 1) / threads;
    std::vector<int> data(n);
    for (int i = 0; i < n; ++i)
        data[i] = (i * 37) % 101;

    int *in, *parts, *res;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&parts, blocks * sizeof(int));
    cudaMalloc(&res, 2 * sizeof(int));
    cudaMemcpy(in, data.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(res, 0, 2 * sizeof(int));

    tree_sum<<<blocks, threads, threads * sizeof(int)>>>(in, parts, n);
    shuffle_sum<<<3, 96>>>(in, res, res + 1, n);

    std::vector<int> host_parts(blocks);
    int host_res[2];
    cudaMemcpy(host_parts.data(), parts, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(host_res, res, sizeof host_res, cudaMemcpyDeviceToHost);
    int tree = 0;
    for (int p : host_parts)
        tree += p;

    std::printf("tree sum: %d from %d blocks\n", tree, blocks);
    std::printf("first block: %d\n", host_parts[0]);
    std::printf("shuffle sum: %d\n", host_res[0]);
    std::printf("largest: %d\n", host_res[1]);
    cudaFree(in);
    cudaFree(parts);
    cudaFree(res);
    return tree == host_res[0] ? 0 : 1;
}
