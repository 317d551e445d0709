// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array a f32 2048 random; array rowsum f32 32 zero; launch rowSums<<<dim3(4,4), dim3(16,8)>>>(a, rowsum, 64, 32)
//@ kind race-global
//@ cure atomic
__global__ void rowSums(const float *a, float *rowsum, int width, int height)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < width && row < height) {
#ifdef CURED
        atomicAdd(&rowsum[row], a[row * width + col]);
#else
        rowsum[row] += a[row * width + col];
#endif
    }
}
