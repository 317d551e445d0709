// wrong: launch-failed
// A circle in a picture of 100 by 80 points.
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

__global__ void circle(unsigned char *image, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        int dx = x - w / 2;
        int dy = y - h / 2;
        image[y * w + x] = dx * dx + dy * dy < 900 ? 1 : 0;
    }
}

int main()
{
    const int w = 100, h = 80;
    unsigned char *image;
    CHECK(cudaMalloc(&image, w * h));
    CHECK(cudaMemset(image, 0, w * h));

    dim3 block(w / 2, h / 2);  // OR HERE
    dim3 grid(2, 2);
    circle<<<grid, block>>>(image, w, h);  // HERE
    CHECK(cudaDeviceSynchronize());

    std::vector<unsigned char> host(w * h);
    CHECK(cudaMemcpy(host.data(), image, host.size(), cudaMemcpyDeviceToHost));
    int inside = 0;
    for (unsigned char c : host) {
        inside += c;
    }
    printf("points inside the circle: %d\n", inside);
    CHECK(cudaFree(image));
    return 0;
}
