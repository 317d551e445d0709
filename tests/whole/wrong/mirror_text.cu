// wrong: leak
// Turns a text around.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

static void must(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("CUDA: %s\n", cudaGetErrorString(e));
        std::exit(1);
    }
}

__global__ void mirror(const char *in, char *out, int n)
{
    int i = threadIdx.x;
    if (i < n) {
        out[n - 1 - i] = in[i];
    }
}

int main()
{
    const char text[] = "step on no pets, she said";
    const int n = sizeof(text) - 1;

    char *pinned = nullptr;
    char *dIn = nullptr;
    char *dOut = nullptr;
    must(cudaMallocHost(&pinned, n + 1));  // HERE
    must(cudaMalloc(&dIn, n));
    must(cudaMalloc(&dOut, n));

    cudaStream_t stream;
    must(cudaStreamCreate(&stream));
    std::memcpy(pinned, text, n + 1);
    must(cudaMemcpyAsync(dIn, pinned, n, cudaMemcpyHostToDevice, stream));
    mirror<<<1, 32, 0, stream>>>(dIn, dOut, n);
    must(cudaGetLastError());
    must(cudaMemcpyAsync(pinned, dOut, n, cudaMemcpyDeviceToHost, stream));
    must(cudaStreamSynchronize(stream));
    std::printf("%s\n%s\n", text, pinned);

    must(cudaStreamDestroy(stream));
    must(cudaFree(dIn));
    must(cudaFree(dOut));
    return 0;
}
