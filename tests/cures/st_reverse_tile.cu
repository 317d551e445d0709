// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 512 iota; array out i32 512 zero; launch reverseBlocks<<<2, 256>>>(x, out)
//@ kind race-shared
//@ cure syncthreads
//@ place between
// every block turns its own 256 numbers round
__global__ void reverseBlocks(const int *x, int *out)
{
    __shared__ int tile[256];
    int t = threadIdx.x;
    int base = blockIdx.x * blockDim.x;

    tile[t] = x[base + t];
#ifdef CURED
    __syncthreads();
#endif
    out[base + t] = tile[blockDim.x - 1 - t];
}
