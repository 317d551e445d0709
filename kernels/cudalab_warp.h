/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What lanes of a warp tell each other; part of cudalab_device.h.
 * Only the _sync forms: the others are gone since CUDA 13.
 */
#ifndef CUDALAB_WARP_H
#define CUDALAB_WARP_H

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

/* ---- Lanes with the same value ---- */

#define CUDALAB_MATCH(type, bits, suffix)                                                      \
    CUDALAB_FN unsigned __match_any_sync(unsigned mask, type v)                                \
    { return __nvvm_match_any_sync_##suffix(mask, bits(v)); }                                  \
    CUDALAB_FN unsigned __match_all_sync(unsigned mask, type v, int *all)                      \
    { return __nvvm_match_all_sync_##suffix##p(mask, bits(v), all); }

CUDALAB_MATCH(int, (int), i32)
CUDALAB_MATCH(unsigned, (int), i32)
CUDALAB_MATCH(float, __float_as_int, i32)
CUDALAB_MATCH(long, (long long), i64)
CUDALAB_MATCH(unsigned long, (long long), i64)
CUDALAB_MATCH(long long, (long long), i64)
CUDALAB_MATCH(unsigned long long, (long long), i64)
CUDALAB_MATCH(double, __double_as_longlong, i64)

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

/* ---- One value of all lanes; the GPU has an instruction for it since sm_80 only ---- */

/* Every lane of the mask gets the same: each reads all the others, one after another. */
#define CUDALAB_REDUCE(name, type, combined)                                                   \
    CUDALAB_FN type name(unsigned mask, type v)                                                \
    {                                                                                          \
        type a = __shfl_sync(mask, v, __builtin_ctz(mask));                                    \
        for (unsigned rest = mask & (mask - 1); rest; rest &= rest - 1) {                      \
            type b = __shfl_sync(mask, v, __builtin_ctz(rest));                                \
            a = combined;                                                                      \
        }                                                                                      \
        return a;                                                                              \
    }

CUDALAB_REDUCE(__reduce_add_sync, int, a + b)
CUDALAB_REDUCE(__reduce_add_sync, unsigned, a + b)
CUDALAB_REDUCE(__reduce_min_sync, int, b < a ? b : a)
CUDALAB_REDUCE(__reduce_min_sync, unsigned, b < a ? b : a)
CUDALAB_REDUCE(__reduce_max_sync, int, a < b ? b : a)
CUDALAB_REDUCE(__reduce_max_sync, unsigned, a < b ? b : a)
CUDALAB_REDUCE(__reduce_and_sync, unsigned, a & b)
CUDALAB_REDUCE(__reduce_or_sync, unsigned, a | b)
CUDALAB_REDUCE(__reduce_xor_sync, unsigned, a ^ b)

#endif
