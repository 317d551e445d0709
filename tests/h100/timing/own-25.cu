// SPDX-License-Identifier: GPL-3.0-or-later
// Product of two matrices as it is first written: a thread for each element, all loads from global
// memory. C is m by n, A is m by k.
//: small   array a f32 4096 random; array b f32 4096 random; array c f32 4096; launch matmul<<<dim3(4,4), dim3(16,16)>>>(a, b, c, 64, 64, 64)
//: middle  array a f32 65536 random; array b f32 65536 random; array c f32 65536; launch matmul<<<dim3(16,16), dim3(16,16)>>>(a, b, c, 256, 256, 256)
//: large   array a f32 524288 random; array b f32 262144 random; array c f32 524288; launch matmul<<<dim3(32,64), dim3(16,16)>>>(a, b, c, 1024, 512, 512)

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; ++i)
            sum += a[row * k + i] * b[i * n + col];
        c[row * n + col] = sum;
    }
}
