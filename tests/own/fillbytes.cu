// SPDX-License-Identifier: GPL-3.0-or-later
//! array bytes u8 100
//! array shorts i16 50
//! array wide i64 20
//! array reals f64 33
//! array src f32 16 list:1,-2,0.5,1e9
//! array copy u8 64
//! array bits u32 16
//! array flags i8 40
//! launch fill_u8<<<1,128>>>(bytes, 200, 100)
//! launch fill_i16<<<1,64>>>(shorts, -1234, 50)
//! launch fill_i64<<<2,16>>>(wide, -9000000000000000001, 20)
//! launch fill_f64<<<3,11>>>(reals, 0.1, 33)
//! launch copyBytes<<<1,64>>>(src, copy, 64)
//! launch pun<<<1,16>>>(src, bits)
//! launch fill_flag<<<1,40>>>(flags, 1, -5)
//! expect bytes
//! expect shorts
//! expect wide
//! expect reals
//! expect copy
//! expect bits
//! expect flags
#include <string.h>

__global__ void fill_u8(unsigned char *p, unsigned char v, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) p[i] = v;
}
__global__ void fill_i16(short *p, short v, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) p[i] = v + (short)i;
}
__global__ void fill_i64(long long *p, long long v, size_t n)
{
    size_t i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) p[i] = v - (long long)i;
}
__global__ void fill_f64(double *p, double v, unsigned n)
{
    unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) p[i] = v;
}
__global__ void fill_flag(signed char *p, bool on, char v)
{
    p[threadIdx.x] = on ? v : (char)1;
}

// any memory is bytes in the end
__global__ void copyBytes(const void *from, void *to, int n)
{
    const char *f = (const char *)from;
    char *t = (char *)to;
    if ((int)threadIdx.x < n) t[threadIdx.x] = f[threadIdx.x];
}

union Pun {
    float f;
    unsigned int u;
    unsigned char b[4];
};

__global__ void pun(const float *src, unsigned int *bits)
{
    union Pun p;
    p.f = src[threadIdx.x];
    unsigned int again;
    memcpy(&again, &src[threadIdx.x], sizeof again);
    bits[threadIdx.x] = p.u == again ? (unsigned)p.b[3] << 24 | p.b[2] << 16 | p.b[1] << 8 | p.b[0] : 0;
}
