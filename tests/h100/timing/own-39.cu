// SPDX-License-Identifier: GPL-3.0-or-later
// Bit reversal: the order of the elements before a Fourier transform. The reads are along the
// array, each write goes far away from its neighbour's.
//: small   array in f32 4096 iota; array out f32 4096; launch reverse<<<4, 1024>>>(in, out, 12)
//: middle  array in f32 262144 iota; array out f32 262144; launch reverse<<<256, 1024>>>(in, out, 18)
//: large   array in f32 33554432 iota; array out f32 33554432; launch reverse<<<32768, 1024>>>(in, out, 25)

extern "C" __global__ void reverse(const float *in, float *out, int bits)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[__brev(i) >> (32 - bits)] = in[i];
}
