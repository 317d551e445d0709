// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array g_idata f32 512 random; array g_odata f32 2 zero; launch reduce4<<<2, 256>>>(g_idata, g_odata)
//@ kind race-shared
//@ cure syncwarp
//@ place split
// the last warp needs no __syncthreads any more
__device__ void lastWarp(volatile float *s, int t)
{
    for (int d = 32; d > 0; d >>= 1) {
#ifdef CURED
        float a = s[t] + s[t + d];
        __syncwarp();
        s[t] = a;
        __syncwarp();
#else
        s[t] += s[t + d];
#endif
    }
}

__global__ void reduce4(const float *g_idata, float *g_odata)
{
    __shared__ float sdata[256];
    int tid = threadIdx.x;
    sdata[tid] = g_idata[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid < 32)
        lastWarp(sdata, tid);
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
