// SPDX-License-Identifier: GPL-3.0-or-later
// Transpose of a square matrix of doubles without shared memory.
// The reads are along a row, the writes go down a column.
//: small   array a f64 4096 random; array t f64 4096; launch transpose<<<dim3(4,4), dim3(16,16)>>>(t, a, 64)
//: middle  array a f64 262144 random; array t f64 262144; launch transpose<<<dim3(32,32), dim3(16,16)>>>(t, a, 512)
//: large   array a f64 16777216 random; array t f64 16777216; launch transpose<<<dim3(256,256), dim3(16,16)>>>(t, a, 4096)

__global__ void transpose(double *t, const double *a, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && col < n)
        t[(size_t)col * n + row] = a[(size_t)row * n + col];
}
