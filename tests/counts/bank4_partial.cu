// SPDX-License-Identifier: GPL-3.0-or-later
// Strides with some lanes only: odd ones, the first few, one.
// launch 1 64
extern "C" __global__ void bank4_partial(const int *in, int *out, int n)
{
    __shared__ int s[1024];
    int lane = threadIdx.x & 31, sum = 0;
    for (int i = threadIdx.x; i < 1024; i += 64)
        s[i] = in[i];
    __syncthreads();
    if (lane & 1)
        sum += s[lane * 32];
    __syncwarp();
    if (lane < 5)
        sum += s[lane * 16 + 3];
    __syncwarp();
    if (threadIdx.x == 37)
        sum += s[999];
    out[threadIdx.x] = sum;
}
