// SPDX-License-Identifier: GPL-3.0-or-later
// The same bytes stored four, eight and sixteen at a time and loaded at another width.
// launch 1 64
extern "C" __global__ void bank_mixed_widths(const int *in, int *out, int n)
{
    __shared__ __align__(16) int s[64 * 4];
    int t = threadIdx.x;
    s[t * 4] = in[t];
    s[t * 4 + 1] = in[t + 64];
    *(int2 *)&s[((t + 8) & 63) * 4 + 2] = make_int2(in[t], t);
    __syncthreads();
    int4 v = *(int4 *)&s[t * 4];
    __syncthreads();
    *(int4 *)&s[(63 - t) * 4] = make_int4(v.w, v.z, 5, in[t]);
    __syncthreads();
    int2 w = *(int2 *)&s[t * 4 + 2];
    out[t] = s[t] + s[t + 128] * 3 + w.x + w.y * 5;
}
