// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array in f32 512 random; array out f32 512 zero; launch stencil_1d<<<4, 128>>>(in, out, 512)
//@ kind race-shared
//@ cure syncthreads
//@ place between
#define RADIUS 3
#define BLOCK_SIZE 128

__global__ void stencil_1d(const float *in, float *out, int n)
{
    __shared__ float temp[BLOCK_SIZE + 2 * RADIUS];
    int gindex = threadIdx.x + blockIdx.x * blockDim.x;
    int lindex = threadIdx.x + RADIUS;

    temp[lindex] = in[gindex];
    if (threadIdx.x < RADIUS) {
        int left = gindex - RADIUS;
        int right = gindex + BLOCK_SIZE;
        temp[lindex - RADIUS] = left >= 0 ? in[left] : 0.0f;
        temp[lindex + BLOCK_SIZE] = right < n ? in[right] : 0.0f;
    }
#ifdef CURED
    __syncthreads();
#endif
    float result = 0.0f;
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        result += temp[lindex + offset];
    out[gindex] = result;
}
