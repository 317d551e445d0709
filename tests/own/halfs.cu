// SPDX-License-Identifier: GPL-3.0-or-later
//! array x f16 256 iota
//! array y f16 256 list:0.5,-1.25,3,100
//! array z f16 256
//! array sum f32 1 zero
//! array h u16 16
//! array f f32 16 list:1,0.1,-2.5,65504,65519,65520,1e-8,6e-8,3.14159265,2049,2051,-0.3333333333,1e6,0,0.000061,1000.5
//! launch axpy<<<1,256>>>(2, x, y, z)
//! launch total<<<4,64>>>(z, sum)
//! launch convert<<<1,16>>>(f, h)
//! expect z
//! expect sum
//! expect h
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// the sum is done in float and rounded once
__global__ void axpy(float a, const __half *x, const __half *y, __half *z)
{
    int i = threadIdx.x;
    float r = a * __half2float(x[i]) + __half2float(y[i]);
    z[i] = __float2half(r);
}

__global__ void total(const half *z, float *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = __half2float(z[i]);
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, v);
}

// the bits of the nearest half, ties to even
__global__ void convert(const float *f, unsigned short *h)
{
    union {
        unsigned short bits;
        unsigned char bytes[2];
    } u;
    half v = __float2half_rn(f[threadIdx.x]);
    const unsigned char *b = (const unsigned char *)&v;
    u.bytes[0] = b[0];
    u.bytes[1] = b[1];
    h[threadIdx.x] = u.bits;
}
