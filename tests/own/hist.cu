// SPDX-License-Identifier: GPL-3.0-or-later
//! array text u8 3000 random:97:122
//! array bins u32 26 zero
//! array image u8 5000 random:0:255
//! array h256 u32 256 zero
//! array priv u32 256 zero
//! launch letters<<<12,256>>>(text, bins, 3000)
//! launch hist_global<<<5,1000>>>(image, h256, 5000)
//! launch hist_shared<<<4,256>>>(image, 5000, priv)
//! expect bins
//! expect h256
//! expect priv
#include <iostream>
#include <vector>
#include <cuda_runtime.h>

__global__ void letters(const char *text, unsigned int *bins, int len)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < len) {
        int c = text[i] - 'a';
        if (c >= 0 && c < 26)
            atomicAdd(&bins[c], 1u);
    }
}

__global__ void hist_global(const unsigned char *img, unsigned int *h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&h[img[i]], 1);
}

__global__ void hist_shared(const unsigned char *img, size_t n, unsigned int *h)
{
    __shared__ unsigned int local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    size_t i = threadIdx.x + blockIdx.x * blockDim.x;
    const size_t stride = blockDim.x * gridDim.x;
    while (i < n) {
        atomicAdd(&local[img[i]], 1);
        i += stride;
    }
    __syncthreads();
    atomicAdd(&h[threadIdx.x], local[threadIdx.x]);
}

int main()
{
    const std::size_t n = 1 << 16;
    std::vector<unsigned char> img(n);
    for (std::size_t i = 0; i < n; ++i)
        img[i] = static_cast<unsigned char>(i * 7);
    std::vector<unsigned int> h(256, 0);
    unsigned char *d_img = nullptr;
    unsigned int *d_h = nullptr;
    cudaMalloc(&d_img, n);
    cudaMalloc(&d_h, 256 * sizeof(unsigned int));
    cudaMemcpy(d_img, img.data(), n, cudaMemcpyHostToDevice);
    cudaMemset(d_h, 0, 256 * sizeof(unsigned int));
    hist_shared<<<16, 256>>>(d_img, n, d_h);
    cudaMemcpy(h.data(), d_h, 256 * sizeof(unsigned int), cudaMemcpyDeviceToHost);
    for (auto c : h)
        std::cout << c << ' ';
    std::cout << std::endl;
    cudaFree(d_img);
    cudaFree(d_h);
}
