/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The device side of CUDA C for clang without the CUDA Toolkit.
 *
 * clang knows the language and the GPU's instructions, as builtins, but neither the qualifiers nor
 * the functions that CUDA programs use: the toolkit's headers bring those.  This header, put in
 * front of every file by build-aux/cu2ptx, says them in our own words.  nvcc never sees it.
 *
 * Everything here is inlined and without debug information, so that each instruction counts for
 * the line in the student's file that asked for it.  This file has the language and what a thread
 * knows of itself; those it includes at its end have the functions, a family each.  There is no
 * host side here: launches and the runtime API are in include/cuda/cuda_runtime.h.
 */
#ifndef CUDALAB_DEVICE_H
#define CUDALAB_DEVICE_H
#pragma GCC system_header

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#ifdef CUDALAB_WHOLE_PROGRAM /* it has a fixed place there, for both sides */
#define __managed__ __attribute__((device, section("cudalab_managed")))
#else
#define __managed__ __attribute__((device))
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#if __clang_major__ < 15 /* then it is a keyword, which the C++ library counts on */
#define __noinline__ __attribute__((noinline))
#endif
/* clang 14 takes two numbers. The third, the most blocks of a cluster, changes no result. */
#define CUDALAB_BOUNDS_ONE(threads) launch_bounds(threads)
#define CUDALAB_BOUNDS_TWO(threads, blocks, ...) launch_bounds(threads, blocks)
#define CUDALAB_FOURTH(a, b, c, fourth, ...) fourth
#define __launch_bounds__(...)                                                                 \
    __attribute__((CUDALAB_FOURTH(__VA_ARGS__, CUDALAB_BOUNDS_TWO, CUDALAB_BOUNDS_TWO,         \
                                  CUDALAB_BOUNDS_ONE, )(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cluster_dims__(...)
#define __grid_constant__

#define CUDALAB_FN static __inline__ __attribute__((device, always_inline, nodebug, unused))
#define CUDALAB_MEMBER __inline__ __attribute__((device, always_inline, nodebug))
#define CUDALAB_BOTH static __inline__ __attribute__((host, device, always_inline, nodebug, unused))

typedef __SIZE_TYPE__ size_t;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

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
extern "C" __device__ __attribute__((noreturn)) void __assertfail(
    const char *text, const char *file, unsigned line, const char *function, size_t char_size);

/* What <assert.h> calls. */
static __inline__ __attribute__((device, always_inline, nodebug, unused, noreturn))
void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{ __assertfail(text, file, line, function, 1); }

CUDALAB_FN void *memcpy(void *to, const void *from, size_t n)
{ return __builtin_memcpy(to, from, n); }
CUDALAB_FN void *memset(void *at, int value, size_t n) { return __builtin_memset(at, value, n); }

CUDALAB_FN void __trap(void) { asm volatile("trap;"); }
CUDALAB_FN void __brkpt(void) { asm volatile("brkpt;"); }
#define __prof_trigger(event) asm volatile("pmevent %0;" : : "n"(event))
CUDALAB_FN int clock(void) { return __nvvm_read_ptx_sreg_clock(); }
CUDALAB_FN long long clock64(void) { return __nvvm_read_ptx_sreg_clock64(); }
CUDALAB_FN void __nanosleep(unsigned time) { asm volatile("nanosleep.u32 %0;" : : "r"(time)); }

/* ---- Which memory a pointer leads to ---- */

#define CUDALAB_IS_SPACE(name, space)                                                          \
    CUDALAB_FN unsigned name(const void *p)                                                    \
    {                                                                                          \
        unsigned is;                                                                           \
        asm("{ .reg .pred %%is; isspacep." space " %%is, %1; selp.u32 %0, 1, 0, %%is; }"       \
            : "=r"(is) : "l"(p));                                                              \
        return is;                                                                             \
    }

CUDALAB_IS_SPACE(__isGlobal, "global")
CUDALAB_IS_SPACE(__isShared, "shared")
CUDALAB_IS_SPACE(__isConstant, "const")
CUDALAB_IS_SPACE(__isLocal, "local")

#define CUDALAB_CVTA(space, name)                                                              \
    CUDALAB_FN size_t __cvta_generic_to_##name(const void *p)                                  \
    {                                                                                          \
        size_t at;                                                                             \
        asm("cvta.to." space ".u64 %0, %1;" : "=l"(at) : "l"(p));                              \
        return at;                                                                             \
    }                                                                                          \
    CUDALAB_FN void *__cvta_##name##_to_generic(size_t at)                                     \
    {                                                                                          \
        void *p;                                                                               \
        asm("cvta." space ".u64 %0, %1;" : "=l"(p) : "l"(at));                                 \
        return p;                                                                              \
    }
CUDALAB_CVTA("global", global) CUDALAB_CVTA("shared", shared) CUDALAB_CVTA("local", local)
CUDALAB_CVTA("const", constant)

/* ---- Loads and stores that advise the caches: here they are plain ones ---- */

template <class T> CUDALAB_FN T __ldg(const T *p) { return *p; }
template <class T> CUDALAB_FN T __ldca(const T *p) { return *p; }
template <class T> CUDALAB_FN T __ldcg(const T *p) { return *p; }
template <class T> CUDALAB_FN T __ldcs(const T *p) { return *p; }
template <class T> CUDALAB_FN T __ldlu(const T *p) { return *p; }
template <class T> CUDALAB_FN T __ldcv(const T *p) { return *(const volatile T *)p; }
template <class T, class V> CUDALAB_FN void __stwb(T *p, V v) { *p = v; }
template <class T, class V> CUDALAB_FN void __stcg(T *p, V v) { *p = v; }
template <class T, class V> CUDALAB_FN void __stcs(T *p, V v) { *p = v; }
template <class T, class V> CUDALAB_FN void __stwt(T *p, V v) { *(volatile T *)p = v; }

/* ---- Barriers and fences; __syncthreads itself is a builtin of clang ---- */

CUDALAB_FN int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
CUDALAB_FN int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
CUDALAB_FN int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
CUDALAB_FN void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
CUDALAB_FN void __threadfence_block(void) { __nvvm_membar_cta(); }
CUDALAB_FN void __threadfence(void) { __nvvm_membar_gl(); }
CUDALAB_FN void __threadfence_system(void) { __nvvm_membar_sys(); }

#include "cudalab_integer.h"
#include "cudalab_rounded.h"
#include "cudalab_simd.h"
#include "cudalab_warp.h"
#include "cudalab_atomic.h"
#include "cudalab_math.h"
#include "cudalab_functions.h"
#include "cudalab_special.h"
#include "cudalab_texture.h"
#include "cudalab_std.h"

#endif
