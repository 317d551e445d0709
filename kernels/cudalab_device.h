/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The device side of CUDA C for clang without the CUDA Toolkit.
 *
 * clang knows the language and the GPU's instructions, as builtins, but neither the qualifiers nor
 * the functions that CUDA programs use: the toolkit's headers bring those.  This header, put in
 * front of every file by build-aux/cu2ptx, says them in our own words.  nvcc never sees it.
 *
 * Everything here is inlined and without debug information, so that each instruction counts for
 * the line in the student's file that asked for it.  Mathematics is in cudalab_math.h.  There is
 * no host side here: no launches, no runtime API.
 */
#ifndef CUDALAB_DEVICE_H
#define CUDALAB_DEVICE_H

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))

#define CUDALAB_FN static __inline__ __attribute__((device, always_inline, nodebug, unused))
#define CUDALAB_BOTH static __inline__ __attribute__((host, device, always_inline, nodebug, unused))

typedef __SIZE_TYPE__ size_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef long long longlong;
typedef unsigned long long ulonglong;

/* ---- Vectors: int2, float4, ... and make_int2, make_float4, ... ---- */

#define CUDALAB_VECTORS(name, type, align2, align4)                                        \
    struct name##1 { type x; };                                                            \
    struct __align__(align2) name##2 { type x, y; };                                       \
    struct name##3 { type x, y, z; };                                                      \
    struct __align__(align4) name##4 { type x, y, z, w; };                                 \
    CUDALAB_BOTH name##1 make_##name##1(type x) { name##1 v = {x}; return v; }             \
    CUDALAB_BOTH name##2 make_##name##2(type x, type y) { name##2 v = {x, y}; return v; }  \
    CUDALAB_BOTH name##3 make_##name##3(type x, type y, type z)                            \
    { name##3 v = {x, y, z}; return v; }                                                   \
    CUDALAB_BOTH name##4 make_##name##4(type x, type y, type z, type w)                    \
    { name##4 v = {x, y, z, w}; return v; }

CUDALAB_VECTORS(char, signed char, 2, 4)
CUDALAB_VECTORS(uchar, unsigned char, 2, 4)
CUDALAB_VECTORS(short, short, 4, 8)
CUDALAB_VECTORS(ushort, unsigned short, 4, 8)
CUDALAB_VECTORS(int, int, 8, 16)
CUDALAB_VECTORS(uint, unsigned, 8, 16)
CUDALAB_VECTORS(long, long, 16, 16)
CUDALAB_VECTORS(ulong, unsigned long, 16, 16)
CUDALAB_VECTORS(longlong, long long, 16, 16)
CUDALAB_VECTORS(ulonglong, unsigned long long, 16, 16)
CUDALAB_VECTORS(float, float, 8, 16)
CUDALAB_VECTORS(double, double, 16, 16)

struct dim3 {
    unsigned x, y, z;
    __attribute__((host, device, nodebug)) constexpr dim3(unsigned vx = 1, unsigned vy = 1,
                                                          unsigned vz = 1)
        : x(vx), y(vy), z(vz) {}
    __attribute__((host, device, nodebug)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

/* ---- Where am I: reading threadIdx.x reads the register %tid.x ---- */

#define CUDALAB_COORDINATE(axis, reg)                                              \
    __declspec(property(get = get_##axis)) unsigned axis;                          \
    CUDALAB_FN unsigned get_##axis(void) { return __nvvm_read_ptx_sreg_##reg##_##axis(); }

#define CUDALAB_BUILTIN_VARIABLE(name, reg)                                        \
    struct cudalab_##name {                                                        \
        CUDALAB_COORDINATE(x, reg)                                                 \
        CUDALAB_COORDINATE(y, reg)                                                 \
        CUDALAB_COORDINATE(z, reg)                                                 \
        __attribute__((device, always_inline, nodebug)) operator uint3() const     \
        { return make_uint3(x, y, z); }                                            \
        __attribute__((device, always_inline, nodebug)) operator dim3() const      \
        { return dim3(x, y, z); }                                                  \
    };                                                                             \
    extern const __attribute__((device, weak)) cudalab_##name name;

CUDALAB_BUILTIN_VARIABLE(threadIdx, tid)
CUDALAB_BUILTIN_VARIABLE(blockIdx, ctaid)
CUDALAB_BUILTIN_VARIABLE(blockDim, ntid)
CUDALAB_BUILTIN_VARIABLE(gridDim, nctaid)

static const __attribute__((device, unused)) int warpSize = 32;

/* ---- printf (clang turns it into CUDA's vprintf), assert's trap, clocks ---- */

extern "C" __device__ int printf(const char *format, ...);
extern "C" __device__ void *malloc(size_t size);
extern "C" __device__ void free(void *block);

CUDALAB_FN void __trap(void) { asm volatile("trap;"); }
CUDALAB_FN int clock(void) { return __nvvm_read_ptx_sreg_clock(); }
CUDALAB_FN long long clock64(void) { return __nvvm_read_ptx_sreg_clock64(); }

/* ---- Barriers and fences; __syncthreads itself is a builtin of clang ---- */

CUDALAB_FN int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
CUDALAB_FN int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
CUDALAB_FN int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
CUDALAB_FN void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
CUDALAB_FN void __threadfence_block(void) { __nvvm_membar_cta(); }
CUDALAB_FN void __threadfence(void) { __nvvm_membar_gl(); }
CUDALAB_FN void __threadfence_system(void) { __nvvm_membar_sys(); }

/* ---- Bits seen as another type ---- */

CUDALAB_FN int __float_as_int(float x) { return __nvvm_bitcast_f2i(x); }
CUDALAB_FN unsigned __float_as_uint(float x) { return __nvvm_bitcast_f2i(x); }
CUDALAB_FN float __int_as_float(int x) { return __nvvm_bitcast_i2f(x); }
CUDALAB_FN float __uint_as_float(unsigned x) { return __nvvm_bitcast_i2f(x); }
CUDALAB_FN long long __double_as_longlong(double x) { return __nvvm_bitcast_d2ll(x); }
CUDALAB_FN double __longlong_as_double(long long x) { return __nvvm_bitcast_ll2d(x); }

/* ---- Votes ---- */

CUDALAB_FN unsigned __activemask(void)
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}

CUDALAB_FN int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
CUDALAB_FN int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
CUDALAB_FN unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
CUDALAB_FN unsigned __match_any_sync(unsigned mask, unsigned v)
{ return __nvvm_match_any_sync_i32(mask, v); }

/* ---- Shuffles ---- */

/*
 * The instruction takes one word: the width as the lane bits that may not change (bits 8 to 12)
 * and, below, the last lane that may be read (31, or 0 where `up` counts downwards).  64-bit
 * values go in two halves.
 */
#define CUDALAB_SHUFFLE(name, builtin, last, delta_type)                                    \
    CUDALAB_FN int name(unsigned mask, int v, delta_type d, int width = 32)                 \
    { return __nvvm_shfl_sync_##builtin##_i32(mask, v, d, (32 - width) << 8 | last); }      \
    CUDALAB_FN unsigned name(unsigned mask, unsigned v, delta_type d, int width = 32)       \
    { return name(mask, (int)v, d, width); }                                                \
    CUDALAB_FN float name(unsigned mask, float v, delta_type d, int width = 32)             \
    { return __nvvm_shfl_sync_##builtin##_f32(mask, v, d, (32 - width) << 8 | last); }      \
    CUDALAB_FN unsigned long long name(unsigned mask, unsigned long long v, delta_type d,   \
                                       int width = 32)                                      \
    {                                                                                       \
        unsigned low = name(mask, (unsigned)v, d, width);                                   \
        unsigned high = name(mask, (unsigned)(v >> 32), d, width);                          \
        return (unsigned long long)high << 32 | low;                                        \
    }                                                                                       \
    CUDALAB_FN long long name(unsigned mask, long long v, delta_type d, int width = 32)     \
    { return name(mask, (unsigned long long)v, d, width); }                                 \
    CUDALAB_FN unsigned long name(unsigned mask, unsigned long v, delta_type d,             \
                                  int width = 32)                                           \
    { return name(mask, (unsigned long long)v, d, width); }                                 \
    CUDALAB_FN long name(unsigned mask, long v, delta_type d, int width = 32)               \
    { return name(mask, (unsigned long long)v, d, width); }                                 \
    CUDALAB_FN double name(unsigned mask, double v, delta_type d, int width = 32)           \
    { return __longlong_as_double(name(mask, __double_as_longlong(v), d, width)); }

CUDALAB_SHUFFLE(__shfl_sync, idx, 31, int)
CUDALAB_SHUFFLE(__shfl_up_sync, up, 0, unsigned)
CUDALAB_SHUFFLE(__shfl_down_sync, down, 31, unsigned)
CUDALAB_SHUFFLE(__shfl_xor_sync, bfly, 31, int)

/* ---- Atomics: each gives back the value that was there before ---- */

CUDALAB_FN float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
CUDALAB_FN double atomicAdd(double *p, double v) { return __nvvm_atom_add_gen_d(p, v); }
CUDALAB_FN float atomicExch(float *p, float v)
{ return __int_as_float(__nvvm_atom_xchg_gen_i((int *)p, __float_as_int(v))); }
CUDALAB_FN unsigned atomicInc(unsigned *p, unsigned v) { return __nvvm_atom_inc_gen_ui(p, v); }
CUDALAB_FN unsigned atomicDec(unsigned *p, unsigned v) { return __nvvm_atom_dec_gen_ui(p, v); }

/* carrier: the type that clang's builtins take; minmax: the suffix of those that see the sign. */
#define CUDALAB_ATOMICS(type, carrier, suffix, minmax)                                         \
    CUDALAB_FN type atomicAdd(type *p, type v)                                                 \
    { return __nvvm_atom_add_gen_##suffix((carrier *)p, v); }                                  \
    CUDALAB_FN type atomicExch(type *p, type v)                                                \
    { return __nvvm_atom_xchg_gen_##suffix((carrier *)p, v); }                                 \
    CUDALAB_FN type atomicMin(type *p, type v) { return __nvvm_atom_min_gen_##minmax(p, v); }  \
    CUDALAB_FN type atomicMax(type *p, type v) { return __nvvm_atom_max_gen_##minmax(p, v); }  \
    CUDALAB_FN type atomicAnd(type *p, type v)                                                 \
    { return __nvvm_atom_and_gen_##suffix((carrier *)p, v); }                                  \
    CUDALAB_FN type atomicOr(type *p, type v)                                                  \
    { return __nvvm_atom_or_gen_##suffix((carrier *)p, v); }                                   \
    CUDALAB_FN type atomicXor(type *p, type v)                                                 \
    { return __nvvm_atom_xor_gen_##suffix((carrier *)p, v); }                                  \
    CUDALAB_FN type atomicCAS(type *p, type expected, type v)                                  \
    { return __nvvm_atom_cas_gen_##suffix((carrier *)p, expected, v); }

CUDALAB_ATOMICS(int, int, i, i)
CUDALAB_ATOMICS(unsigned, int, i, ui)
CUDALAB_ATOMICS(long long, long long, ll, ll)
CUDALAB_ATOMICS(unsigned long long, long long, ll, ull)

CUDALAB_FN int atomicSub(int *p, int v) { return atomicAdd(p, -v); }
CUDALAB_FN unsigned atomicSub(unsigned *p, unsigned v) { return atomicAdd(p, 0u - v); }

/* ---- Integer functions ---- */

CUDALAB_FN int __popc(unsigned x) { return __builtin_popcount(x); }
CUDALAB_FN int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CUDALAB_FN int __clz(int x) { return x ? __builtin_clz(x) : 32; }
CUDALAB_FN int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
CUDALAB_FN int __ffs(int x) { return __builtin_ffs(x); }
CUDALAB_FN int __ffsll(long long x) { return __builtin_ffsll(x); }
CUDALAB_FN unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
CUDALAB_FN int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
CUDALAB_FN unsigned __umulhi(unsigned x, unsigned y)
{ return (unsigned)((unsigned long long)x * y >> 32); }

CUDALAB_FN int abs(int x) { return x < 0 ? -x : x; }
CUDALAB_FN long labs(long x) { return x < 0 ? -x : x; }
CUDALAB_FN long long llabs(long long x) { return x < 0 ? -x : x; }

#define CUDALAB_MIN_MAX(type)                                       \
    CUDALAB_BOTH type min(type x, type y) { return y < x ? y : x; } \
    CUDALAB_BOTH type max(type x, type y) { return x < y ? y : x; }

CUDALAB_MIN_MAX(int)
CUDALAB_MIN_MAX(unsigned)
CUDALAB_MIN_MAX(long)
CUDALAB_MIN_MAX(unsigned long)
CUDALAB_MIN_MAX(long long)
CUDALAB_MIN_MAX(unsigned long long)
CUDALAB_BOTH unsigned min(int x, unsigned y) { return min((unsigned)x, y); }
CUDALAB_BOTH unsigned min(unsigned x, int y) { return min(x, (unsigned)y); }
CUDALAB_BOTH unsigned max(int x, unsigned y) { return max((unsigned)x, y); }
CUDALAB_BOTH unsigned max(unsigned x, int y) { return max(x, (unsigned)y); }

template <class T> CUDALAB_FN T __ldg(const T *p) { return *p; }

#include "cudalab_math.h"

#endif
