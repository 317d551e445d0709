/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that see a word as two numbers of 16 bits or four of 8 bits, and the smallest and
 * largest of several numbers; part of cudalab_device.h.
 *
 * Each is a formula for one part. In it, a, b and c are the parts of the operands. The low bits of
 * its value become the same part of the result.
 */
#ifndef CUDALAB_SIMD_H
#define CUDALAB_SIMD_H

#define CUDALAB_PARTS(name, bits, type, operands, third, formula)                              \
    CUDALAB_FN unsigned name operands                                                          \
    {                                                                                          \
        unsigned out = 0;                                                                      \
        constexpr bool is_signed = (type)-1 < 0;                                               \
        constexpr int least = is_signed ? -(1 << (bits - 1)) : 0;                              \
        constexpr int most = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;              \
        (void)least, (void)most;                                                               \
        _Pragma("unroll") for (int at = 0; at < 32; at += bits)                                \
        {                                                                                      \
            const int a = (type)(x >> at), b = (type)(y >> at), c = (type)(third >> at);       \
            (void)b, (void)c;                                                                  \
            out |= ((unsigned)(formula) & ((1u << bits) - 1)) << at;                           \
        }                                                                                      \
        return out;                                                                            \
    }

/* s: signed char and short; u: their unsigned types. */
#define CUDALAB_VIDEO_S(name, formula)                                                         \
    CUDALAB_PARTS(name##2, 16, short, (unsigned x, unsigned y), 0u, formula)                   \
    CUDALAB_PARTS(name##4, 8, signed char, (unsigned x, unsigned y), 0u, formula)
#define CUDALAB_VIDEO_U(name, formula)                                                         \
    CUDALAB_PARTS(name##2, 16, unsigned short, (unsigned x, unsigned y), 0u, formula)          \
    CUDALAB_PARTS(name##4, 8, unsigned char, (unsigned x, unsigned y), 0u, formula)
#define CUDALAB_VIDEO_ONE(name, formula)                                                       \
    CUDALAB_PARTS(name##2, 16, short, (unsigned x, unsigned y = 0), 0u, formula)               \
    CUDALAB_PARTS(name##4, 8, signed char, (unsigned x, unsigned y = 0), 0u, formula)
#define CUDALAB_CLAMP(v) min(max(v, least), most)

CUDALAB_VIDEO_ONE(__vabs, abs(a))
CUDALAB_VIDEO_ONE(__vabsss, CUDALAB_CLAMP(abs(a)))
CUDALAB_VIDEO_ONE(__vneg, -a)
CUDALAB_VIDEO_ONE(__vnegss, CUDALAB_CLAMP(-a))
CUDALAB_VIDEO_U(__vadd, a + b)
CUDALAB_VIDEO_S(__vaddss, CUDALAB_CLAMP(a + b))
CUDALAB_VIDEO_U(__vaddus, CUDALAB_CLAMP(a + b))
CUDALAB_VIDEO_U(__vsub, a - b)
CUDALAB_VIDEO_S(__vsubss, CUDALAB_CLAMP(a - b))
CUDALAB_VIDEO_U(__vsubus, CUDALAB_CLAMP(a - b))
CUDALAB_VIDEO_S(__vabsdiffs, abs(a - b))
CUDALAB_VIDEO_U(__vabsdiffu, abs(a - b))
CUDALAB_VIDEO_S(__vavgs, (a + b + (a + b >= 0)) >> 1)
CUDALAB_VIDEO_U(__vavgu, (a + b + 1) >> 1)
CUDALAB_VIDEO_U(__vhaddu, (a + b) >> 1)
CUDALAB_VIDEO_S(__vmaxs, max(a, b))
CUDALAB_VIDEO_U(__vmaxu, max(a, b))
CUDALAB_VIDEO_S(__vmins, min(a, b))
CUDALAB_VIDEO_U(__vminu, min(a, b))

#define CUDALAB_VIDEO_COMPARE(test, operator)                                                  \
    CUDALAB_VIDEO_S(__vcmp##test##s, -(a operator b))                                          \
    CUDALAB_VIDEO_U(__vcmp##test##u, -(a operator b))                                          \
    CUDALAB_VIDEO_S(__vset##test##s, a operator b)                                             \
    CUDALAB_VIDEO_U(__vset##test##u, a operator b)
CUDALAB_VIDEO_COMPARE(ge, >=)
CUDALAB_VIDEO_COMPARE(gt, >)
CUDALAB_VIDEO_COMPARE(le, <=)
CUDALAB_VIDEO_COMPARE(lt, <)
CUDALAB_VIDEO_U(__vcmpeq, -(a == b))
CUDALAB_VIDEO_U(__vcmpne, -(a != b))
CUDALAB_VIDEO_U(__vseteq, a == b)
CUDALAB_VIDEO_U(__vsetne, a != b)

/* The differences of all parts in one sum. */
#define CUDALAB_VIDEO_SAD(sign)                                                                \
    CUDALAB_FN unsigned __vsad##sign##2(unsigned x, unsigned y)                                \
    {                                                                                          \
        unsigned d = __vabsdiff##sign##2(x, y);                                                \
        return (d & 0xffff) + (d >> 16);                                                       \
    }                                                                                          \
    CUDALAB_FN unsigned __vsad##sign##4(unsigned x, unsigned y)                                \
    {                                                                                          \
        unsigned d = __vabsdiff##sign##4(x, y);                                                \
        return (d & 0xff) + (d >> 8 & 0xff) + (d >> 16 & 0xff) + (d >> 24);                    \
    }
CUDALAB_VIDEO_SAD(s)
CUDALAB_VIDEO_SAD(u)

/* ---- The smallest and the largest of two or three, of a sum, and not below 0 (relu) ---- */

#define CUDALAB_TRIPLE(name, end, bits, part, formula)                                         \
    CUDALAB_PARTS(name##end, bits, part, (unsigned x, unsigned y, unsigned z), z, formula)

/* which: max or min */
#define CUDALAB_EXTREMES(which, not_after)                                                     \
    CUDALAB_FN int __vi##which##3_s32(int a, int b, int c) { return which(which(a, b), c); }   \
    CUDALAB_FN unsigned __vi##which##3_u32(unsigned a, unsigned b, unsigned c)                 \
    { return which(which(a, b), c); }                                                          \
    CUDALAB_FN int __vi##which##_s32_relu(int a, int b) { return max(which(a, b), 0); }        \
    CUDALAB_FN int __vi##which##3_s32_relu(int a, int b, int c)                                \
    { return max(which(which(a, b), c), 0); }                                                  \
    CUDALAB_FN int __viadd##which##_s32(int a, int b, int c)                                   \
    { return which((int)((unsigned)a + (unsigned)b), c); }                                     \
    CUDALAB_FN unsigned __viadd##which##_u32(unsigned a, unsigned b, unsigned c)               \
    { return which(a + b, c); }                                                                \
    CUDALAB_FN int __viadd##which##_s32_relu(int a, int b, int c)                              \
    { return max(__viadd##which##_s32(a, b, c), 0); }                                          \
    CUDALAB_FN int __vib##which##_s32(int a, int b, bool *first)                               \
    { *first = a not_after b; return which(a, b); }                                            \
    CUDALAB_FN unsigned __vib##which##_u32(unsigned a, unsigned b, bool *first)                \
    { *first = a not_after b; return which(a, b); }                                            \
    CUDALAB_PARTS(__vi##which##_s16x2_relu, 16, short, (unsigned x, unsigned y), 0u,           \
                  max(which(a, b), 0))                                                         \
    CUDALAB_TRIPLE(__vi##which##3_, s16x2, 16, short, which(which(a, b), c))                   \
    CUDALAB_TRIPLE(__vi##which##3_, u16x2, 16, unsigned short, which(which(a, b), c))          \
    CUDALAB_TRIPLE(__vi##which##3_, s16x2_relu, 16, short, max(which(which(a, b), c), 0))      \
    CUDALAB_TRIPLE(__viadd##which##_, s16x2, 16, short, which((int)(short)(a + b), c))         \
    CUDALAB_TRIPLE(__viadd##which##_, u16x2, 16, unsigned short,                               \
                   which((int)(unsigned short)(a + b), c))                                     \
    CUDALAB_TRIPLE(__viadd##which##_, s16x2_relu, 16, short,                                   \
                   max(which((int)(short)(a + b), c), 0))                                      \
    CUDALAB_FN unsigned __vib##which##_s16x2(unsigned a, unsigned b, bool *high, bool *low)    \
    {                                                                                          \
        *high = (short)(a >> 16) not_after (short)(b >> 16);                                   \
        *low = (short)a not_after (short)b;                                                    \
        return __v##which##s2(a, b);                                                           \
    }                                                                                          \
    CUDALAB_FN unsigned __vib##which##_u16x2(unsigned a, unsigned b, bool *high, bool *low)    \
    {                                                                                          \
        *high = (a >> 16) not_after (b >> 16);                                                    \
        *low = (a & 0xffff) not_after (b & 0xffff);                                            \
        return __v##which##u2(a, b);                                                           \
    }

CUDALAB_EXTREMES(max, >=)
CUDALAB_EXTREMES(min, <=)

#endif
