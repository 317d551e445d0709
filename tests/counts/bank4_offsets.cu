// SPDX-License-Identifier: GPL-3.0-or-later
// The same stride from each of 32 first words: offsets move no bank onto another.
// launch 1 32
extern "C" __global__ void bank4_offsets(const int *in, int *out, int n)
{
    __shared__ int s[128];
    int sum = 0;
    for (int i = threadIdx.x; i < 128; i += 32)
        s[i] = in[i];
    __syncthreads();
#pragma unroll 1
    for (int offset = 0; offset < 32; offset++)
        sum = sum * 3 + s[offset + 3 * threadIdx.x];
    out[threadIdx.x] = sum;
}
