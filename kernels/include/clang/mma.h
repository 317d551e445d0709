/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-in for the CUDA Toolkit's header of this name: a warp multiplies matrices.
 *
 * Each lane holds a few elements of a matrix, its fragment. clang has a builtin for each shape and
 * type: it loads, stores or multiplies fragments as 32-bit words, floats or doubles. So a fragment
 * is copied to such words and back, which costs no instruction. Here the builtins get the types and
 * names that CUDA gives them. A layout is a type or a value in CUDA, and a number for a builtin.
 */
#ifndef CUDALAB_MMA_H
#define CUDALAB_MMA_H

#include "cuda_fp16.h"
#include "cuda_bf16.h"

#if CUDALAB_ARCH >= 700

namespace nvcuda {
namespace wmma {

/* ---- Words for the kinds of matrices, their layouts and elements ---- */

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

template <class Layout> struct cudalab_by_column;
template <> struct cudalab_by_column<row_major> { enum { value = 0 }; };
template <> struct cudalab_by_column<col_major> { enum { value = 1 }; };

#if CUDALAB_ARCH >= 750
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}
enum bmmaBitOp {
    bmmaBitOpXOR = 1,
#if CUDALAB_ARCH >= 800
    bmmaBitOpAND = 2,
#endif
};
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}
#endif

/* How an element is stored, and what fills a whole word of storage with copies of a value. */
template <class T> struct cudalab_element {
    typedef T stored;
    CUDALAB_FN T filled(T v) { return v; }
};
#define CUDALAB_ELEMENT(type, word, expression)                                                \
    template <> struct cudalab_element<type> {                                                 \
        typedef word stored;                                                                   \
        CUDALAB_FN word filled(word v) { return expression; }                                  \
    };
#if CUDALAB_ARCH >= 750
CUDALAB_ELEMENT(experimental::precision::u4, unsigned, (v & 0xf) * 0x11111111u)
CUDALAB_ELEMENT(experimental::precision::s4, int, (int)((v & 0xf) * 0x11111111u))
CUDALAB_ELEMENT(experimental::precision::b1, unsigned, 0 - (v & 1))
#endif
#if CUDALAB_ARCH >= 800
namespace precision {
struct tf32;
}
CUDALAB_ELEMENT(precision::tf32, float, v)

CUDALAB_FN float __float_to_tf32(float x)
{
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return __uint_as_float(bits);
}
#endif
#undef CUDALAB_ELEMENT

/* ---- Fragments ---- */

template <class T, int count, int stored = count> struct __align__(8) cudalab_fragment {
    enum { num_elements = count, num_storage_elements = stored };
    typedef T element_type;
    typedef typename cudalab_element<T>::stored storage_element_type;
    storage_element_type x[stored];
};

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment;

template <class T, int count, int stored>
CUDALAB_FN void fill_fragment(cudalab_fragment<T, count, stored> &f,
                              const typename cudalab_element<T>::stored &v)
{
#pragma unroll
    for (int i = 0; i < stored; i++)
        f.x[i] = cudalab_element<T>::filled(v);
}

/* ---- The functions: the types of fragments and of products know how ---- */

template <class Use, int m, int n, int k, class T, class Layout>
CUDALAB_FN void load_matrix_sync(
    fragment<Use, m, n, k, T, Layout> &f,
    const typename fragment<Use, m, n, k, T, Layout>::cudalab_memory *p, unsigned stride)
{ f.cudalab_load(p, stride); }

template <int m, int n, int k, class T>
CUDALAB_FN void load_matrix_sync(
    fragment<accumulator, m, n, k, T> &f,
    const typename fragment<accumulator, m, n, k, T>::element_type *p, unsigned stride,
    layout_t layout)
{ f.cudalab_load(p, stride, layout); }

template <int m, int n, int k, class T>
CUDALAB_FN void store_matrix_sync(
    typename fragment<accumulator, m, n, k, T>::element_type *p,
    const fragment<accumulator, m, n, k, T> &f, unsigned stride, layout_t layout)
{ f.cudalab_store(p, stride, layout); }

/* D = A B + C. Products of integers may saturate. */
template <int m, int n, int k, class T, class D, class C> struct cudalab_product;

template <int m, int n, int k, class T, class D, class C, class LayoutA, class LayoutB>
CUDALAB_FN void mma_sync(fragment<accumulator, m, n, k, D> &d,
                         const fragment<matrix_a, m, n, k, T, LayoutA> &a,
                         const fragment<matrix_b, m, n, k, T, LayoutB> &b,
                         const fragment<accumulator, m, n, k, C> &c)
{
    constexpr int layouts =
        cudalab_by_column<LayoutA>::value * 2 + cudalab_by_column<LayoutB>::value;
    cudalab_product<m, n, k, T, D, C>::template multiply<layouts, 0>(d, a, b, c);
}

template <int m, int n, int k, class T, class LayoutA, class LayoutB>
CUDALAB_FN void mma_sync(fragment<accumulator, m, n, k, int> &d,
                         const fragment<matrix_a, m, n, k, T, LayoutA> &a,
                         const fragment<matrix_b, m, n, k, T, LayoutB> &b,
                         const fragment<accumulator, m, n, k, int> &c, bool saturates)
{
    constexpr int layouts =
        cudalab_by_column<LayoutA>::value * 2 + cudalab_by_column<LayoutB>::value;
    if (saturates)
        cudalab_product<m, n, k, T, int, int>::template multiply<layouts, 1>(d, a, b, c);
    else
        cudalab_product<m, n, k, T, int, int>::template multiply<layouts, 0>(d, a, b, c);
}

/* ---- What those know, by macros: m, n, k are the shape, Word is what the builtin takes ---- */

#define CUDALAB_METHOD __attribute__((device, always_inline, nodebug)) inline
#define CUDALAB_WORDS(Word, name, f)                                                           \
    Word name[sizeof (f).x / sizeof(Word)];                                                    \
    __builtin_memcpy(name, (f).x, sizeof name)

/* A or B, in memory of type Memory. The builtin needs a constant layout. */
#define CUDALAB_FACTOR_BY(use, m, n, k, T, Layout, Memory, Word, builtin, ...)                 \
    template <> class fragment<use, m, n, k, T, Layout>                                        \
        : public cudalab_fragment<T, __VA_ARGS__> {                                            \
    public:                                                                                    \
        typedef Memory cudalab_memory;                                                         \
        CUDALAB_METHOD void cudalab_load(const Memory *p, unsigned stride)                     \
        {                                                                                      \
            Word words[sizeof x / sizeof(Word)];                                               \
            builtin(words, (const Word *)p, stride, cudalab_by_column<Layout>::value);         \
            __builtin_memcpy(x, words, sizeof words);                                          \
        }                                                                                      \
    };
#define CUDALAB_FACTOR(use, m, n, k, T, Memory, Word, builtin, count)                          \
    CUDALAB_FACTOR_BY(use, m, n, k, T, row_major, Memory, Word, builtin, count)                \
    CUDALAB_FACTOR_BY(use, m, n, k, T, col_major, Memory, Word, builtin, count)

/* C or D: the layout is an argument. */
#define CUDALAB_ACCUMULATOR(m, n, k, T, Word, load, store, count)                              \
    template <> class fragment<accumulator, m, n, k, T> : public cudalab_fragment<T, count> {  \
    public:                                                                                    \
        CUDALAB_METHOD void cudalab_load(const T *p, unsigned stride, layout_t layout)         \
        {                                                                                      \
            Word words[sizeof x / sizeof(Word)];                                               \
            if (layout == mem_row_major)                                                       \
                load(words, (const Word *)p, stride, 0);                                       \
            else                                                                               \
                load(words, (const Word *)p, stride, 1);                                       \
            __builtin_memcpy(x, words, sizeof words);                                          \
        }                                                                                      \
        CUDALAB_METHOD void cudalab_store(T *p, unsigned stride, layout_t layout) const        \
        {                                                                                      \
            CUDALAB_WORDS(Word, words, *this);                                                 \
            if (layout == mem_row_major)                                                       \
                store((Word *)p, words, stride, 0);                                            \
            else                                                                               \
                store((Word *)p, words, stride, 1);                                            \
        }                                                                                      \
    };

#define CUDALAB_PRODUCT(m, n, k, T, D, C, Word, WordD, WordC, builtin)                         \
    template <> struct cudalab_product<m, n, k, T, D, C> {                                     \
        template <int layouts, int saturates, class A, class B>                                \
        CUDALAB_FN void multiply(fragment<accumulator, m, n, k, D> &d, const A &a, const B &b, \
                                 const fragment<accumulator, m, n, k, C> &c)                   \
        {                                                                                      \
            CUDALAB_WORDS(Word, of_a, a);                                                      \
            CUDALAB_WORDS(Word, of_b, b);                                                      \
            CUDALAB_WORDS(WordC, of_c, c);                                                     \
            WordD of_d[sizeof d.x / sizeof(WordD)];                                            \
            builtin(of_d, of_a, of_b, of_c, layouts, saturates);                               \
            __builtin_memcpy(d.x, of_d, sizeof of_d);                                          \
        }                                                                                      \
    };
#define CUDALAB_INTEGER_PRODUCT(m, n, k, T, builtin)                                           \
    CUDALAB_PRODUCT(m, n, k, T, int, int, int, int, int, builtin)

/* ---- Halves ---- */

#define CUDALAB_HALVES(m, n, k, shape)                                                         \
    CUDALAB_FACTOR(matrix_a, m, n, k, __half, __half, int, __hmma_##shape##_ld_a, 16)          \
    CUDALAB_FACTOR(matrix_b, m, n, k, __half, __half, int, __hmma_##shape##_ld_b, 16)          \
    CUDALAB_ACCUMULATOR(m, n, k, __half, int, __hmma_##shape##_ld_c_f16,                       \
                        __hmma_##shape##_st_c_f16, 8)                                          \
    CUDALAB_ACCUMULATOR(m, n, k, float, float, __hmma_##shape##_ld_c_f32,                      \
                        __hmma_##shape##_st_c_f32, 8)                                          \
    CUDALAB_PRODUCT(m, n, k, __half, __half, __half, int, int, int,                            \
                    __hmma_##shape##_mma_f16f16)                                               \
    CUDALAB_PRODUCT(m, n, k, __half, __half, float, int, int, float,                           \
                    __hmma_##shape##_mma_f16f32)                                               \
    CUDALAB_PRODUCT(m, n, k, __half, float, __half, int, float, int,                           \
                    __hmma_##shape##_mma_f32f16)                                               \
    CUDALAB_PRODUCT(m, n, k, __half, float, float, int, float, float,                          \
                    __hmma_##shape##_mma_f32f32)
CUDALAB_HALVES(16, 16, 16, m16n16k16)
CUDALAB_HALVES(32, 8, 16, m32n8k16)
CUDALAB_HALVES(8, 32, 16, m8n32k16)
#undef CUDALAB_HALVES

/* ---- Integers of 8, 4 and 1 bits ---- */

#if CUDALAB_ARCH >= 720
#define CUDALAB_BYTES(m, n, k, shape, T, t, count_a, count_b)                                  \
    CUDALAB_FACTOR(matrix_a, m, n, k, T, T, int, __imma_##shape##_ld_a_##t, count_a)           \
    CUDALAB_FACTOR(matrix_b, m, n, k, T, T, int, __imma_##shape##_ld_b_##t, count_b)           \
    CUDALAB_INTEGER_PRODUCT(m, n, k, T, __imma_##shape##_mma_##t)
#define CUDALAB_BOTH_BYTES(m, n, k, shape, count_a, count_b)                                   \
    CUDALAB_ACCUMULATOR(m, n, k, int, int, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32, 8) \
    CUDALAB_BYTES(m, n, k, shape, signed char, s8, count_a, count_b)                           \
    CUDALAB_BYTES(m, n, k, shape, unsigned char, u8, count_a, count_b)
CUDALAB_BOTH_BYTES(16, 16, 16, m16n16k16, 8, 8)
CUDALAB_BOTH_BYTES(32, 8, 16, m32n8k16, 16, 4)
CUDALAB_BOTH_BYTES(8, 32, 16, m8n32k16, 4, 16)
#undef CUDALAB_BOTH_BYTES
#undef CUDALAB_BYTES
#endif

/* Those of less than a byte have A by rows and B by columns only. */
#if CUDALAB_ARCH >= 750
#define CUDALAB_PACKED(m, n, k, T, count, load_a, load_b)                                      \
    CUDALAB_FACTOR_BY(matrix_a, m, n, k, T, row_major, void, int, load_a, count, 1)            \
    CUDALAB_FACTOR_BY(matrix_b, m, n, k, T, col_major, void, int, load_b, count, 1)
CUDALAB_PACKED(8, 8, 32, experimental::precision::s4, 8, __imma_m8n8k32_ld_a_s4,
               __imma_m8n8k32_ld_b_s4)
CUDALAB_PACKED(8, 8, 32, experimental::precision::u4, 8, __imma_m8n8k32_ld_a_u4,
               __imma_m8n8k32_ld_b_u4)
CUDALAB_PACKED(8, 8, 128, experimental::precision::b1, 32, __bmma_m8n8k128_ld_a_b1,
               __bmma_m8n8k128_ld_b_b1)
CUDALAB_ACCUMULATOR(8, 8, 32, int, int, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32, 2)
CUDALAB_ACCUMULATOR(8, 8, 128, int, int, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32, 2)
CUDALAB_INTEGER_PRODUCT(8, 8, 32, experimental::precision::s4, __imma_m8n8k32_mma_s4)
CUDALAB_INTEGER_PRODUCT(8, 8, 32, experimental::precision::u4, __imma_m8n8k32_mma_u4)
#undef CUDALAB_PACKED

CUDALAB_FN void bmma_sync(
    fragment<accumulator, 8, 8, 128, int> &d,
    const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
    const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
    const fragment<accumulator, 8, 8, 128, int> &c,
    experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
    CUDALAB_WORDS(int, of_a, a);
    CUDALAB_WORDS(int, of_b, b);
#if CUDALAB_ARCH >= 800
    if (op == experimental::bmmaBitOpAND) {
        __bmma_m8n8k128_mma_and_popc_b1(d.x, of_a, of_b, c.x, 1);
        return;
    }
#endif
    (void)op;
    __bmma_m8n8k128_mma_xor_popc_b1(d.x, of_a, of_b, c.x, 1);
}
#endif

/* ---- bfloat16, tf32 and double ---- */

#if CUDALAB_ARCH >= 800
#define CUDALAB_BFLOATS(m, n, k, shape, count_a, count_b)                                      \
    CUDALAB_FACTOR(matrix_a, m, n, k, __nv_bfloat16, __nv_bfloat16, int,                       \
                   __mma_bf16_##shape##_ld_a, count_a)                                         \
    CUDALAB_FACTOR(matrix_b, m, n, k, __nv_bfloat16, __nv_bfloat16, int,                       \
                   __mma_bf16_##shape##_ld_b, count_b)                                         \
    CUDALAB_PRODUCT(m, n, k, __nv_bfloat16, float, float, int, float, float,                   \
                    __mma_bf16_##shape##_mma_f32)
CUDALAB_BFLOATS(16, 16, 16, m16n16k16, 8, 8)
CUDALAB_BFLOATS(32, 8, 16, m32n8k16, 16, 4)
CUDALAB_BFLOATS(8, 32, 16, m8n32k16, 4, 16)
#undef CUDALAB_BFLOATS

CUDALAB_FACTOR(matrix_a, 16, 16, 8, precision::tf32, float, int, __mma_tf32_m16n16k8_ld_a, 4)
CUDALAB_FACTOR(matrix_b, 16, 16, 8, precision::tf32, float, int, __mma_tf32_m16n16k8_ld_b, 4)
CUDALAB_ACCUMULATOR(16, 16, 8, float, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32, 8)
CUDALAB_PRODUCT(16, 16, 8, precision::tf32, float, float, int, float, float,
                __mma_tf32_m16n16k8_mma_f32)

CUDALAB_FACTOR(matrix_a, 8, 8, 4, double, double, double, __dmma_m8n8k4_ld_a, 1)
CUDALAB_FACTOR(matrix_b, 8, 8, 4, double, double, double, __dmma_m8n8k4_ld_b, 1)
CUDALAB_ACCUMULATOR(8, 8, 4, double, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64, 2)
CUDALAB_PRODUCT(8, 8, 4, double, double, double, double, double, double, __dmma_m8n8k4_mma_f64)
#endif

#undef CUDALAB_METHOD
#undef CUDALAB_WORDS
#undef CUDALAB_FACTOR_BY
#undef CUDALAB_FACTOR
#undef CUDALAB_ACCUMULATOR
#undef CUDALAB_PRODUCT
#undef CUDALAB_INTEGER_PRODUCT

}
}

#endif
#endif
