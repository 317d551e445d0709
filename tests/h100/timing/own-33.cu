// SPDX-License-Identifier: GPL-3.0-or-later
// A sparse matrix times a vector, a thread for each row. Each row has room for 32 entries, one
// after the other, and uses between 1 and 31 of them.
//: small   array len i32 1024 random:1:31; array col i32 32768 random:0:1023; array val f32 32768 random; array x f32 1024 random; array y f32 1024; launch spmv<<<8, 128>>>(len, col, val, x, y, 1024)
//: middle  array len i32 32768 random:1:31; array col i32 1048576 random:0:32767; array val f32 1048576 random; array x f32 32768 random; array y f32 32768; launch spmv<<<256, 128>>>(len, col, val, x, y, 32768)
//: large   array len i32 1048576 random:1:31; array col i32 33554432 random:0:1048575; array val f32 33554432 random; array x f32 1048576 random; array y f32 1048576; launch spmv<<<8192, 128>>>(len, col, val, x, y, 1048576)

__global__ void spmv(const int *len, const int *col, const float *val, const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        int first = row * 32;
        int end = first + len[row];
        for (int k = first; k < end; ++k)
            sum += val[k] * x[col[k]];
        y[row] = sum;
    }
}
