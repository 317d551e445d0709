// SPDX-License-Identifier: GPL-3.0-or-later
// Multiplies two square matrices. A block makes 64 x 64 elements, a thread 4 x 4 of them in
// registers.
//: small   array a f32 64x64 random; array b f32 64x64 random; array c f32 64x64; launch gemm<<<dim3(1,1), dim3(16,16)>>>(c, a, b, 64)
//: middle  array a f32 192x192 random; array b f32 192x192 random; array c f32 192x192; launch gemm<<<dim3(3,3), dim3(16,16)>>>(c, a, b, 192)
//: large   array a f32 512x512 random; array b f32 512x512 random; array c f32 512x512; launch gemm<<<dim3(8,8), dim3(16,16)>>>(c, a, b, 512)

#define TILE 64
#define DEPTH 16

__global__ void gemm(float *c, const float *a, const float *b, int n)
{
    __shared__ float as[DEPTH][TILE + 1], bs[DEPTH][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < n; k0 += DEPTH) {
        for (int e = t; e < TILE * DEPTH; e += 256) {
            as[e % DEPTH][e / DEPTH] = a[(row + e / DEPTH) * n + k0 + e % DEPTH];
            bs[e / TILE][e % TILE] = b[(k0 + e / TILE) * n + col + e % TILE];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            float p[4], q[4];
            for (int i = 0; i < 4; i++) {
                p[i] = as[k][ty + 16 * i];
                q[i] = bs[k][tx + 16 * i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += p[i] * q[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(row + ty + 16 * i) * n + col + tx + 16 * j] = sum[i][j];
}
