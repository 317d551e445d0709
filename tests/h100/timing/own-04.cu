// SPDX-License-Identifier: GPL-3.0-or-later
// Gather: each thread reads an index and then the table at that index.
// The table is small enough for the second-level cache.
//: small   array idx i32 16384 random:0:1023; array table f32 1024 random; array out f32 16384; launch gather<<<64, 256>>>(out, table, idx, 16384)
//: middle  array idx i32 524288 random:0:65535; array table f32 65536 random; array out f32 524288; launch gather<<<2048, 256>>>(out, table, idx, 524288)
//: large   array idx i32 16777216 random:0:4194303; array table f32 4194304 random; array out f32 16777216; launch gather<<<65536, 256>>>(out, table, idx, 16777216)

extern "C" __global__ void gather(float *__restrict__ out, const float *__restrict__ table,
                                  const int *__restrict__ idx, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = table[idx[i]];
}
