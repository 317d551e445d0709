// SPDX-License-Identifier: GPL-3.0-or-later
// Eight bytes where both halves of the warp read the same, or neighbours do.
// launch 1 32
extern "C" __global__ void bank8_halves(const int *in, int *out, int n)
{
    __shared__ long long s[64];
    int lane = threadIdx.x;
    s[lane] = in[lane];
    s[lane + 32] = in[lane + 32];
    __syncthreads();
    long long sum = s[lane % 16];
    sum = sum * 3 + s[lane / 2];
    sum = sum * 3 + s[lane % 8];
    sum = sum * 3 + s[lane / 16 * 16];
    sum = sum * 3 + s[lane % 2 * 16];
    out[lane] = (int)sum;
}
