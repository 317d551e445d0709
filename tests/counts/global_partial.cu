// SPDX-License-Identifier: GPL-3.0-or-later
// Odd lanes, every fifth, one lane, and none.
// launch 4 128
extern "C" __global__ void global_partial(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x, lane = threadIdx.x & 31;
    if (lane & 1)
        out[i] = in[i];
    __syncwarp();
    if (lane % 5 == 0)
        out[i + 1024] = in[i * 2];
    __syncwarp();
    if (lane == 13)
        out[i + 2048] = in[i + 5];
    __syncwarp();
    if (i > n)
        out[i] = 7;
}
