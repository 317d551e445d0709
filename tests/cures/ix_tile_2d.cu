// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array in f32 256 random; array out f32 256 zero; launch rotate180<<<1, dim3(16,16)>>>(in, out)
//@ kind race-shared
//@ cure index
// turns a 16 x 16 picture upside down and left to right
__global__ void rotate180(const float *in, float *out)
{
    __shared__ float pic[256];
    int id = threadIdx.y * 16 + threadIdx.x;
#ifdef CURED
    int slot = threadIdx.y * blockDim.x + threadIdx.x;
#else
    int slot = threadIdx.y + threadIdx.x;
#endif
    pic[id] = 0.0f;
    __syncthreads();
    pic[slot] = in[id];
    __syncthreads();
    out[id] = pic[255 - id];
}
