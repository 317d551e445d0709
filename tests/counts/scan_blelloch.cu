// SPDX-License-Identifier: GPL-3.0-or-later
// Prefix sums by a tree up and down: banks meet as the strides grow.
// launch 1 128
extern "C" __global__ void scan_blelloch(const int *in, int *out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[2 * t] = in[2 * t];
    s[2 * t + 1] = in[2 * t + 1];
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        if (t < 128 / d)
            s[d * (2 * t + 2) - 1] += s[d * (2 * t + 1) - 1];
    }
    if (t == 0)
        s[255] = 0;
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (t < 128 / d) {
            int left = d * (2 * t + 1) - 1, right = d * (2 * t + 2) - 1, v = s[left];
            s[left] = s[right];
            s[right] += v;
        }
    }
    __syncthreads();
    out[2 * t] = s[2 * t];
    out[2 * t + 1] = s[2 * t + 1];
}
