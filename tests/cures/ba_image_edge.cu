// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array img f32 1600 random; array out f32 1600 zero; launch gradientY<<<dim3(3,3), dim3(16,16)>>>(img, out, 40, 40)
//@ kind barrier-divergence
//@ cure barrier-all
//@ line 22
__global__ void gradientY(const float *img, float *out, int w, int h)
{
    __shared__ float tile[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * 16 + tx;
    int row = blockIdx.y * 16 + ty;
    int up = ty > 0 ? ty - 1 : 0;

#ifdef CURED
    bool inside = col < w && row < h;
    if (inside)
        tile[ty][tx] = img[row * w + col];
    __syncthreads();
    if (inside)
        out[row * w + col] = tile[ty][tx] - tile[up][tx];
#else
    if (col < w && row < h) {
        tile[ty][tx] = img[row * w + col];
        __syncthreads();
        out[row * w + col] = tile[ty][tx] - tile[up][tx];
    }
#endif
}
