// SPDX-License-Identifier: GPL-3.0-or-later
//! array aos f32 256 iota
//! array px f32 64 iota
//! array pv f32 64 value:0.5
//! array out f32 8
//! launch move_aos<<<2,32>>>(aos, 64, bytes:0000003f00000040000080c0)
//! launch move_soa<<<1,64>>>(px, pv, 0.25, 64)
//! launch show<<<1,1>>>(bytes:0500feff0000c03f0000000000000840ff00000000000000, out)
//! expect aos
//! expect px
//! expect out
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Vec3 {
    float x, y, z;
    __host__ __device__ Vec3(float x_ = 0, float y_ = 0, float z_ = 0) : x(x_), y(y_), z(z_) {}
    __host__ __device__ Vec3 operator*(float s) const { return Vec3(x * s, y * s, z * s); }
    __host__ __device__ Vec3 &operator+=(const Vec3 &o)
    {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
};

struct Particle {
    Vec3 pos;
    float mass;
};

struct Settings {           // with holes between the members
    short a, b;
    float c;
    double d;
    unsigned char e;
};

// the wind is passed by value: (0.5, 2, -4)
__global__ void move_aos(Particle *p, int n, Vec3 wind)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i].pos += wind * p[i].mass;
}

__global__ void move_soa(float *x, const float *v, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += v[i] * dt;
}

__global__ void show(Settings s, float *out)
{
    out[0] = s.a;
    out[1] = s.b;
    out[2] = s.c;
    out[3] = (float)s.d;
    out[4] = s.e;
    out[5] = sizeof(Settings);
    out[6] = sizeof(Particle);
    out[7] = out[0] + out[1];
}

int main()
{
    std::vector<Particle> h(64);
    for (auto &p : h) p.mass = 1.0f;
    Particle *d;
    cudaMalloc(&d, h.size() * sizeof(Particle));
    cudaMemcpy(d, h.data(), h.size() * sizeof(Particle), cudaMemcpyHostToDevice);
    move_aos<<<2, 32>>>(d, (int)h.size(), Vec3(0.5f, 2.0f, -4.0f));
    cudaMemcpy(h.data(), d, h.size() * sizeof(Particle), cudaMemcpyDeviceToHost);
    std::printf("%g %g %g\n", h[0].pos.x, h[0].pos.y, h[0].pos.z);
    cudaFree(d);
}
