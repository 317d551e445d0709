// SPDX-License-Identifier: GPL-3.0-or-later
// Transpose through a tile in shared memory that has no padding.
// Global memory is read and written in rows; the tile is read in columns, where all banks collide.
//: small   array a f32 16384 random; array t f32 16384; launch transpose<<<dim3(4,4), dim3(32,8)>>>(t, a, 128, 128)
//: middle  array a f32 1048576 random; array t f32 1048576; launch transpose<<<dim3(32,32), dim3(32,8)>>>(t, a, 1024, 1024)
//: large   array a f32 33554432 random; array t f32 33554432; launch transpose<<<dim3(128,256), dim3(32,8)>>>(t, a, 4096, 8192)

#define TILE 32
#define ROWS 8

__global__ void transpose(float *t, const float *a, int width, int height)
{
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        tile[threadIdx.y + j][threadIdx.x] = a[(size_t)(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        t[(size_t)(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
