// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array t f32 1024 random; array u f32 1024 zero; launch plate<<<dim3(2, 2), dim3(16, 16)>>>(t, u, 32)
//@ kind race-global
//@ cure grid-sync
//@ place split
//@ says second array
// one step of heat on a plate, over several lines
__global__ void plate(float *t, float *u, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x == w - 1 || y == w - 1)
        return;
    float sum = t[y * w + x - 1] + t[y * w + x + 1] + t[(y - 1) * w + x] + t[(y + 1) * w + x];
#ifdef CURED
    u[y * w + x] = sum / 4;
#else
    t[y * w + x] = sum / 4;
#endif
}
