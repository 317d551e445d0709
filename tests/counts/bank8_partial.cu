// SPDX-License-Identifier: GPL-3.0-or-later
// Eight bytes with some lanes only: one half, odd ones, four, one.
// launch 1 64
extern "C" __global__ void bank8_partial(const int *in, int *out, int n)
{
    __shared__ long long s[64];
    int t = threadIdx.x, lane = t & 31;
    long long sum = 0;
    s[t] = in[t];
    __syncthreads();
    if (lane < 16)
        sum += s[lane];
    __syncwarp();
    if (lane & 1)
        sum += s[t];
    __syncwarp();
    if (lane % 8 == 3)
        sum += s[lane * 2];
    __syncwarp();
    if (lane == 9)
        sum += s[t];
    out[t] = (int)sum;
}
