/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conversions of numbers of 16 bits in host code, where a GPU has an instruction for each. They are
 * exact or rounded once, as there.
 */
#ifndef CUDALAB_NUMBER16_HOST_H
#define CUDALAB_NUMBER16_HOST_H
#ifndef __CUDA_ARCH__

#define CUDALAB_ON_HOST static __inline__ __attribute__((host, always_inline, nodebug, unused))

/* To a whole number: to the nearest ("rn"), toward zero ("rz"), down ("rm") or up ("rp"). */
CUDALAB_ON_HOST double cudalab_whole_of(double x, const char *rounding)
{
    switch (rounding[1]) {
    case 'n': return __builtin_rint(x);
    case 'z': return __builtin_trunc(x);
    case 'm': return __builtin_floor(x);
    default: return __builtin_ceil(x);
    }
}

/* The bits of the half for x. A half counts in steps of 2^-10 of its power of two, and the smallest
 * power that it knows is 2^-14. Bits of larger steps follow at once, so a carry needs no care. */
CUDALAB_ON_HOST unsigned short cudalab_half_of(double x, const char *rounding)
{
    const unsigned sign = __builtin_signbit(x) ? 0x8000u : 0;
    int power = 0;
    if (x != x)
        return 0x7fff;
    if (__builtin_isinf(x))
        return (unsigned short)(sign | 0x7c00);
    if (x != 0.0)
        power = __builtin_ilogb(x) < -14 ? 0 : __builtin_ilogb(x) + 14;
    const double steps = __builtin_fabs(
        cudalab_whole_of(__builtin_ldexp(x, 24 - (power < 40 ? power : 40)), rounding));
    const double bits = steps + power * 1024.0;
    if (bits < 0x7c00)
        return (unsigned short)(sign | (unsigned)bits);
    const bool stays = rounding[1] == 'z' || rounding[1] == (sign ? 'p' : 'm');
    return (unsigned short)(sign | (stays ? 0x7bffu : 0x7c00u));
}

CUDALAB_ON_HOST float cudalab_float_of_half(unsigned short bits)
{
    const int power = bits >> 10 & 31, steps = bits & 0x3ff;
    float size = power == 31 ? (steps ? __builtin_bit_cast(float, 0x7fffffff) : __builtin_inff())
                             : (float)__builtin_ldexp(power ? 1024 + steps : steps,
                                                      (power ? power : 1) - 25);
    return bits & 0x8000 && size == size ? -size : size;
}

/* A whole number of a type. What is too large becomes the largest. */
template <class T> CUDALAB_ON_HOST T cudalab_saturated_whole(float x, const char *rounding)
{
    const bool is_signed = (T)-1 < (T)0;
    const T most = (T)(~0ull >> (64 - 8 * sizeof(T) + (is_signed ? 1 : 0)));
    const T least = is_signed ? (T)(-most - 1) : (T)0;
    if (x != x)
        return sizeof(T) == 8 ? (T)(1ull << 63) : (T)0;
    const double whole = cudalab_whole_of(x, rounding);
    return whole >= (double)most ? most : whole <= (double)least ? least : (T)whole;
}

/* To a float, toward zero; a long double holds all doubles and all integers. */
CUDALAB_ON_HOST float cudalab_float_toward_zero(long double x)
{
    const float near = (float)x;
    return __builtin_fabsl((long double)near) > __builtin_fabsl(x)
               ? __builtin_bit_cast(float, __builtin_bit_cast(unsigned, near) - 1) : near;
}

#endif
#endif
