// SPDX-License-Identifier: GPL-3.0-or-later
// Words at scattered indices, as a table is read.
// launch 2 256
extern "C" __global__ void bank4_gather(const int *in, int *out, int n)
{
    __shared__ int s[1024];
    int i = blockIdx.x * 256 + threadIdx.x, sum = 0;
    for (int k = threadIdx.x; k < 1024; k += 256)
        s[k] = in[k];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 8; k++)
        sum = sum * 7 + s[in[i * 8 + k] & 1023];
    out[i] = sum;
}
