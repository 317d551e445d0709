// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the letters of a text in a histogram of each block in shared memory, then adds these
// up. A thread reads four letters at once, in a grid-stride loop.
//: small   array text u8 16384 random:97:122; array count u32 256 zero; launch letters<<<8, 256>>>(count, text, 4096)
//: middle  array text u8 524288 random:97:122; array count u32 256 zero; launch letters<<<132, 256>>>(count, text, 131072)
//: large   array text u8 67108864 random:97:122; array count u32 256 zero; launch letters<<<528, 256>>>(count, text, 16777216)

extern "C" __global__ void letters(unsigned *count, const unsigned *text, int words)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
        unsigned w = text[i];
        atomicAdd(&mine[w & 255], 1);
        atomicAdd(&mine[w >> 8 & 255], 1);
        atomicAdd(&mine[w >> 16 & 255], 1);
        atomicAdd(&mine[w >> 24], 1);
    }
    __syncthreads();
    if (mine[threadIdx.x])
        atomicAdd(&count[threadIdx.x], mine[threadIdx.x]);
}
