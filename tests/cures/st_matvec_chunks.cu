// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array M i32 8192 random; array v i32 128 iota; array y i32 64 zero; launch matvec<<<1, 64>>>(M, v, y, 64, 128)
//@ kind race-shared
//@ cure syncthreads
//@ place between
// y = M v, one row a thread; v is brought in by pieces of 64
__global__ void matvec(const int *M, const int *v, int *y, int rows, int cols)
{
    __shared__ int piece[64];
    int row = threadIdx.x;
    int sum = 0;

    for (int start = 0; start < cols; start += 64) {
        piece[threadIdx.x] = v[start + threadIdx.x];
#ifdef CURED
        __syncthreads();
#endif
        if (row < rows)
            for (int j = 0; j < 64; j++)
                sum += M[row * cols + start + j] * piece[j];
        __syncthreads();
    }
    if (row < rows)
        y[row] = sum;
}
