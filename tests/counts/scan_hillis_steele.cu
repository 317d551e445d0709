// SPDX-License-Identifier: GPL-3.0-or-later
// Prefix sums in place: every thread adds what stands 1, 2, 4 ... before it.
// launch 2 256
extern "C" __global__ void scan_hillis_steele(const int *in, int *out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x, first = blockIdx.x * 256;
    s[t] = in[first + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    out[first + t] = s[t];
}
