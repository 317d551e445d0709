/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions of a number of 16 bits and of its pair; included once for each
 * (cudalab_number16.h). What an instruction does for one type alone is defined before.
 */

/* ---- Bits, pairs and their parts ---- */

CUDALAB_BOTH CUDALAB_N CUDALAB_NAME(__ushort_as_, )(unsigned short x) { return CUDALAB_RAW{x}; }
CUDALAB_BOTH CUDALAB_N CUDALAB_NAME(__short_as_, )(short x)
{ return CUDALAB_RAW{(unsigned short)x}; }
CUDALAB_BOTH unsigned short CUDALAB_NAME(__, _as_ushort)(CUDALAB_N a) { return cudalab_bits(a); }
CUDALAB_BOTH short CUDALAB_NAME(__, _as_short)(CUDALAB_N a) { return (short)cudalab_bits(a); }

CUDALAB_BOTH CUDALAB_N2 CUDALAB_NAME2(make_, )(CUDALAB_N low, CUDALAB_N high)
{ return CUDALAB_N2(low, high); }
CUDALAB_BOTH CUDALAB_N2 CUDALAB_NAME2(__halves2, )(CUDALAB_N low, CUDALAB_N high)
{ return CUDALAB_N2(low, high); }
CUDALAB_BOTH CUDALAB_N2 CUDALAB_TWICE(CUDALAB_N a) { return CUDALAB_N2(a, a); }
CUDALAB_BOTH CUDALAB_N CUDALAB_NAME(__low2, )(CUDALAB_N2 a) { return a.x; }
CUDALAB_BOTH CUDALAB_N CUDALAB_NAME(__high2, )(CUDALAB_N2 a) { return a.y; }
CUDALAB_BOTH CUDALAB_N2 CUDALAB_NAME2(__low2, )(CUDALAB_N2 a) { return CUDALAB_N2(a.x, a.x); }
CUDALAB_BOTH CUDALAB_N2 CUDALAB_NAME2(__high2, )(CUDALAB_N2 a) { return CUDALAB_N2(a.y, a.y); }
CUDALAB_BOTH CUDALAB_N2 CUDALAB_NAME2(__lows2, )(CUDALAB_N2 a, CUDALAB_N2 b)
{ return CUDALAB_N2(a.x, b.x); }
CUDALAB_BOTH CUDALAB_N2 CUDALAB_NAME2(__highs2, )(CUDALAB_N2 a, CUDALAB_N2 b)
{ return CUDALAB_N2(a.y, b.y); }
CUDALAB_BOTH CUDALAB_N2 __lowhigh2highlow(CUDALAB_N2 a) { return CUDALAB_N2(a.y, a.x); }

/* ---- To and from float and double ---- */

CUDALAB_BOTH CUDALAB_N CUDALAB_NAME(__float2, )(float x) { return CUDALAB_NAME(__float2, _rn)(x); }
CUDALAB_BOTH float CUDALAB_NAME(__, 2float)(CUDALAB_N a) { return cudalab_float(a); }
CUDALAB_BOTH float __low2float(CUDALAB_N2 a) { return cudalab_float(a.x); }
CUDALAB_BOTH float __high2float(CUDALAB_N2 a) { return cudalab_float(a.y); }
CUDALAB_BOTH float2 CUDALAB_NAME2(__, 2float2)(CUDALAB_N2 a)
{ return make_float2(cudalab_float(a.x), cudalab_float(a.y)); }
CUDALAB_BOTH CUDALAB_N2 CUDALAB_NAME2(__floats2, _rn)(float low, float high)
{ return CUDALAB_N2(CUDALAB_NAME(__float2, )(low), CUDALAB_NAME(__float2, )(high)); }
CUDALAB_BOTH CUDALAB_N2 CUDALAB_NAME2(__float2, _rn)(float x)
{ return CUDALAB_NAME2(__floats2, _rn)(x, x); }
CUDALAB_BOTH CUDALAB_N2 CUDALAB_NAME2(__float22, _rn)(float2 x)
{ return CUDALAB_NAME2(__floats2, _rn)(x.x, x.y); }

/* ---- To integers: what is too large becomes the largest ---- */

#ifdef __CUDA_ARCH__
#define CUDALAB_TO_WHOLE(word, type, out, ptx, end, rounding)                                  \
    CUDALAB_BOTH type CUDALAB_NAME(__, 2##word##end)(CUDALAB_N a)                              \
    {                                                                                          \
        type i;                                                                                \
        asm("cvt." rounding "i." ptx "." CUDALAB_SOURCE " %0, %1;"                             \
            : out(i) : CUDALAB_SOURCE_IN(a));                                                  \
        return i;                                                                              \
    }
#else
#define CUDALAB_TO_WHOLE(word, type, out, ptx, end, rounding)                                  \
    CUDALAB_BOTH type CUDALAB_NAME(__, 2##word##end)(CUDALAB_N a)                              \
    { return cudalab_saturated_whole<type>(cudalab_float(a), rounding); }
#endif
#define CUDALAB_TO_WHOLES(word, type, out, ptx)                                                \
    CUDALAB_TO_WHOLE(word, type, out, ptx, _rn, "rn")                                          \
    CUDALAB_TO_WHOLE(word, type, out, ptx, _rz, "rz")                                          \
    CUDALAB_TO_WHOLE(word, type, out, ptx, _rd, "rm")                                          \
    CUDALAB_TO_WHOLE(word, type, out, ptx, _ru, "rp")
CUDALAB_TO_WHOLES(short, short, "=h", "s16")
CUDALAB_TO_WHOLES(ushort, unsigned short, "=h", "u16")
CUDALAB_TO_WHOLES(int, int, "=r", "s32")
CUDALAB_TO_WHOLES(uint, unsigned, "=r", "u32")
CUDALAB_TO_WHOLES(ll, long long, "=l", "s64")
CUDALAB_TO_WHOLES(ull, unsigned long long, "=l", "u64")

CUDALAB_BOTH signed char CUDALAB_NAME(__, 2char_rz)(CUDALAB_N a)
{
    const int i = CUDALAB_NAME(__, 2int_rz)(a);
    return (signed char)(i < -128 ? -128 : i > 127 ? 127 : i);
}
CUDALAB_BOTH unsigned char CUDALAB_NAME(__, 2uchar_rz)(CUDALAB_N a)
{
    const unsigned i = CUDALAB_NAME(__, 2uint_rz)(a);
    return (unsigned char)(i > 255 ? 255 : i);
}

/* ---- The type's own conversions ---- */

#ifdef CUDALAB_CONVERSIONS
CUDALAB_IN_CLASS CUDALAB_N::CUDALAB_N(float x) : CUDALAB_N(CUDALAB_NAME(__float2, )(x)) {}
CUDALAB_IN_CLASS CUDALAB_N::CUDALAB_N(double x) : CUDALAB_N(CUDALAB_NAME(__double2, )(x)) {}
CUDALAB_IN_CLASS CUDALAB_N::operator float() const { return cudalab_float(*this); }
#define CUDALAB_CONVERTS(type, word)                                                           \
    CUDALAB_IN_CLASS CUDALAB_N::CUDALAB_N(type x)                                              \
        : CUDALAB_N(CUDALAB_NAME(__##word##2, _rn)(x)) {}                                      \
    CUDALAB_IN_CLASS CUDALAB_N::operator type() const                                          \
    { return (type)CUDALAB_NAME(__, 2##word##_rz)(*this); }
CUDALAB_INTEGERS(CUDALAB_CONVERTS)
#undef CUDALAB_CONVERTS
CUDALAB_IN_CLASS CUDALAB_N::operator signed char() const
{ return CUDALAB_NAME(__, 2char_rz)(*this); }
CUDALAB_IN_CLASS CUDALAB_N::operator char() const
{ return (char)CUDALAB_NAME(__, 2char_rz)(*this); }
CUDALAB_IN_CLASS CUDALAB_N::operator unsigned char() const
{ return CUDALAB_NAME(__, 2uchar_rz)(*this); }
#endif

/* ---- Comparisons: those with a u at the end are true where an operand is NaN ---- */

#define CUDALAB_COMPARE(name, condition)                                                       \
    CUDALAB_BOTH bool __h##name(CUDALAB_N a, CUDALAB_N b)                                      \
    {                                                                                          \
        const float x = cudalab_float(a), y = cudalab_float(b);                                \
        return condition;                                                                      \
    }                                                                                          \
    CUDALAB_BOTH CUDALAB_N2 __h##name##2(CUDALAB_N2 a, CUDALAB_N2 b)                           \
    {                                                                                          \
        constexpr CUDALAB_RAW one = {CUDALAB_ONE}, zero = {0};                                 \
        return CUDALAB_N2(__h##name(a.x, b.x) ? one : zero, __h##name(a.y, b.y) ? one : zero); \
    }                                                                                          \
    CUDALAB_BOTH unsigned __h##name##2_mask(CUDALAB_N2 a, CUDALAB_N2 b)                        \
    {                                                                                          \
        return (__h##name(a.x, b.x) ? 0xffffu : 0u) |                                          \
               (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                                       \
    }                                                                                          \
    CUDALAB_BOTH bool __hb##name##2(CUDALAB_N2 a, CUDALAB_N2 b)                                \
    { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
CUDALAB_COMPARE(eq, x == y)
CUDALAB_COMPARE(ne, x < y || x > y)
CUDALAB_COMPARE(lt, x < y)
CUDALAB_COMPARE(le, x <= y)
CUDALAB_COMPARE(gt, x > y)
CUDALAB_COMPARE(ge, x >= y)
CUDALAB_COMPARE(equ, !(x < y || x > y))
CUDALAB_COMPARE(neu, x != y)
CUDALAB_COMPARE(ltu, !(x >= y))
CUDALAB_COMPARE(leu, !(x > y))
CUDALAB_COMPARE(gtu, !(x <= y))
CUDALAB_COMPARE(geu, !(x < y))
#undef CUDALAB_COMPARE

CUDALAB_BOTH bool __hisnan(CUDALAB_N a) { return (cudalab_bits(a) & 0x7fff) > CUDALAB_INFINITE; }
CUDALAB_BOTH CUDALAB_N2 __hisnan2(CUDALAB_N2 a) { return __hneu2(a, a); }
CUDALAB_BOTH int __hisinf(CUDALAB_N a)
{ return (cudalab_bits(a) & 0x7fff) != CUDALAB_INFINITE ? 0 : cudalab_bits(a) >> 15 ? -1 : 1; }

/* ---- The smaller and the larger: of a number and a NaN, the number; with _nan, the NaN ---- */

#if CUDALAB_ARCH >= 800
CUDALAB_BINARY(__hmin, , CUDALAB_PTX, "min")
CUDALAB_BINARY(__hmax, , CUDALAB_PTX, "max")
CUDALAB_BINARY(__hmin, _nan, CUDALAB_PTX, "min.NaN")
CUDALAB_BINARY(__hmax, _nan, CUDALAB_PTX, "max.NaN")
#else
#define CUDALAB_EXTREME(name, by)                                                              \
    CUDALAB_BOTH CUDALAB_N name(CUDALAB_N a, CUDALAB_N b)                                      \
    { return CUDALAB_NAME(__float2, )(by(cudalab_float(a), cudalab_float(b))); }               \
    CUDALAB_BOTH CUDALAB_N name##_nan(CUDALAB_N a, CUDALAB_N b)                                \
    { return __hneu(a, a) || __hneu(b, b) ? CUDALAB_N(CUDALAB_RAW{0x7fff}) : name(a, b); }     \
    CUDALAB_EACH2(name##2, name)                                                               \
    CUDALAB_EACH2(name##2_nan, name##_nan)
CUDALAB_EXTREME(__hmin, __builtin_fminf)
CUDALAB_EXTREME(__hmax, __builtin_fmaxf)
#undef CUDALAB_EXTREME
#endif

/* ---- Division; complex a * b + c ---- */

/* A float has so many more bits that rounding twice gives what rounding once does. */
CUDALAB_BOTH CUDALAB_N __hdiv(CUDALAB_N a, CUDALAB_N b)
{ return CUDALAB_NAME(__float2, )(cudalab_float(a) / cudalab_float(b)); }
CUDALAB_EACH2(__h2div, __hdiv)

#ifdef CUDALAB_HAS_FMA
CUDALAB_FN CUDALAB_N2 __hcmadd(CUDALAB_N2 a, CUDALAB_N2 b, CUDALAB_N2 c)
{
    return CUDALAB_N2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
                      __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}
#endif

/* ---- Whole numbers nearby ---- */

CUDALAB_BY_FLOAT(trunc, truncf(x))
CUDALAB_BY_FLOAT(ceil, ceilf(x))
CUDALAB_BY_FLOAT(floor, floorf(x))
CUDALAB_BY_FLOAT(rint, rintf(x))

/* ---- Loads and stores past the caches, as in cudalab_device.h ---- */

CUDALAB_FN CUDALAB_N __ldcv(const CUDALAB_N *p)
{ return CUDALAB_RAW{*(const volatile unsigned short *)p}; }
CUDALAB_FN CUDALAB_N2 __ldcv(const CUDALAB_N2 *p)
{
    const unsigned bits = *(const volatile unsigned *)p;
    return __builtin_bit_cast(CUDALAB_N2, bits);
}
CUDALAB_FN void __stwt(CUDALAB_N *p, CUDALAB_N v)
{ *(volatile unsigned short *)p = cudalab_bits(v); }
CUDALAB_FN void __stwt(CUDALAB_N2 *p, CUDALAB_N2 v) { *(volatile unsigned *)p = cudalab_bits(v); }

/* ---- Shuffles ---- */

#define CUDALAB_SHUFFLE16(name, delta_type)                                                    \
    CUDALAB_FN CUDALAB_N name(unsigned mask, CUDALAB_N v, delta_type d, int width = 32)        \
    { return CUDALAB_RAW{(unsigned short)name(mask, (unsigned)cudalab_bits(v), d, width)}; }   \
    CUDALAB_FN CUDALAB_N2 name(unsigned mask, CUDALAB_N2 v, delta_type d, int width = 32)      \
    { return __builtin_bit_cast(CUDALAB_N2, name(mask, cudalab_bits(v), d, width)); }
CUDALAB_SHUFFLE16(__shfl_sync, int)
CUDALAB_SHUFFLE16(__shfl_up_sync, unsigned)
CUDALAB_SHUFFLE16(__shfl_down_sync, unsigned)
CUDALAB_SHUFFLE16(__shfl_xor_sync, int)
#undef CUDALAB_SHUFFLE16

/* ---- Operators ---- */

#define CUDALAB_OPERATORS_OF(type, one, add, sub, mul, div, neg)                               \
    CUDALAB_OPERATOR(type, +, add)                                                             \
    CUDALAB_OPERATOR(type, -, sub)                                                             \
    CUDALAB_OPERATOR(type, *, mul)                                                             \
    CUDALAB_OPERATOR(type, /, div)                                                             \
    CUDALAB_STEP(type, ++, add, one)                                                           \
    CUDALAB_STEP(type, --, sub, one)                                                           \
    CUDALAB_BOTH type operator+(const type &a) { return a; }                                   \
    CUDALAB_BOTH type operator-(const type &a) { return neg(a); }
#define CUDALAB_OPERATOR(type, op, function)                                                   \
    CUDALAB_BOTH type operator op(const type &a, const type &b) { return function(a, b); }     \
    CUDALAB_BOTH type &operator op##=(type &a, const type &b) { return a = function(a, b); }
#define CUDALAB_STEP(type, op, function, one)                                                  \
    CUDALAB_BOTH type &operator op(type &a) { return a = function(a, one); }                   \
    CUDALAB_BOTH type operator op(type &a, int)                                                \
    { const type before = a; a = function(a, one); return before; }
#define CUDALAB_TESTS(type, eq, neu, lt, le, gt, ge)                                           \
    CUDALAB_TEST(type, ==, eq) CUDALAB_TEST(type, !=, neu) CUDALAB_TEST(type, <, lt)           \
    CUDALAB_TEST(type, <=, le) CUDALAB_TEST(type, >, gt) CUDALAB_TEST(type, >=, ge)
#define CUDALAB_TEST(type, op, function)                                                       \
    CUDALAB_BOTH bool operator op(const type &a, const type &b) { return function(a, b); }

#ifdef CUDALAB_OPERATORS
CUDALAB_OPERATORS_OF(CUDALAB_N, CUDALAB_N(CUDALAB_RAW{CUDALAB_ONE}), __hadd, __hsub, __hmul,
                     __hdiv, __hneg)
CUDALAB_TESTS(CUDALAB_N, __heq, __hneu, __hlt, __hle, __hgt, __hge)
#endif
#ifdef CUDALAB_OPERATORS2
CUDALAB_OPERATORS_OF(CUDALAB_N2, (CUDALAB_N2(CUDALAB_RAW2{CUDALAB_ONE, CUDALAB_ONE})),
                     __hadd2, __hsub2, __hmul2, __h2div, __hneg2)
CUDALAB_TESTS(CUDALAB_N2, __hbeq2, __hbneu2, __hblt2, __hble2, __hbgt2, __hbge2)
#endif
