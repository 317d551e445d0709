// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array p f32 64 random; array q f32 64 zero; launch flip8<<<1, dim3(8, 8)>>>(p, q)
//@ kind race-shared
//@ cure syncthreads
//@ place between
//@ pair warps
// 8 x 8 threads are two warps, and rows 3 and 4 are in different ones
__global__ void flip8(const float *p, float *q)
{
    __shared__ float cell[8][8];
    int c = threadIdx.x, r = threadIdx.y;
    cell[r][c] = p[r * 8 + c];
#ifdef CURED
    __syncthreads();
#endif
    q[r * 8 + c] = cell[c][r];
}
