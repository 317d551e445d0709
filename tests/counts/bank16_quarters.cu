// SPDX-License-Identifier: GPL-3.0-or-later
// Sixteen bytes where quarters of the warp, or neighbours, read the same.
// launch 1 32
extern "C" __global__ void bank16_quarters(const int *in, int *out, int n)
{
    __shared__ int4 s[64];
    int t = threadIdx.x;
    s[t] = make_int4(in[t], 1, 2, 3);
    s[t + 32] = make_int4(in[t + 32], 4, 5, 6);
    __syncthreads();
    int4 a = s[t % 8], b = s[t / 4], c = s[t / 8 * 8], d = s[t % 16], e = s[t % 2 * 8], f = s[9];
    out[t] = a.x + 2 * b.x + 3 * c.x + 5 * d.x + 7 * e.x + f.x + a.y + b.z + c.w + d.y + e.z + f.w;
}
