// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the dot product of two vectors of doubles: a grid-stride loop, shuffles in the warp,
// then one atomic a block.
//: small   array x f64 16384 random; array y f64 16384 random; array sum f64 2 zero; launch dot<<<16, 256>>>(sum, x, y, 16384)
//: middle  array x f64 524288 random; array y f64 524288 random; array sum f64 2 zero; launch dot<<<132, 256>>>(sum, x, y, 524288)
//: large   array x f64 16777216 random; array y f64 16777216 random; array sum f64 2 zero; launch dot<<<528, 256>>>(sum, x, y, 16777216)

__global__ void dot(double *sum, const double *x, const double *y, int n)
{
    __shared__ double part[8];
    double s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        s += x[i] * y[i];
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_down_sync(0xffffffff, s, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x < 8) {
        s = part[threadIdx.x];
        for (int d = 4; d > 0; d /= 2)
            s += __shfl_xor_sync(0xff, s, d);
        if (threadIdx.x == 0)
            atomicAdd(sum, s);
    }
}
