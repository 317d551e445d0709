// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array m f32 1024 random; array d f32 1024 zero; launch diffRows<<<2, 64>>>(m, d, 32)
//@ kind race-shared
//@ cure syncwarp
//@ place loop-end
// a warp a row, and then the next row; the row is a ring of 32 values
__global__ void diffRows(const float *m, float *d, int rows)
{
    __shared__ float line[2][32];
    int lane = threadIdx.x & 31;
    float *mine = line[threadIdx.x / 32];
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int warps = gridDim.x * blockDim.x / 32;

    for (int r = warp; r < rows; r += warps) {
        mine[lane] = m[r * 32 + lane];
        __syncwarp();
        d[r * 32 + lane] = mine[(lane + 1) & 31] - mine[lane];
#ifdef CURED
        __syncwarp();
#endif
    }
}
