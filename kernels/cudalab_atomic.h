/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Atomics; part of cudalab_device.h.  Each gives back the value that was there before, and
 * exists for three scopes: the device, the block (_block) and the whole system (_system).
 */
#ifndef CUDALAB_ATOMIC_H
#define CUDALAB_ATOMIC_H

/* scope: what clang's builtins have in their names; end: what CUDA's functions end with. */
#define CUDALAB_ATOMIC_FLOATS(scope, end)                                                      \
    CUDALAB_FN float atomicAdd##end(float *p, float v)                                         \
    { return __nvvm_atom_##scope##add_gen_f(p, v); }                                           \
    CUDALAB_FN double atomicAdd##end(double *p, double v)                                      \
    { return __nvvm_atom_##scope##add_gen_d(p, v); }                                           \
    CUDALAB_FN float atomicExch##end(float *p, float v)                                        \
    { return __int_as_float(__nvvm_atom_##scope##xchg_gen_i((int *)p, __float_as_int(v))); }   \
    CUDALAB_FN double atomicExch##end(double *p, double v)                                     \
    {                                                                                          \
        return __longlong_as_double(                                                           \
            __nvvm_atom_##scope##xchg_gen_ll((long long *)p, __double_as_longlong(v)));        \
    }                                                                                          \
    CUDALAB_FN unsigned atomicInc##end(unsigned *p, unsigned v)                                \
    { return __nvvm_atom_##scope##inc_gen_ui(p, v); }                                          \
    CUDALAB_FN unsigned atomicDec##end(unsigned *p, unsigned v)                                \
    { return __nvvm_atom_##scope##dec_gen_ui(p, v); }

CUDALAB_ATOMIC_FLOATS(, )
CUDALAB_ATOMIC_FLOATS(cta_, _block)
CUDALAB_ATOMIC_FLOATS(sys_, _system)

/* carrier: the type that clang's builtins take; minmax: the suffix of those that see the sign. */
#define CUDALAB_ATOMICS_IN(scope, end, type, carrier, suffix, minmax)                          \
    CUDALAB_FN type atomicAdd##end(type *p, type v)                                            \
    { return __nvvm_atom_##scope##add_gen_##suffix((carrier *)p, v); }                         \
    CUDALAB_FN type atomicExch##end(type *p, type v)                                           \
    { return __nvvm_atom_##scope##xchg_gen_##suffix((carrier *)p, v); }                        \
    CUDALAB_FN type atomicMin##end(type *p, type v)                                            \
    { return __nvvm_atom_##scope##min_gen_##minmax(p, v); }                                    \
    CUDALAB_FN type atomicMax##end(type *p, type v)                                            \
    { return __nvvm_atom_##scope##max_gen_##minmax(p, v); }                                    \
    CUDALAB_FN type atomicAnd##end(type *p, type v)                                            \
    { return __nvvm_atom_##scope##and_gen_##suffix((carrier *)p, v); }                         \
    CUDALAB_FN type atomicOr##end(type *p, type v)                                             \
    { return __nvvm_atom_##scope##or_gen_##suffix((carrier *)p, v); }                          \
    CUDALAB_FN type atomicXor##end(type *p, type v)                                            \
    { return __nvvm_atom_##scope##xor_gen_##suffix((carrier *)p, v); }                         \
    CUDALAB_FN type atomicCAS##end(type *p, type expected, type v)                             \
    { return __nvvm_atom_##scope##cas_gen_##suffix((carrier *)p, expected, v); }

#define CUDALAB_ATOMICS(type, carrier, suffix, minmax)                                         \
    CUDALAB_ATOMICS_IN(, , type, carrier, suffix, minmax)                                      \
    CUDALAB_ATOMICS_IN(cta_, _block, type, carrier, suffix, minmax)                            \
    CUDALAB_ATOMICS_IN(sys_, _system, type, carrier, suffix, minmax)

CUDALAB_ATOMICS(int, int, i, i)
CUDALAB_ATOMICS(unsigned, int, i, ui)
CUDALAB_ATOMICS(long long, long long, ll, ll)
CUDALAB_ATOMICS(unsigned long long, long long, ll, ull)

#define CUDALAB_ATOMIC_SUB(end)                                                                \
    CUDALAB_FN int atomicSub##end(int *p, int v)                                               \
    { return (int)atomicAdd##end((unsigned *)p, 0u - (unsigned)v); }                           \
    CUDALAB_FN unsigned atomicSub##end(unsigned *p, unsigned v)                                \
    { return atomicAdd##end(p, 0u - v); }

CUDALAB_ATOMIC_SUB()
CUDALAB_ATOMIC_SUB(_block)
CUDALAB_ATOMIC_SUB(_system)

CUDALAB_FN unsigned short atomicCAS(unsigned short *p, unsigned short expected, unsigned short v)
{
    unsigned short before;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
                 : "=h"(before) : "l"(p), "h"(expected), "h"(v) : "memory");
    return before;
}

#endif
