// wrong: device-deref
// Balls fall for a while. Some of them reach the floor.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

struct Ball {
    float height;
    float speed;
};

static void check(cudaError_t e, int line)
{
    if (e != cudaSuccess) {
        std::printf("line %d: %s\n", line, cudaGetErrorString(e));
        std::exit(1);
    }
}
#define CHECK(x) check((x), __LINE__)

__global__ void fall(Ball *balls, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Ball b = balls[i];
    for (int s = 0; s < steps && b.height > 0.0f; s++) {
        b.speed += 1.0f;
        b.height -= b.speed;
    }
    if (b.height < 0.0f) b.height = 0.0f;
    balls[i] = b;
}

int main()
{
    const int n = 96;
    Ball *balls;
    CHECK(cudaMalloc(&balls, n * sizeof(Ball)));
    for (int i = 0; i < n; i++) {
        balls[i] = Ball{2.0f * i, 0.0f};  // HERE
    }

    fall<<<3, 32>>>(balls, n, 10);
    CHECK(cudaGetLastError());

    std::vector<Ball> h(n);
    CHECK(cudaMemcpy(h.data(), balls, n * sizeof(Ball), cudaMemcpyDeviceToHost));
    int down = 0;
    for (const Ball &b : h) {
        down += b.height == 0.0f;
    }
    std::printf("on the floor: %d of %d\n", down, n);
    CHECK(cudaFree(balls));
    return 0;
}
