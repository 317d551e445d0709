// SPDX-License-Identifier: GPL-3.0-or-later
// A sorting network of 256 elements in shared memory.
// launch 1 128
extern "C" __global__ void sort_bitonic(const int *in, int *out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 128] = in[t + 128];
    for (int size = 2; size <= 256; size *= 2)
        for (int d = size / 2; d > 0; d /= 2) {
            __syncthreads();
            int low = 2 * t - (t & (d - 1)), v = s[low], w = s[low + d];
            if ((v > w) == ((low & size) == 0)) {
                s[low] = w;
                s[low + d] = v;
            }
        }
    __syncthreads();
    out[t] = s[t];
    out[t + 128] = s[t + 128];
}
