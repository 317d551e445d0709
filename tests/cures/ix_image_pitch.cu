// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array img i32 4096 iota; array neg i32 4096 zero; launch negative<<<dim3(4,4), dim3(16,16)>>>(img, neg, 64, 64)
//@ kind race-global
//@ cure index
__global__ void negative(const int *img, int *neg, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
#ifdef CURED
    int at = y * width + x;
#else
    int at = y * blockDim.x + x;
#endif
    neg[at] = 4095 - img[y * width + x];
}
