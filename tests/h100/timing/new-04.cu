// SPDX-License-Identifier: GPL-3.0-or-later
// Transposes a square matrix of doubles through a padded tile in shared memory. A block of 32 x
// 8 threads moves 32 x 32 elements.
//: small   array a f64 128x128 random; array b f64 128x128; launch transpose<<<dim3(4,4), dim3(32,8)>>>(b, a, 128)
//: middle  array a f64 1024x1024 random; array b f64 1024x1024; launch transpose<<<dim3(32,32), dim3(32,8)>>>(b, a, 1024)
//: large   array a f64 4096x4096 random; array b f64 4096x4096; launch transpose<<<dim3(128,128), dim3(32,8)>>>(b, a, 4096)

__global__ void transpose(double *out, const double *in, int n)
{
    __shared__ double tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(size_t)(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
