// SPDX-License-Identifier: GPL-3.0-or-later
// The same tree with a word more after every 32.
// launch 1 128
__device__ int place(int i)
{
    return i + (i >> 5);
}

extern "C" __global__ void scan_blelloch_padded(const int *in, int *out, int n)
{
    __shared__ int s[256 + 8];
    int t = threadIdx.x;
    s[place(t)] = in[t];
    s[place(t + 128)] = in[t + 128];
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        if (t < 128 / d)
            s[place(d * (2 * t + 2) - 1)] += s[place(d * (2 * t + 1) - 1)];
    }
    if (t == 0)
        s[place(255)] = 0;
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (t < 128 / d) {
            int left = place(d * (2 * t + 1) - 1), right = place(d * (2 * t + 2) - 1), v = s[left];
            s[left] = s[right];
            s[right] += v;
        }
    }
    __syncthreads();
    out[t] = s[place(t)];
    out[t + 128] = s[place(t + 128)];
}
