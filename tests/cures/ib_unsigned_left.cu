// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array h i32 128 iota; launch step<<<1, 64>>>(h)
//@ kind out-of-bounds
//@ cure bounds
//@ says 4294967295, which is 0 - 1 in unsigned
//@ unsaid A grid often
// threadIdx.x is unsigned, so 0 - 1 is a very large number
__global__ void step(int *h)
{
#ifdef CURED
    if (threadIdx.x > 0)
#endif
        h[64 + threadIdx.x] = h[threadIdx.x - 1];
}
