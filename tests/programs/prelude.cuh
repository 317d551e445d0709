/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the programs of tests/programs/generate begin with: names for types, and operations that
 * leave nothing open. C leaves the sign and the payload of a NaN open, and a division by 0.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef unsigned __int128 u128;

struct pack {
    u32 a;
    float b;
    u64 c;
    i16 d;
    u8 e[3];
};

__constant__ u32 table[16] = {0u,          1u,          0xffffffffu, 0x80000000u,
                              0x7fffffffu, 0x3f800000u, 0x00ff00ffu, 31u,
                              0x7f800000u, 0x3c00bc00u, 12345678u,   0xdeadbeefu,
                              0x00000080u, 0xffff8000u, 0x00800000u, 7u};

/* Bits of a number. Every NaN has the same bits here. */
__device__ inline u32 bits(float x)
{
    return x == x ? __float_as_uint(x) : 0x7fc00000u;
}
__device__ inline u64 bits(double x)
{
    return x == x ? (u64)__double_as_longlong(x) : 0x7ff8000000000000ull;
}
__device__ inline u32 bits(__half x)
{
    u32 b = __half_as_ushort(x);
    return (b & 0x7fffu) > 0x7c00u ? 0x7fffu : b;
}
__device__ inline u32 bits(__half2 x)
{
    return bits(__high2half(x)) << 16 | bits(__low2half(x));
}
__device__ inline u32 bits(__nv_bfloat16 x)
{
    u32 b = __bfloat16_as_ushort(x);
    return (b & 0x7fffu) > 0x7f80u ? 0x7fffu : b;
}

/* Numbers from bits */
__device__ inline __half half_of(u32 b)
{
    return __ushort_as_half((u16)b);
}
__device__ inline __half2 half2_of(u32 b)
{
    return __halves2half2(half_of(b), half_of(b >> 16));
}
__device__ inline __nv_bfloat16 bf16_of(u32 b)
{
    return __ushort_as_bfloat16((u16)b);
}

/* A number within bounds, so that a cast to an integer has a value; a NaN becomes the lower one. The
 * NaN is seen by its bits: a driver may turn two comparisons into min and max, which drop a NaN. */
__device__ inline float within(float x, float low, float high)
{
    if ((__float_as_uint(x) & 0x7fffffffu) > 0x7f800000u)
        return low;
    return x > low ? x < high ? x : high : low;
}
__device__ inline double within(double x, double low, double high)
{
    if (((u64)__double_as_longlong(x) & ~0ull >> 1) > 0x7ff0000000000000ull)
        return low;
    return x > low ? x < high ? x : high : low;
}

/* The compiler must not compute a function of a constant by itself: it has another one. */
__device__ inline float opaque(float x)
{
    asm volatile("" : "+f"(x));
    return x;
}
__device__ inline double opaque(double x)
{
    asm volatile("" : "+d"(x));
    return x;
}

/* Divisions that have a value for any operands */
__device__ inline i32 quotient(i32 a, i32 b)
{
    return b == 0 || b == -1 ? a : a / b;
}
__device__ inline i32 remainder(i32 a, i32 b)
{
    return b == 0 || b == -1 ? a : a % b;
}
__device__ inline i64 quotient(i64 a, i64 b)
{
    return b == 0 || b == -1 ? a : a / b;
}
__device__ inline i64 remainder(i64 a, i64 b)
{
    return b == 0 || b == -1 ? a : a % b;
}

/* The sum over the lanes of a mask: one instruction from compute capability 8.0 on */
__device__ inline u32 sum_of(u32 mask, u32 v)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(mask, v);
#else
    u32 sum = 0;
    for (u32 left = mask; left; left &= left - 1)
        sum += __shfl_sync(mask, v, __ffs(left) - 1);
    return sum;
#endif
}
__device__ inline u32 greatest_of(u32 mask, u32 v)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(mask, v);
#else
    u32 greatest = 0;
    for (u32 left = mask; left; left &= left - 1)
        greatest = max(greatest, __shfl_sync(mask, v, __ffs(left) - 1));
    return greatest;
#endif
}

/* What a pointer to a function may point to */
__device__ __noinline__ u32 way_a(u32 a, u32 b)
{
    return a * 3u + b;
}
__device__ __noinline__ u32 way_b(u32 a, u32 b)
{
    u32 left[4] = {a, b, a ^ b, 1u};
    return left[b & 3u] - a;
}
