// SPDX-License-Identifier: GPL-3.0-or-later
// Four products of bytes at once, and differences of vectors of bytes.
// launch 2 64
extern "C" __global__ void bytes_products(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = __dp4a(in[i], in[i + 64], in[i + 128]);
    out[i + 128] = __vsadu4(in[i], in[i + 1]) + __vabsdiffu4(in[i], in[i + 2]);
}
