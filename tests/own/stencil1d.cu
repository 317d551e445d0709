// SPDX-License-Identifier: GPL-3.0-or-later
//! array in i32 1006 random
//! array out i32 1000
//! launch stencil_1d<<<8,128>>>(in+3, out, 1000)
//! expect out
// 1D stencil with a halo in shared memory; in points behind the left halo
#include <stdio.h>
#include <cuda_runtime.h>

#define RADIUS 3
#define BLOCK_SIZE 128

__global__ void stencil_1d(const int *in, int *out, int n)
{
    __shared__ int temp[BLOCK_SIZE + 2 * RADIUS];
    int gindex = threadIdx.x + blockIdx.x * blockDim.x;
    int lindex = threadIdx.x + RADIUS;

    // everything that lies within -RADIUS .. n+RADIUS-1 may be read
    if (gindex < n + RADIUS)
        temp[lindex] = in[gindex];
    else
        temp[lindex] = 0;
    if (threadIdx.x < RADIUS) {
        temp[lindex - RADIUS] = in[gindex - RADIUS];
        int right = gindex + BLOCK_SIZE;
        temp[lindex + BLOCK_SIZE] = right < n + RADIUS ? in[right] : 0;
    }
    __syncthreads();

    if (gindex >= n)
        return;
    int result = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        result += temp[lindex + offset];
    out[gindex] = result;
}

int main(void)
{
    const int n = 1000;
    int *in, *out;
    cudaMallocManaged(&in, (n + 2 * RADIUS) * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n + 2 * RADIUS; i++)
        in[i] = 1;
    stencil_1d<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(in + RADIUS, out, n);
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) {
        printf("error: %s\n", cudaGetErrorString(e));
        return 1;
    }
    printf("%d %d\n", out[0], out[n - 1]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
