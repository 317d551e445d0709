// SPDX-License-Identifier: GPL-3.0-or-later
// A copy of bytes by single bytes: each thread moves four neighbours, from an address that is no
// multiple of four.
//: small   array src u8 131075 random:0:255; array dst u8 131072; launch copy<<<128, 256>>>(dst, src+3, 131072)
//: middle  array src u8 4194307 random:0:255; array dst u8 4194304; launch copy<<<4096, 256>>>(dst, src+3, 4194304)
//: large   array src u8 134217731 random:0:255; array dst u8 134217728; launch copy<<<131072, 256>>>(dst, src+3, 134217728)

__global__ void copy(unsigned char *dst, const unsigned char *src, int n)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    for (int k = first; k < first + 4 && k < n; ++k)
        dst[k] = src[k];
}
