/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of 16 bits: every function of one number, for every number there is. Those of two or
 * three are tried with corner values and with numbers of a hash. -DBFLOAT: of bfloat16. */
//! load 52
//! load 75
//! load 80
//! load 80 -DBFLOAT
//! array in u16 256 random
//! 1703936 u16 functions<<<256, 256>>>(out)
//! 1441792 u16 parts<<<256, 256>>>(out)
//! 1703936 i64 conversions<<<256, 256>>>(out)
//! 2424832 u16 rounded<<<256, 256>>>(out)
//! 4194304 u16 arithmetic<<<256, 256>>>(out)
//! 2490368 u32 comparisons<<<256, 256>>>(out)
//! 1024 u16 memory<<<1, 32>>>(out, in)
//! 96 f32 language<<<1, 32>>>(out, in)
#include <cuda_fp16.h>
#ifdef BFLOAT
#include <cuda_bf16.h>
typedef __nv_bfloat16 num;
typedef __nv_bfloat162 pair;
#define NAME(before, after) before##bfloat16##after
#define NAME2(before, after) before##bfloat162##after
#define TWICE __bfloat162bfloat162
#else
typedef half num;
typedef half2 pair;
#define NAME(before, after) before##half##after
#define NAME2(before, after) before##half2##after
#define TWICE __half2half2
#endif

enum { ALL = 65536 };
#define WORD(x) NAME(__, _as_ushort)(x)
#define NUM(x) NAME(__ushort_as_, )((unsigned short)(x))
#define EACH(i) unsigned i = blockIdx.x * blockDim.x + threadIdx.x
/* Results lie one table after another. */
#define PUT(x) out[(unsigned)n++ * ALL + i] = (x)

__device__ unsigned hash(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* The first numbers are corner values, all with all. */
__device__ num corner(unsigned i)
{
#ifdef BFLOAT
    const unsigned short v[] = {0,      0x8000, 1,      0x8001, 0x7f,   0x80,   0x3f80, 0xbf80,
                                0x3f81, 0x4000, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fff, 0xffc0};
#else
    const unsigned short v[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x3c00, 0xbc00,
                                0x3c01, 0x4000, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7fff, 0xfe00};
#endif
    return NUM(v[i & 15]);
}
__device__ num operand(unsigned i, unsigned which)
{
    return i < 4096 ? corner(i >> 4 * which) : NUM(hash(3 * i + which));
}

/* 13 functions, and those of pairs on the second half. */
__global__ void functions(unsigned short *out)
{
    EACH(i);
    int n = 0;
    const num x = NUM(i);
    const pair two = NAME2(__halves2, )(NUM(i ^ 0x155), x);
#define TRY(name)                                                                              \
    PUT(WORD(h##name(x)));                                                                     \
    PUT(WORD(NAME(__low2, )(h2##name(two))) ^ WORD(NAME(__high2, )(h2##name(two))));
    TRY(rcp) TRY(sqrt) TRY(rsqrt) TRY(exp) TRY(exp2) TRY(exp10) TRY(log) TRY(log2) TRY(log10)
    TRY(sin) TRY(cos) TRY(tanh) TRY(tanh_approx)
}

__global__ void parts(unsigned short *out)
{
    EACH(i);
    int n = 0;
    const num x = NUM(i);
    const pair two = NAME2(__halves2, )(NUM(i ^ 0x155), x);
    TRY(trunc) TRY(ceil) TRY(floor) TRY(rint)
    PUT(WORD(__hneg(x)));
    PUT(WORD(__habs(x)));
    PUT(WORD(NAME(__high2, )(__hneg2(two))));
    PUT(WORD(NAME(__low2, )(__habs2(two))));
    PUT(__hisnan(x) + 2 * __hisinf(x));
    PUT(WORD(NAME(__low2, )(__hisnan2(two))));
    PUT(NAME(__, 2char_rz)(x) << 8 | NAME(__, 2uchar_rz)(x));
    PUT((bool)x);
    num y = x;
    PUT(WORD(y++));
    PUT(WORD(--y));
    PUT(WORD(-x));
    PUT(WORD(NAME(__low2, )(NAME2(__high2, )(two))));
    PUT(WORD(NAME(__low2, )(NAME2(__highs2, )(two, two))));
    PUT(WORD(NAME(__low2, )(__lowhigh2highlow(two))));
}

/* 26 results of 64 bits: a number as each type, by each rounding, and an integer as a number. */
__global__ void conversions(long long *out)
{
    EACH(i);
    int n = 0;
    const num x = NUM(i);
#define TRY_TO(type)                                                                           \
    PUT(NAME(__, 2##type##_rn)(x));                                                            \
    PUT(NAME(__, 2##type##_rz)(x));                                                            \
    PUT(NAME(__, 2##type##_rd)(x));                                                            \
    PUT(NAME(__, 2##type##_ru)(x));
    TRY_TO(short) TRY_TO(ushort) TRY_TO(int) TRY_TO(uint) TRY_TO(ll) TRY_TO(ull)
    PUT(__float_as_int(NAME(__, 2float)(x)));
    PUT((long)x + (int)x);
}
__global__ void rounded(unsigned short *out)
{
    EACH(i);
    int n = 0;
    /* Integers of all lengths, often next to a tie. */
    unsigned long long bits = (unsigned long long)hash(2 * i) << 32 | hash(2 * i + 1);
    bits >>= i >> 4 & 63;
    if (i & 1)
        bits &= ~0ull << (64 - __clzll(bits | 1) > 12 ? 52 - __clzll(bits | 1) : 0);
    bits += (i >> 1 & 7) - 3;
    if (i < 64)
        bits = (1ull << i) - (i & 1);
#define TRY_OF(type, c)                                                                        \
    PUT(WORD(NAME(__##type##2, _rn)((c)bits)));                                                \
    PUT(WORD(NAME(__##type##2, _rz)((c)bits)));                                                \
    PUT(WORD(NAME(__##type##2, _rd)((c)bits)));                                                \
    PUT(WORD(NAME(__##type##2, _ru)((c)bits)));
    TRY_OF(short, short) TRY_OF(ushort, unsigned short) TRY_OF(int, int) TRY_OF(uint, unsigned)
    TRY_OF(ll, long long) TRY_OF(ull, unsigned long long)
    const unsigned lower[] = {0, 1, 0xfff, 0x1000, 0x1001, 0x7fff, 0x8000, 0x8001};
    const float f = __uint_as_float((i & 0xffff) << 16 | lower[hash(i) & 7]);
    PUT(WORD(NAME(__float2, )(f)));
    PUT(WORD(NAME(__float2, _rn)(f)));
    PUT(WORD(NAME(__float2, _rz)(f)));
    PUT(WORD(NAME(__float2, _rd)(f)));
    PUT(WORD(NAME(__float2, _ru)(f)));
    const float scaled = f * 1e-30f; /* of bfloat16 this reaches the numbers below the normal */
    PUT(WORD(NAME(__float2, _rn)(scaled)));
    PUT(WORD(NAME(__float2, _ru)(scaled)));
    const double d = (double)f * (1.0 + (int)(hash(i) % 3 - 1) * 1e-12);
    PUT(WORD(NAME(__double2, )(d)));
    PUT(WORD(NAME(__high2, )(NAME2(__floats2, _rn)(scaled, f))));
    PUT(WORD(num(i)));
    PUT(WORD(num((short)i)));
    PUT(WORD(num((float)(short)i / 7)));
    PUT(WORD(num((double)(short)i / 7)));
}

__global__ void arithmetic(unsigned short *out)
{
    EACH(i);
    int n = 0;
    const num x = operand(i, 0), y = operand(i, 1), z = operand(i, 2);
    const pair two = NAME2(make_, )(x, y), other = NAME2(make_, )(y, z), third = TWICE(z);
#define PUT2(value)                                                                            \
    { const pair r = value; PUT(WORD(r.x)); PUT(WORD(r.y)); }
#define TRY_TWO(name)                                                                          \
    PUT(WORD(name(x, y)));                                                                     \
    PUT(WORD(name##_rn(x, y)));                                                                \
    PUT(WORD(name##_sat(x, y)));                                                               \
    PUT2(name##2(two, other))                                                                  \
    PUT2(name##2_rn(two, other))                                                               \
    PUT2(name##2_sat(two, other))
    TRY_TWO(__hadd) TRY_TWO(__hsub) TRY_TWO(__hmul)
    PUT(WORD(__hdiv(x, y)));
    PUT2(__h2div(two, other))
    PUT(WORD(__hmin(x, y)));
    PUT(WORD(__hmax(x, y)));
    PUT2(__hmin2(two, other))
    PUT2(__hmax2(two, other))
    PUT(WORD(__hmin_nan(x, y)));
    PUT(WORD(__hmax_nan(x, y)));
    PUT2(__hmin2_nan(two, other))
    PUT2(__hmax2_nan(two, other))
#if __CUDA_ARCH__ >= 800 || (!defined BFLOAT && __CUDA_ARCH__ >= 530)
    PUT(WORD(__hfma(x, y, z)));
    PUT(WORD(__hfma_sat(x, y, z)));
    PUT2(__hfma2(two, other, third))
    PUT2(__hfma2_sat(two, other, third))
    PUT2(__hcmadd(two, other, third))
#endif
#if __CUDA_ARCH__ >= 800
    PUT(WORD(__hfma_relu(x, y, z)));
    PUT2(__hfma2_relu(two, other, third))
#endif
    num a = x;
    pair b = two;
    a += y; a *= z; a -= x; a /= y;
    b += other; b *= third; b -= two; b /= other;
    PUT(WORD(a));
    PUT(WORD(x + y * z - x / y));
    PUT2(b)
    PUT2(two + other * third - two / other)
    PUT2(-two)
    ++b;
    PUT2(b--)
}

__global__ void comparisons(unsigned *out)
{
    EACH(i);
    int n = 0;
    const num x = operand(i, 0), y = i % 5 ? operand(i, 1) : x, z = operand(i, 2);
    const pair two = NAME2(make_, )(x, z), other = NAME2(make_, )(y, z);
#define TRY_COMPARE(name)                                                                      \
    PUT(__h##name(x, y) + 2 * __hb##name##2(two, other));                                      \
    PUT(__h##name##2_mask(two, other));                                                        \
    PUT(WORD(__h##name##2(two, other).x) | (unsigned)WORD(__h##name##2(two, other).y) << 16);
    TRY_COMPARE(eq) TRY_COMPARE(ne) TRY_COMPARE(lt) TRY_COMPARE(le) TRY_COMPARE(gt) TRY_COMPARE(ge)
    TRY_COMPARE(equ) TRY_COMPARE(neu) TRY_COMPARE(ltu) TRY_COMPARE(leu) TRY_COMPARE(gtu)
    TRY_COMPARE(geu)
    PUT((x == y) + 2 * (x != y) + 4 * (x < y) + 8 * (x <= y) + 16 * (x > y) + 32 * (x >= y));
    PUT((two == other) + 2 * (two != other) + 4 * (two < other) + 8 * (two <= other) +
        16 * (two > other) + 32 * (two >= other));
}

/* Shuffles, cached loads and stores, atomics: a block at most. */
__global__ void memory(unsigned short *out, const unsigned short *in)
{
    const unsigned i = threadIdx.x, full = 0xffffffffu;
    const num *numbers = (const num *)in;
    const pair *pairs = (const pair *)in;
    num x = __ldg(numbers + i);
    pair two = __ldg(pairs + i);
    num sum = __shfl_sync(full, x, 3) + __shfl_up_sync(full, x, 1);
    sum += __shfl_down_sync(full, x, 2, 16);
    sum += __shfl_xor_sync(full, x, 5);
    pair sums = __shfl_sync(full, two, 7) - __shfl_xor_sync(full, two, 1);
    sums += __shfl_up_sync(full, two, 4) * __shfl_down_sync(full, two, 9, 8);
    out[i] = WORD(sum);
    ((pair *)out)[64 + i] = sums;
    __stcg((num *)out + 256 + i, __ldcg(numbers + i) + __ldca(numbers + i));
    __stcs((pair *)out + 192 + i, __ldcs(pairs + i) * __ldcv(pairs + i));
    __stwt((num *)out + 512 + i, __ldlu(numbers + i));
    __stwb((num *)out + 640 + i, NAME(__ushort_as_, )(in[i]));
#if __CUDA_ARCH__ >= 700
    num *total = (num *)out + 768;
    pair *totals = (pair *)out + 400;
    out[832 + i] = WORD(atomicAdd(total + (i & 3), x));
    const pair before = atomicAdd(totals + (i & 1), two);
    out[900 + i] = WORD(before.x) ^ WORD(before.y);
#endif
}

/* Types and constants as a student writes them. */
struct point {
    num x, y;
};
__constant__ num table[4];
__global__ void language(float *out, const unsigned short *in)
{
    const num scale = NUM(in[0] >> 2);
    const pair both = *(const pair *)(in + 2);
    const point p = *(const point *)(in + 4);
    __shared__ num tile[32];
    __shared__ pair tiles[32];
    num local[3] = {num(1), num(2.5f), num(0.1)};
    num zero{};
    tile[threadIdx.x] = local[threadIdx.x % 3] * scale + table[threadIdx.x & 3];
    tiles[threadIdx.x] = both * pair(scale, p.x) + pair{p.y, zero};
    __syncthreads();
    num y = threadIdx.x ? tile[threadIdx.x - 1] : num(-1);
    if (y > num(1.0f) && !(y == p.x))
        y = 2.0f;
    y = -y;
    float f = y;
    int whole = y;
    out[threadIdx.x] = f + (float)tiles[31 - threadIdx.x].x + whole + float(scale);
    out[32 + threadIdx.x] = __low2float(tiles[threadIdx.x]) + __high2float(tiles[threadIdx.x]);
    auto wide = NAME2(__, 2float2)(tiles[threadIdx.x]);
    out[64 + threadIdx.x] = wide.x * wide.y;
}
int main()
{
    num h = NAME(__float2, )(1.5f);
    pair two = NAME2(__floats2, _rn)(1, 2);
    return (float)h > 1.0f && __low2float(two) < 2;
}
