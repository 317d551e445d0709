// SPDX-License-Identifier: GPL-3.0-or-later
// A function that calls itself, each lane to its own depth.
// launch 1 64
__device__ __noinline__ int depth(const int *in, int at, int left)
{
    if (left == 0)
        return 0;
    return 1 + in[at] % 5 + depth(in, at + 3, left - 1) * 2;
}

extern "C" __global__ void call_recursive(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    out[t] = depth(in, t, in[t] & 7);
}
