/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exec.c once more, for machines with AVX2 and FMA: the same answers, several times faster.
 * Elsewhere it compiles to nothing that is ever called.
 */
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt"))),       \
                             apply_to = function)
#else
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt,popcnt")
#endif
#endif
#define EXEC_SET exec_avx2
#include "sim/exec/exec.c"
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
