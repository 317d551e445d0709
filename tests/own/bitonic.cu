// SPDX-License-Identifier: GPL-3.0-or-later
//! array v i32 512 random:-100000:100000
//! array w u32 256 random:0:4294967295
//! launch bitonicStep<<<2,256>>>(v, 1, 2)
//! launch bitonicStep<<<2,256>>>(v, 2, 4)
//! launch bitonicStep<<<2,256>>>(v, 1, 4)
//! launch bitonicStep<<<2,256>>>(v, 4, 8)
//! launch bitonicStep<<<2,256>>>(v, 2, 8)
//! launch bitonicStep<<<2,256>>>(v, 1, 8)
//! launch bitonicSort<<<1,256>>>(w)
//! expect v
//! expect w
// The first kernel is one step, main() launches it for all j and k; the
// directives stop at runs of eight, up and down in turn.
#include <stdio.h>
#include <stdlib.h>
#include "cuda_runtime.h"
#include "device_launch_parameters.h"

__global__ void bitonicStep(int *v, int j, int k)
{
    unsigned int i = threadIdx.x + blockDim.x * blockIdx.x;
    unsigned int ixj = i ^ j;
    if (ixj > i) {
        bool up = (i & k) == 0;
        if ((up && v[i] > v[ixj]) || (!up && v[i] < v[ixj])) {
            int t = v[i];
            v[i] = v[ixj];
            v[ixj] = t;
        }
    }
}

__global__ void bitonicSort(unsigned *values)
{
    __shared__ unsigned s[256];
    const unsigned tid = threadIdx.x;
    s[tid] = values[tid];
    __syncthreads();
    for (unsigned k = 2; k <= 256; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned other = tid ^ j;
            if (other > tid && ((tid & k) == 0) == (s[tid] > s[other])) {
                unsigned t = s[tid];
                s[tid] = s[other];
                s[other] = t;
            }
            __syncthreads();
        }
    values[tid] = s[tid];
}

int main(void)
{
    int n = 512, *h, *d;
    h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        h[i] = rand();
    cudaMalloc((void **)&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j = j >> 1)
            bitonicStep<<<2, 256>>>(d, j, k);
    cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 1; i < n; i++)
        if (h[i - 1] > h[i])
            printf("not sorted at %d\n", i);
    cudaFree(d);
    return 0;
}
