// SPDX-License-Identifier: GPL-3.0-or-later
// One word for all lanes, for pairs, for fours, and two words of one bank.
// launch 1 128
extern "C" __global__ void bank4_broadcast(const int *in, int *out, int n)
{
    __shared__ int s[256];
    int lane = threadIdx.x & 31;
    s[threadIdx.x] = in[threadIdx.x];
    s[threadIdx.x + 128] = in[threadIdx.x + 128];
    __syncthreads();
    out[threadIdx.x] = s[17] + s[threadIdx.x / 2] + s[threadIdx.x / 4] + s[lane % 2 * 32] +
                       s[lane % 3 * 64 + 1];
}
