// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array idata f32 2048 random; array odata f32 2048 zero; launch transpose<<<dim3(4,2), dim3(16,16)>>>(odata, idata, 64, 32)
//@ kind race-shared
//@ cure syncthreads
//@ place between
#define TILE 16

__global__ void transpose(float *odata, const float *idata, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];   // +1: bank conflicts

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = idata[y * width + x];

#ifdef CURED
    __syncthreads();
#endif

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width)
        odata[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
