// SPDX-License-Identifier: GPL-3.0-or-later
// Four columns a thread: sixteen bytes at a time from the second tile.
// launch 2x2 8x16
extern "C" __global__ void matmul_vector(const int *in, int *out, int n)
{
    __shared__ int a[16][33];
    __shared__ int4 b[32][8];
    int tx = threadIdx.x, ty = threadIdx.y, y = blockIdx.y * 16 + ty;
    int4 sum = make_int4(0, 0, 0, 0);
    for (int k = tx; k < 32; k += 8)
        a[ty][k] = in[y * 32 + k];
    for (int k = ty; k < 32; k += 16)
        b[k][tx] = ((const int4 *)in)[1024 + k * 16 + blockIdx.x * 8 + tx];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < 32; k++) {
        int f = a[ty][k];
        int4 v = b[k][tx];
        sum = make_int4(sum.x + f * v.x, sum.y + f * v.y, sum.z + f * v.z, sum.w + f * v.w);
    }
    ((int4 *)out)[y * 16 + blockIdx.x * 8 + tx] = sum;
}
