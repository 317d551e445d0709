// SPDX-License-Identifier: GPL-3.0-or-later
// Stores of several lanes to one word, of the same value.
// launch 1 64
extern "C" __global__ void bank4_same_word(const int *in, int *out, int n)
{
    __shared__ int s[512];
    int t = threadIdx.x;
    for (int k = t; k < 512; k += 64)
        s[k] = 0;
    __syncthreads();
    s[t / 4] = in[t / 4];
    s[128 + (t % 4) * 32] = in[t % 4];
    s[7 + 256] = in[0];
    __syncthreads();
    for (int k = t; k < 512; k += 64)
        out[k] = s[k];
}
