// SPDX-License-Identifier: GPL-3.0-or-later
// Dot product with a grid-stride loop. The sum is kept in double precision, goes through shuffles
// in a warp, and ends with one atomic addition a warp.
//: small   array x f32 32768 random; array y f32 32768 random; array r f64 1 zero; launch dot<<<16, 256>>>(x, y, r, 32768)
//: middle  array x f32 1048576 random; array y f32 1048576 random; array r f64 1 zero; launch dot<<<528, 256>>>(x, y, r, 1048576)
//: large   array x f32 50331648 random; array y f32 50331648 random; array r f64 1 zero; launch dot<<<1056, 256>>>(x, y, r, 50331648)

extern "C" __global__ void dot(const float *__restrict__ x, const float *__restrict__ y, double *r, int n)
{
    double sum = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += (double)x[i] * y[i];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(r, sum);
}
