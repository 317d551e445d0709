// SPDX-License-Identifier: GPL-3.0-or-later
//! array in i32 3000 random:-1000:1000
//! array part i32 12
//! array out i32 1
//! array din f64 512 iota
//! array dout f64 2
//! launch reduceAdd<<<12,256,1024>>>(in, part, 3000)
//! launch reduceAdd<<<1,16,64>>>(part, out, 12)
//! launch reduceSequential<<<2,128>>>(din, dout)
//! expect part
//! expect out
//! expect dout
// Tree sums in shared memory: once with the interleaved loop from the lecture,
// once with sequential addressing and a first add while loading.

__global__ void reduceAdd(const int *g_in, int *g_out, int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < n) ? g_in[i] : 0;
    __syncthreads();

    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        g_out[blockIdx.x] = sdata[0];
}

__global__ void reduceSequential(const double *g_in, double *g_out)
{
    __shared__ double sdata[128];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[tid] = g_in[i] + g_in[i + blockDim.x];
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        g_out[blockIdx.x] = sdata[0];
}
