// SPDX-License-Identifier: GPL-3.0-or-later
// Each thread takes eight neighbours: a stride of eight in every request.
// launch 1 128
extern "C" __global__ void global_blocked(const int *in, int *out, int n)
{
    int first = threadIdx.x * 8;
#pragma unroll 1
    for (int k = 0; k < 8; k++)
        out[first + k] = in[first + k] ^ k;
}
