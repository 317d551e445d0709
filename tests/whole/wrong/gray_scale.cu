// wrong: out-of-bounds
// Turns coloured points into grey ones.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                      \
    do {                                                                 \
        cudaError_t e = (call);                                          \
        if (e != cudaSuccess) {                                          \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(e));    \
            exit(1);                                                     \
        }                                                                \
    } while (0)

__global__ void toGrey(const uchar3 *in, unsigned char *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uchar3 p = in[i];  // HERE
    out[i] = (unsigned char)((p.x + p.y + p.z) / 3);  // OR HERE
}

int main()
{
    const int n = 1000;
    const int threads = 128;
    std::vector<uchar3> colours(n);
    for (int i = 0; i < n; i++) {
        colours[i] = make_uchar3(i % 256, (2 * i) % 256, 30);
    }

    uchar3 *in;
    unsigned char *out;
    CHECK(cudaMalloc(&in, n * sizeof(uchar3)));
    CHECK(cudaMalloc(&out, n));
    CHECK(cudaMemcpy(in, colours.data(), n * sizeof(uchar3), cudaMemcpyHostToDevice));

    toGrey<<<(n + threads - 1) / threads, threads>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    std::vector<unsigned char> grey(n);
    CHECK(cudaMemcpy(grey.data(), out, n, cudaMemcpyDeviceToHost));
    int total = 0;
    for (unsigned char g : grey) {
        total += g;
    }
    printf("mean grey: %d\n", total / n);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
