// SPDX-License-Identifier: GPL-3.0-or-later
// Sixteen bytes a lane, neighbours: four passes.
// launch 1 32
extern "C" __global__ void bank16_stride1(const int *in, int *out, int n)
{
    __shared__ int4 s[32];
    int t = threadIdx.x;
    s[t] = make_int4(in[t], in[t + 32], in[t + 64], in[t + 96]);
    __syncthreads();
    int4 v = s[31 - t];
    out[t] = v.x + 2 * v.y + 3 * v.z + 4 * v.w;
}
