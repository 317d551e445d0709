// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of two words put together by a selector.
// launch 2 64
extern "C" __global__ void bytes_permuted(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = __byte_perm(in[i], in[i + 1], in[i + 2] & 0x7777);
    out[i + 128] = __funnelshift_l(in[i], in[i + 1], in[i + 2] & 31);
}
