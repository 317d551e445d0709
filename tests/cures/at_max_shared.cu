// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 600 iota; array out i32 3 zero; launch blockMax<<<3, 200>>>(x, out)
//@ kind race-shared
//@ cure atomic
__global__ void blockMax(const int *x, int *out)
{
    __shared__ int best;
    if (threadIdx.x == 0)
        best = -2147483647;
    __syncthreads();

    int v = (x[blockIdx.x * blockDim.x + threadIdx.x] * 37) % 211;
#ifdef CURED
    atomicMax(&best, v);
#else
    if (v > best)
        best = v;
#endif
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = best;
}
