// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array pixels u8 1024 random; array hist u32 256 zero; launch grayHist<<<2, 256>>>(pixels, hist, 1024)
//@ kind race-shared
//@ cure atomic
__global__ void grayHist(const unsigned char *pixels, unsigned int *hist, int n)
{
    __shared__ unsigned int h[256];
    h[threadIdx.x] = 0;
    __syncthreads();

    int i = threadIdx.x + blockIdx.x * blockDim.x;
    while (i < n) {
#ifdef CURED
        atomicAdd(&h[pixels[i]], 1u);
#else
        h[pixels[i]]++;
#endif
        i += blockDim.x * gridDim.x;
    }
    __syncthreads();
    atomicAdd(&hist[threadIdx.x], h[threadIdx.x]);
}
