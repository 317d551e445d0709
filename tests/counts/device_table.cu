// SPDX-License-Identifier: GPL-3.0-or-later
// Variables of the module in global memory, read and counted up.
// launch 2 64
__device__ int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49}, seen[8];

extern "C" __global__ void device_table(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    atomicAdd(&seen[in[i] & 7], 1);
    out[i] = squares[in[i] & 7];
}
