// SPDX-License-Identifier: GPL-3.0-or-later
// Half a warp in each of two rows whose pitch is sixteen, then seventeen, words.
// launch 2 16x4
extern "C" __global__ void bank4_two_rows(const int *in, int *out, int n)
{
    __shared__ int even[4 * 48], odd[4 * 17];
    int t = threadIdx.y * 16 + threadIdx.x;
    even[threadIdx.y * 48 + threadIdx.x] = in[t];
    odd[threadIdx.y * 17 + threadIdx.x] = in[t + 64];
    __syncthreads();
    out[blockIdx.x * 64 + t] = even[(3 - threadIdx.y) * 48 + threadIdx.x] +
                               odd[(3 - threadIdx.y) * 17 + threadIdx.x];
}
