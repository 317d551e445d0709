// SPDX-License-Identifier: GPL-3.0-or-later
//! array a f32 512 iota
//! array b f32 512 value:2
//! array c f32 512
//! array pairs i32 200 random:-7:7
//! array sums i32 100
//! array pixels u8 256 random:0:255
//! array bgra u8 256
//! array d f64 64 iota
//! array dots f64 32
//! launch add4<<<2,64>>>(a, b, c)
//! launch sum2<<<1,100>>>(pairs, sums)
//! launch swapRB<<<1,64>>>(pixels, bgra)
//! launch dot2<<<1,32>>>(d, dots)
//! launch add4<<<1,1>>>(a+8, c+4, c)
//! expect c
//! expect sums
//! expect bgra
//! expect dots
#include <cuda_runtime.h>

__global__ void add4(const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 x = reinterpret_cast<const float4 *>(a)[i];
    float4 y = reinterpret_cast<const float4 *>(b)[i];
    float4 z;
    z.x = x.x + y.x;
    z.y = x.y + y.y;
    z.z = x.z + y.z;
    z.w = x.w + y.w;
    reinterpret_cast<float4 *>(c)[i] = z;
}

__global__ void sum2(const int2 *pairs, int *sums)
{
    int2 p = pairs[threadIdx.x];
    sums[threadIdx.x] = p.x * 100 + p.y;
}

__global__ void swapRB(const uchar4 *in, uchar4 *out)
{
    uchar4 p = in[threadIdx.x];
    out[threadIdx.x] = make_uchar4(p.z, p.y, p.x, 255 - p.w);
}

__device__ double dot(double2 u, double2 v) { return u.x * v.x + u.y * v.y; }

__global__ void dot2(const double2 *d, double *dots)
{
    double2 v = d[threadIdx.x];
    dots[threadIdx.x] = dot(v, make_double2(v.y, -v.x)) + dot(v, v);
}
