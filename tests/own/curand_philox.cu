// SPDX-License-Identifier: GPL-3.0-or-later
//! needs toolkit
//! array raw u32 512
//! array u f32 256
//! array range f32 2
//! launch words<<<2,32>>>(raw, 1234567890123)
//! launch uniform<<<2,32>>>(u, 42)
//! launch extremes<<<1,1>>>(u, range, 256)
//! expect raw
//! expect u 1e-6
//! expect range 1e-6
// The counter-based generator: a sequence a thread, eight words of each.
#include <curand_kernel.h>

__global__ void words(unsigned int *raw, unsigned long long seed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, i, 0, &state);
    for (int k = 0; k < 6; k++)
        raw[8 * i + k] = curand(&state);
    raw[8 * i + 6] = curand(&state) >> 1;
    raw[8 * i + 7] = curand(&state) % 1000;
}

__global__ void uniform(float *u, unsigned long long seed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, i, 4, &state);        // leaves out the first four
    float4 f = curand_uniform4(&state);
    u[4 * i] = f.x;
    u[4 * i + 1] = f.y;
    u[4 * i + 2] = f.z;
    u[4 * i + 3] = f.w;
}

__global__ void extremes(const float *u, float *range, int n)
{
    range[0] = range[1] = u[0];
    for (int i = 1; i < n; i++) {
        range[0] = fminf(range[0], u[i]);
        range[1] = fmaxf(range[1], u[i]);
    }
}
