// SPDX-License-Identifier: GPL-3.0-or-later
//! array x f32 500 random:-1:1
//! array best f32 2 value:0
//! array d f64 300 iota
//! array dsum f64 1 zero
//! array prod u64 1 value:1
//! array sat u32 8 zero
//! array bytes u8 8 zero
//! launch maxmin<<<4,125>>>(x, best)
//! launch addDouble<<<3,100>>>(d, dsum)
//! launch product<<<1,50>>>(prod)
//! launch saturate<<<8,64>>>(sat, 1000)
//! launch addByte<<<2,64>>>(bytes)
//! expect best
//! expect dsum
//! expect prod
//! expect sat
//! expect bytes
// Atomic operations that the hardware lacks, made from atomicCAS.

__device__ float atomicMaxf(float *address, float value)
{
    int *p = (int *)address;
    int old = atomicAdd(p, 0), seen;
    while (__int_as_float(old) < value) {
        old = atomicCAS(p, seen = old, __float_as_int(value));
        if (old == seen) break;
    }
    return __int_as_float(old);
}

__global__ void maxmin(const float *x, float *best)
{
    float v = x[blockIdx.x * blockDim.x + threadIdx.x];
    atomicMaxf(&best[0], v);
    atomicMaxf(&best[1], -v);
}

__device__ double addD(double *address, double val)
{
    unsigned long long *p = (unsigned long long *)address;
    unsigned long long old = atomicCAS(p, 0ull, 0ull), assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__global__ void addDouble(const double *d, double *sum)
{
    addD(sum, d[blockIdx.x * blockDim.x + threadIdx.x] * 0.5);
}

__global__ void product(unsigned long long *p)
{
    unsigned long long old = 1, seen = 0;
    for (; old != seen; old = atomicCAS(p, seen, seen * (2 * threadIdx.x + 1)))
        seen = old;
}

__global__ void saturate(unsigned *sat, unsigned limit)
{
    unsigned *p = &sat[blockIdx.x], old = atomicAdd(p, 0u), was;
    do {
        was = old;
        old = atomicCAS(p, was, min(was + 5 * blockIdx.x, limit));
    } while (old != was);
}

__global__ void addByte(unsigned char *bytes)
{
    unsigned k = threadIdx.x % 8, *word = (unsigned *)(bytes + (k & ~3u)), shift = (k & 3) * 8;
    unsigned old = atomicOr(word, 0u), was;
    do {
        unsigned b = ((old >> shift) + k + 1) & 0xff;
        was = old;
        old = atomicCAS(word, was, (was & ~(0xffu << shift)) | b << shift);
    } while (was != old);
}
