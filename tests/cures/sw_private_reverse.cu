// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array src i32 384 iota; array dst i32 384 zero; launch flip<<<3, 128>>>(src, dst)
//@ kind race-shared
//@ cure syncwarp
//@ place between
// turns each group of 32 numbers round
__global__ void flip(const int *src, int *dst)
{
    __shared__ int box[4][32];
    int w = threadIdx.x / 32;
    int l = threadIdx.x % 32;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    box[w][l] = src[i];
#ifdef CURED
    __syncwarp();
#endif
    dst[i] = box[w][31 - l];
}
