// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array A f32 1024 random; array B f32 1024 random; array C f32 1024 zero; launch matmul<<<dim3(2,2), dim3(16,16)>>>(A, B, C, 32)
//@ kind race-shared
//@ cure syncthreads
//@ place loop-end
const int TW = 16;

__global__ void matmul(const float *A, const float *B, float *C, int n)
{
    __shared__ float As[TW][TW];
    __shared__ float Bs[TW][TW];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TW + ty;
    int col = blockIdx.x * TW + tx;
    float sum = 0;

    for (int m = 0; m < n / TW; ++m) {
        As[ty][tx] = A[row * n + m * TW + tx];
        Bs[ty][tx] = B[(m * TW + ty) * n + col];
        __syncthreads();

        for (int k = 0; k < TW; ++k)
            sum += As[ty][k] * Bs[k][tx];
#ifdef CURED
        __syncthreads();
#endif
    }
    C[row * n + col] = sum;
}
