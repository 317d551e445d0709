// SPDX-License-Identifier: GPL-3.0-or-later
// Multiplies a sparse matrix in CSR form with a vector, one row a thread. The rows have 10 to 17
// elements, in random columns.
//: small   array start i32 1025 expr:16*i+i%7; array column i32 16390 random:0:1023; array value f32 16390 random; array x f32 1024 random; array y f32 1024; launch spmv<<<8, 128>>>(y, start, column, value, x, 1024)
//: middle  array start i32 32769 expr:16*i+i%7; array column i32 524294 random:0:32767; array value f32 524294 random; array x f32 32768 random; array y f32 32768; launch spmv<<<256, 128>>>(y, start, column, value, x, 32768)
//: large   array start i32 1048577 expr:16*i+i%7; array column i32 16777222 random:0:1048575; array value f32 16777222 random; array x f32 1048576 random; array y f32 1048576; launch spmv<<<8192, 128>>>(y, start, column, value, x, 1048576)

extern "C" __global__ void spmv(float *y, const int *start, const int *column, const float *value,
                                const float *x, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        for (int e = start[row]; e < start[row + 1]; e++)
            sum += value[e] * x[column[e]];
        y[row] = sum;
    }
}
