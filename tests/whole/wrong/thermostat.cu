// wrong: managed-early
// Rooms move towards a target temperature. Day and night have their own target.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int kRooms = 192;

__managed__ float target;
__device__ float rooms[kRooms];

static void ok(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        std::printf("%s: %s\n", what, cudaGetErrorString(e));
        std::exit(1);
    }
}

__global__ void start()
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kRooms) {
        rooms[i] = 10.0f + i % 4;
    }
}

__global__ void adjust(int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= kRooms) return;
    float t = rooms[i];
    for (int s = 0; s < steps; s++) {
        t += 0.5f * (target - t);  // HERE
    }
    rooms[i] = t;
}

int main()
{
    const int threads = 64;
    const int blocks = (kRooms + threads - 1) / threads;

    start<<<blocks, threads>>>();
    ok(cudaGetLastError(), "start");
    ok(cudaDeviceSynchronize(), "wait");

    target = 22.0f;
    adjust<<<blocks, threads>>>(30);
    ok(cudaGetLastError(), "day");

    target = 16.0f;  // AND HERE
    adjust<<<blocks, threads>>>(1);
    ok(cudaGetLastError(), "night");
    ok(cudaDeviceSynchronize(), "wait");

    float h[kRooms];
    ok(cudaMemcpyFromSymbol(h, rooms, sizeof(h)), "copy");
    float total = 0.0f;
    for (float t : h) {
        total += t;
    }
    std::printf("mean temperature: %.1f\n", total / kRooms);
    return 0;
}
