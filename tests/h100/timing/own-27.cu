// SPDX-License-Identifier: GPL-3.0-or-later
// Product of two matrices with 8 by 8 results in the registers of each thread. A block of 64
// threads makes a tile of 64 by 64 and goes along k in steps of 8.
//: small   array a f32 8192 random; array b f32 8192 random; array c f32 16384; launch sgemm<<<dim3(2,2), 64>>>(a, b, c, 128, 64)
//: middle  array a f32 131072 random; array b f32 262144 random; array c f32 131072; launch sgemm<<<dim3(8,4), 64>>>(a, b, c, 512, 512)
//: large   array a f32 1048576 random; array b f32 1048576 random; array c f32 1048576; launch sgemm<<<dim3(16,16), 64>>>(a, b, c, 1024, 1024)

extern "C" __global__ __launch_bounds__(64) void sgemm(const float *__restrict__ a, const float *__restrict__ b,
                                                       float *__restrict__ c, int n, int k)
{
    __shared__ float ta[8][64];
    __shared__ float tb[8][64];
    int t = threadIdx.x;
    int tx = t % 8, ty = t / 8;
    int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    float acc[8][8];
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
            acc[i][j] = 0.0f;
    for (int base = 0; base < k; base += 8) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            ta[i][t] = a[(row0 + t) * k + base + i];
            tb[i][t] = b[(base + i) * n + col0 + t];
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < 8; ++p) {
            float ra[8], rb[8];
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                ra[i] = ta[p][ty * 8 + i];
                rb[i] = tb[p][tx + 8 * i];
            }
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
            c[(row0 + ty * 8 + i) * n + col0 + tx + 8 * j] = acc[i][j];
}
