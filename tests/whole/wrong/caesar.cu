// wrong: wrong-direction
// args: 3
// Shifts the letters of a text.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <cuda_runtime.h>

static void must(cudaError_t e, int line)
{
    if (e != cudaSuccess) {
        std::printf("line %d: %s\n", line, cudaGetErrorString(e));
        std::exit(1);
    }
}
#define MUST(x) must((x), __LINE__)

__global__ void shift(const char *in, char *out, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    char c = in[i];
    out[i] = c >= 'a' && c <= 'z' ? char('a' + (c - 'a' + by) % 26) : c;
}

int main(int argc, char **argv)
{
    const int by = argc > 1 ? std::atoi(argv[1]) % 26 : 3;
    if (by < 0) {
        std::printf("the shift must not be negative\n");
        return 1;
    }
    const std::string text = "meet me at the old bridge at ten";
    const int n = static_cast<int>(text.size());
    std::string secret(n, '?');

    char *in, *out;
    MUST(cudaMalloc(&in, n));
    MUST(cudaMalloc(&out, n));
    MUST(cudaMemcpy(in, text.data(), n, cudaMemcpyHostToDevice));

    shift<<<1, 64>>>(in, out, n, by);
    MUST(cudaGetLastError());
    MUST(cudaDeviceSynchronize());

    MUST(cudaMemcpy(out, &secret[0], n, cudaMemcpyDeviceToHost));  // HERE
    std::printf("%s\n%s\n", text.c_str(), secret.c_str());

    MUST(cudaFree(in));
    MUST(cudaFree(out));
    return 0;
}
