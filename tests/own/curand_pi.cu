// SPDX-License-Identifier: GPL-3.0-or-later
//! needs toolkit
//! array states u8 12288
//! array hits u32 1 zero
//! array checks i32 4
//! array normals f32 2048
//! launch setup<<<4,64>>>(states, 2024)
//! launch throwDarts<<<4,64>>>(states, hits, 64)
//! launch gauss<<<4,64>>>(states, normals)
//! launch judge<<<1,1>>>(hits, 16384, normals, 2048, checks)
//! expect checks
// Monte Carlo: the last kernel looks whether the results are about right.
#include <iostream>
#include <cuda_runtime.h>
#include <curand_kernel.h>

__global__ void setup(curandState *state, unsigned long seed)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curand_init(seed, id, 0, &state[id]);
}

__global__ void throwDarts(curandState *state, unsigned int *hits, int n)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curandState local = state[id];
    unsigned int inside = 0;
    for (int i = 0; i < n; i++) {
        float x = curand_uniform(&local);
        float y = curand_uniform(&local);
        if (x * x + y * y <= 1.0f)
            inside++;
    }
    state[id] = local;
    atomicAdd(hits, inside);
}

__global__ void gauss(curandState *state, float *normals)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    for (int k = 0; k < 8; k++)
        normals[k * gridDim.x * blockDim.x + id] = curand_normal(&state[id]);
}

__global__ void judge(const unsigned *hits, int darts, const float *normals, int n, int *checks)
{
    float pi = 4.0f * *hits / darts;
    double sum = 0, squares = 0;
    int within = 0;
    for (int i = 0; i < n; i++) {
        sum += normals[i];
        squares += (double)normals[i] * normals[i];
        if (fabsf(normals[i]) < 1.0f) within++;
    }
    checks[0] = pi > 3.08f && pi < 3.20f;
    checks[1] = fabs(sum / n) < 0.1;
    checks[2] = squares / n > 0.85 && squares / n < 1.15;
    checks[3] = within > n * 0.63 && within < n * 0.735;
}

int main()
{
    curandState *states;
    unsigned int *hits, h = 0;
    cudaMalloc(&states, 256 * sizeof(curandState));
    cudaMalloc(&hits, sizeof(unsigned int));
    cudaMemset(hits, 0, sizeof(unsigned int));
    setup<<<4, 64>>>(states, 2024);
    throwDarts<<<4, 64>>>(states, hits, 64);
    cudaMemcpy(&h, hits, sizeof(h), cudaMemcpyDeviceToHost);
    std::cout << "pi is about " << 4.0 * h / 16384 << std::endl;
    cudaFree(states);
    cudaFree(hits);
    return 0;
}
