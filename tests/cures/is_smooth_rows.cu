// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array h f32 512 random; array g f32 512 zero; launch smooth<<<4, 128>>>(h, g, 512)
//@ kind race-global
//@ cure grid-sync
//@ place split
//@ says second array
// reads the neighbours in the array that it writes, in several blocks
__global__ void smooth(float *h, float *g, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef CURED
    float *to = g;
#else
    float *to = h;
#endif
    if (i > 0 && i < n - 1)
        to[i] = (h[i - 1] + h[i + 1]) * 0.5f;
}
