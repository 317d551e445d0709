// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram of bytes: 256 bins in shared memory a block, then one atomic addition a bin to global
// memory. A thread takes four bytes at once.
//: small   array text u8 131072 random:0:255; array bins u32 256 zero; launch histogram<<<32, 256>>>(text, bins, 32768)
//: middle  array text u8 4194304 random:0:255; array bins u32 256 zero; launch histogram<<<528, 256>>>(text, bins, 1048576)
//: large   array text u8 134217728 random:0:255; array bins u32 256 zero; launch histogram<<<1056, 256>>>(text, bins, 33554432)

extern "C" __global__ void histogram(const unsigned *text, unsigned *bins, int words)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
        unsigned w = text[i];
        atomicAdd(&mine[w & 255], 1u);
        atomicAdd(&mine[w >> 8 & 255], 1u);
        atomicAdd(&mine[w >> 16 & 255], 1u);
        atomicAdd(&mine[w >> 24], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
