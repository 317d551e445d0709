// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 8x8: f32[] 0 step 1 mod 7, f32[] 0 step 1 mod 5, f32[] 0, i32 16
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n) {
    constexpr int TILE = 8;
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int tiles = n / TILE;
    for (int part = 0; part < tiles; part++) {
        int row = ty;
        int col = part * TILE + tx;
        float acc = 0.0f;
        for (int m = 0; m < tiles; m++) {
            int ka = m * TILE + tx;
            int kb = m * TILE + ty;
            as[ty][tx] = a[row * n + ka];
            bs[ty][tx] = b[kb * n + col];
            __syncthreads();
            for (int k = 0; k < TILE; k++) {
                acc += as[ty][k] * bs[k][tx];
            }
            __syncthreads();
        }
        c[row * n + col] = acc;
    }
}
