/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exec.c once more, for machines with AVX2 and FMA: the same answers, several times faster.
 * For other processors this file is empty.
 */
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt"))),       \
                             apply_to = function)
#else
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt,popcnt")
#endif
#define EXEC_SET exec_avx2
#define FUSED_BY_PROCESSOR 1
#include "sim/exec/exec.c"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int nothing_for_this_processor;
#endif
