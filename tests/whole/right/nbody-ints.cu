// Bodies that attract each other, in whole numbers only.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

const int N = 48;

struct Body {
    int3 pos;
    int3 vel;
    int mass;
};

__device__ int pull(int d, int mass)
{
    // Near bodies pull strongly, far bodies weakly.
    int far = abs(d) / 64 + 1;
    int force = mass * 16 / far;
    return d > 0 ? force : d < 0 ? -force : 0;
}

__global__ void forces(Body *b)
{
    __shared__ int4 all[N];
    int i = threadIdx.x;
    all[i] = make_int4(b[i].pos.x, b[i].pos.y, b[i].pos.z, b[i].mass);
    __syncthreads();
    int3 v = b[i].vel;
    for (int k = 0; k < N; ++k) {
        v.x += pull(all[k].x - all[i].x, all[k].w) / 2;
        v.y += pull(all[k].y - all[i].y, all[k].w) / 2;
        v.z += pull(all[k].z - all[i].z, all[k].w) / 2;
    }
    b[i].vel = v;
}

__global__ void move(Body *b)
{
    Body &me = b[threadIdx.x];
    me.pos.x += me.vel.x / 4;
    me.pos.y += me.vel.y / 4;
    me.pos.z += me.vel.z / 4;
}

int main()
{
    Body host[N];
    unsigned r = 12345;
    auto random = [&r](int range) {
        r = r * 1103515245u + 12345u;
        return static_cast<int>((r >> 16) % range) - range / 2;
    };
    for (Body &b : host) {
        b.pos.x = random(8000);
        b.pos.y = random(8000);
        b.pos.z = random(8000);
        b.vel = make_int3(0, 0, 0);
        b.mass = 1 + (random(10) + 5) % 5;
    }

    Body *dev;
    cudaMalloc(&dev, sizeof host);
    cudaMemcpy(dev, host, sizeof host, cudaMemcpyHostToDevice);
    for (int step = 0; step < 30; ++step) {
        forces<<<1, N>>>(dev);
        move<<<1, N>>>(dev);
        if (step % 10 != 9)
            continue;
        cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
        int inside = 0;
        long check = 0;
        for (const Body &b : host) {
            if (std::abs(b.pos.x) < 2000 && std::abs(b.pos.y) < 2000 && std::abs(b.pos.z) < 2000)
                ++inside;
            check += b.pos.x + 2L * b.pos.y + 3L * b.pos.z;
        }
        std::printf("step %2d: %2d near the middle, check %ld\n", step + 1, inside, check);
    }
    for (int i = 0; i < N; i += 16)
        std::printf("body %d: (%d, %d, %d) mass %d\n", i, host[i].pos.x, host[i].pos.y,
                    host[i].pos.z, host[i].mass);
    cudaFree(dev);
    return cudaGetLastError() != cudaSuccess;
}
