// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array a f32 400 random; array b f32 400 random; launch turned<<<dim3(2,2), dim3(16,16)>>>(a, b, 20)
//@ kind out-of-bounds
//@ cure bounds
//@ says multiplies by `width`
//@ unsaid fewer threads
// Copies a matrix of `width` rows and columns, turned round, by tiles that do not divide it.
__global__ void turned(const float *a, float *b, int width)
{
    __shared__ float tile[16][17];
    int row = blockIdx.y * 16 + threadIdx.y;
    int column = blockIdx.x * 16 + threadIdx.x;
#ifdef CURED
    if (row < width && column < width)
#endif
        tile[threadIdx.y][threadIdx.x] = a[row * width + column];
    __syncthreads();
    int to_row = blockIdx.x * 16 + threadIdx.y;
    int to_column = blockIdx.y * 16 + threadIdx.x;
    if (to_row < width && to_column < width)
        b[to_row * width + to_column] = tile[threadIdx.x][threadIdx.y];
}
