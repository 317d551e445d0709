/* SPDX-License-Identifier: GPL-3.0-or-later */
/* qualifiers, templates, classes, constant and shared memory */
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
__constant__ float table[16];
__device__ int counter = 3;
__device__ __constant__ int both = 4;
__managed__ int shared_with_host;
extern __shared__ float dynamic[];
template <int N, class T> __device__ __forceinline__ T sum(const T *__restrict__ p)
{
    T s = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        s += p[i];
    return s;
}
class Pair {
public:
    __host__ __device__ Pair(float a, float b) : a(a), b(b) {}
    __host__ __device__ float operator()(float x) const { return a * x + b; }
private:
    float a, b;
};
__host__ __device__ inline float both_sides(float x) { return sqrtf(x) + fabsf(x); }
__device__ __noinline__ float alone(float x) { return x * 2; }
template <class T> __global__ __launch_bounds__(256, 2) void each(T *p, Pair pair)
{
    __shared__ T tile[32][33];
    tile[threadIdx.y][threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    auto twice = [](T x) { return 2 * x; };
    p[0] = sum<4>(p) + pair(table[1]) + dynamic[0] + alone(tile[0][1]) + counter;
    p[2] = both + twice(p[2]);
    p[1] = both_sides(p[1]) + shared_with_host;
}
template __global__ void each<float>(float *, Pair);
int main() { each<double><<<1, 32, 128>>>((double *)0, Pair(1, 2)); return both_sides(2.0f) > 1; }
