// SPDX-License-Identifier: GPL-3.0-or-later
//! array in i32 2100 random:0:500
//! array sum i32 1 zero
//! array big i32 5
//! array small i32 5
//! array all f32 64 iota
//! launch sumKernel<<<5,224>>>(in, sum, 2100)
//! launch minmax<<<5,128>>>(in, big, small)
//! launch allReduce<<<1,64>>>(all)
//! expect sum
//! expect big
//! expect small
//! expect all
#define FULL 0xffffffff

__inline__ __device__ int warpSum(int v)
{
    for (int d = warpSize / 2; d > 0; d /= 2)
        v += __shfl_down_sync(FULL, v, d);
    return v;
}

__inline__ __device__ int blockSum(int v)
{
    static __shared__ int shared[32];
    int lane = threadIdx.x % warpSize;
    int wid = threadIdx.x / warpSize;
    v = warpSum(v);
    if (lane == 0) shared[wid] = v;
    __syncthreads();
    v = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
    if (wid == 0) v = warpSum(v);
    return v;
}

__global__ void sumKernel(const int *in, int *out, int n)
{
    int s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        s += in[i];
    s = blockSum(s);
    if (threadIdx.x == 0)
        atomicAdd(out, s);
}

__global__ void minmax(const int *in, int *big, int *small)
{
    __shared__ int hi[4], lo[4];
    int mx = in[blockIdx.x * blockDim.x + threadIdx.x], mn = mx;
    for (int o = 16; o; o >>= 1) {
        mx = max(mx, __shfl_xor_sync(FULL, mx, o));
        mn = min(mn, __shfl_xor_sync(FULL, mn, o));
    }
    if ((threadIdx.x & 31) == 31) {
        hi[threadIdx.x >> 5] = mx;
        lo[threadIdx.x >> 5] = mn;
    }
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < 4; w++) {
        mx = max(mx, hi[w]);
        mn = min(mn, lo[w]);
    }
    big[blockIdx.x] = mx;
    small[blockIdx.x] = mn;
}

// a butterfly leaves the sum in every lane
__global__ void allReduce(float *x)
{
    float v = x[threadIdx.x];
    for (int mask = 1; mask < 32; mask <<= 1)
        v += __shfl_xor_sync(FULL, v, mask);
    x[threadIdx.x] = v;
}
