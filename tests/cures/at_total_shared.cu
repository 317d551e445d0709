// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 1024 random; array sums f32 8 zero; launch sumShared<<<8, 128>>>(x, sums)
//@ kind race-shared
//@ cure atomic
__device__ void addTo(float *where, float v)
{
#ifdef CURED
    atomicAdd(where, v);
#else
    *where += v;
#endif
}

__global__ void sumShared(const float *x, float *sums)
{
    __shared__ float total;
    if (threadIdx.x == 0)
        total = 0.0f;
    __syncthreads();
    addTo(&total, x[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}
