// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array a f32 192 random; array sums f32 192 zero; launch scanWarps<<<1, 192>>>(a, sums)
//@ kind race-shared
//@ cure syncwarp
//@ place split
#define FULL 0xffffffffu
#define LANES 32

__device__ void scanRow(float *row, int lane)
{
    for (int d = 1; d < LANES; d <<= 1) {
#ifdef CURED
        float left = lane >= d ? row[lane - d] : 0.0f;
        __syncwarp(FULL);
        row[lane] += left;
        __syncwarp(FULL);
#else
        if (lane >= d)
            row[lane] += row[lane - d];
        __syncwarp(FULL);
#endif
    }
}

__global__ void scanWarps(const float *a, float *sums)
{
    __shared__ float rows[6][LANES];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    rows[warp][lane] = a[threadIdx.x];
    __syncwarp(FULL);
    scanRow(rows[warp], lane);
    sums[threadIdx.x] = rows[warp][lane];
}
