// SPDX-License-Identifier: GPL-3.0-or-later
//! variable count u32 1 zero
//! array in f32 4096 list:0.5,1,-2,3.25,8
//! array partial f32 16
//! array result f32 1
//! launch sumLast<<<16,128>>>(in, partial, result, 4096)
//! launch sumLast<<<16,128>>>(in, partial, result, 4096)
//! expect partial
//! expect result
//! expect count
// The block that comes last adds up what the others left behind.

__device__ unsigned int count = 0;
__shared__ bool isLast;

__device__ float blockSum(float v)
{
    __shared__ float s[128];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    float r = s[0];
    __syncthreads();            // s is used again by the next call
    return r;
}

__global__ void sumLast(const float *in, volatile float *partial, float *result, int n)
{
    float mine = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        mine += in[i];
    float part = blockSum(mine);

    if (threadIdx.x == 0) {
        partial[blockIdx.x] = part;
        __threadfence();
        unsigned int value = atomicInc(&count, gridDim.x);
        isLast = (value == gridDim.x - 1);
    }
    __syncthreads();

    if (isLast) {
        __threadfence();
        float total = blockSum(threadIdx.x < gridDim.x ? partial[threadIdx.x] : 0.0f);
        if (threadIdx.x == 0) {
            *result = total;
            count = 0;
        }
    }
}
