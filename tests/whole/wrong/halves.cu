// wrong: read-before-copy
// Each of two streams works on one half of the data.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

static void must(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("CUDA: %s\n", cudaGetErrorString(e));
        std::exit(2);
    }
}

template <typename T>
__global__ void scaleAndShift(T *data, int n, T a, T b)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        data[i] = a * data[i] + b;
    }
}

int main()
{
    constexpr int n = 1024;
    constexpr int half = n / 2;
    constexpr size_t halfBytes = half * sizeof(float);

    float *in, *out, *dev;
    must(cudaHostAlloc(&in, n * sizeof(float), cudaHostAllocDefault));
    must(cudaHostAlloc(&out, n * sizeof(float), cudaHostAllocDefault));
    must(cudaMalloc(&dev, n * sizeof(float)));
    for (int i = 0; i < n; i++) {
        in[i] = static_cast<float>(i % 10);
        out[i] = 0.0f;
    }

    cudaStream_t streams[2];
    for (auto &s : streams) {
        must(cudaStreamCreate(&s));
    }
    for (int k = 0; k < 2; k++) {
        float *d = dev + k * half;
        must(cudaMemcpyAsync(d, in + k * half, halfBytes, cudaMemcpyHostToDevice, streams[k]));
        scaleAndShift<float><<<2, 128, 0, streams[k]>>>(d, half, 2.0f, 1.0f);
        must(cudaGetLastError());
        must(cudaMemcpyAsync(out + k * half, d, halfBytes, cudaMemcpyDeviceToHost, streams[k]));  // HERE
    }

    must(cudaStreamSynchronize(streams[0]));  // OR HERE
    double total = 0.0;
    for (int i = 0; i < n; i++) {
        total += out[i];  // AND HERE
    }
    std::printf("total: %.0f\n", total);

    must(cudaDeviceSynchronize());
    for (auto &s : streams) {
        must(cudaStreamDestroy(s));
    }
    must(cudaFree(dev));
    must(cudaFreeHost(in));
    must(cudaFreeHost(out));
    return 0;
}
