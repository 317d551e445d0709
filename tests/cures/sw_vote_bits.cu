// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array v i32 256 random; array masks u32 8 zero; launch vote<<<1, 256>>>(v, masks)
//@ kind race-shared
//@ cure syncwarp
//@ place between
// my own ballot: bit k says whether lane k saw an odd number
__global__ void vote(const int *v, unsigned int *masks)
{
    __shared__ unsigned char flag[256];
    const unsigned int lane = threadIdx.x % warpSize;

    flag[threadIdx.x] = v[threadIdx.x] & 1;
#ifdef CURED
    __syncwarp();
#endif
    if (lane == 0) {
        unsigned int m = 0;
        for (int k = 0; k < 32; k++)
            if (flag[threadIdx.x + k])
                m |= 1u << k;
        masks[threadIdx.x / warpSize] = m;
    }
}
