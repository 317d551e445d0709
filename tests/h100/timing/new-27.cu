// SPDX-License-Identifier: GPL-3.0-or-later
// Multiplies a matrix with a vector, one row a thread, so that a warp reads a column with a
// stride.
//: small   array a f32 256x64 random; array x f32 64 random; array y f32 256; launch gemv<<<2, 128>>>(y, a, x, 256, 64)
//: middle  array a f32 2048x128 random; array x f32 128 random; array y f32 2048; launch gemv<<<16, 128>>>(y, a, x, 2048, 128)
//: large   array a f32 16384x1024 random; array x f32 1024 random; array y f32 16384; launch gemv<<<128, 128>>>(y, a, x, 16384, 1024)

extern "C" __global__ void gemv(float *y, const float *a, const float *x, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = 0; k < columns; k++)
        sum += a[(size_t)row * columns + k] * x[k];
    y[row] = sum;
}
