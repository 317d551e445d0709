// SPDX-License-Identifier: GPL-3.0-or-later
// Loads of sixteen bytes at the strides 0 to 17.
// launch 1 32
extern "C" __global__ void bank16_strides(const int *in, int *out, int n)
{
    __shared__ int4 s[32 * 17];
    int sum = 0;
    for (int i = threadIdx.x; i < 32 * 17; i += 32)
        s[i] = make_int4(in[i], i, in[i + 1], -i);
    __syncthreads();
#pragma unroll 1
    for (int stride = 0; stride <= 17; stride++) {
        int4 v = s[threadIdx.x * stride];
        sum = sum * 3 + v.x + v.y * 5 + v.z + v.w;
    }
    out[threadIdx.x] = sum;
}
