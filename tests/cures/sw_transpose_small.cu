// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array in u32 256 iota; array out u32 256 zero; launch turn<<<2, dim3(32,4)>>>(in, out)
//@ kind race-shared
//@ cure syncwarp
//@ place between
// 4 x 8 matrices become 8 x 4: each row of threads (threadIdx.y) does one
struct Mat {
    unsigned int e[4][8];
};

__global__ void turn(const unsigned int *in, unsigned int *out)
{
    __shared__ Mat mats[4];
    Mat &m = mats[threadIdx.y];
    int k = threadIdx.x;
    int base = (blockIdx.x * 4 + threadIdx.y) * 32;

    m.e[k / 8][k % 8] = in[base + k];
#ifdef CURED
    __syncwarp();
#endif
    out[base + k] = m.e[k % 4][k / 4];
}
