/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random numbers on the device for clang without the CUDA Toolkit: XORWOW, Philox4_32_10, MRG32k3a,
 * MTGP32 and Sobol's sequences. They give the same whole and uniform numbers as cuRAND, and the
 * same normal ones up to the last bits of log and erfcinv. States have cuRAND's layout.
 *
 * XORWOW's five words are a vector of 160 bits, and each step multiplies it by one matrix. A jump
 * of n steps multiplies by that matrix to the power n. This power is equal to a polynomial in the
 * matrix, of a degree below 160: the remainder of x^n by the matrix's characteristic polynomial.
 * cudalab_curand_jumps.h has the remainders for all powers of two, so a jump costs 160 steps for
 * each bit of n that is set.
 */
#ifndef CUDALAB_CURAND_KERNEL_H
#define CUDALAB_CURAND_KERNEL_H

#include "curand.h"

struct curandStateXORWOW {
    unsigned d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    int cudalab_padding; /* written too, so that copies of a state read nothing unwritten */
    double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE;
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
    unsigned s1[3], s2[3];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    int cudalab_padding;
    double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState, curandState_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

template <class S> CUDALAB_FN void cudalab_no_normal(S *s)
{
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0.0f;
    s->boxmuller_extra_double = 0.0;
}
template <class S> CUDALAB_FN void cudalab_begin(S *s)
{
    cudalab_no_normal(s);
    s->cudalab_padding = 0;
}

/* ---- XORWOW ---- */

struct cudalab_bits160 { unsigned word[5]; };

CUDALAB_FN void cudalab_xorwow_step(cudalab_bits160 &v)
{
    unsigned t = v.word[0] ^ v.word[0] >> 2, last = v.word[4];
    v.word[0] = v.word[1], v.word[1] = v.word[2], v.word[2] = v.word[3], v.word[3] = last;
    v.word[4] = last ^ last << 4 ^ t ^ t << 1;
}

#include "cudalab_curand_jumps.h"

/* v becomes the polynomial g of the steps' matrix, times v. */
CUDALAB_FN void cudalab_xorwow_apply(const cudalab_bits160 &g, cudalab_bits160 &v)
{
    cudalab_bits160 sum = {{0, 0, 0, 0, 0}};
#pragma unroll
    for (int i = 0; i < 5; i++)
#pragma nounroll
        for (unsigned bit = 0; bit < 32; bit++) {
            const unsigned mask = 0u - (g.word[i] >> bit & 1);
#pragma unroll
            for (int k = 0; k < 5; k++)
                sum.word[k] ^= v.word[k] & mask;
            cudalab_xorwow_step(v);
        }
    v = sum;
}

/* n jumps of 2^first steps each. */
CUDALAB_FN void cudalab_xorwow_jump(curandStateXORWOW *s, unsigned long long n, int first)
{
    cudalab_bits160 v = {{s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]}};
#pragma nounroll
    for (int k = first; n; n >>= 1, k++)
        if (n & 1)
            cudalab_xorwow_apply(cudalab_xorwow_jumps[k], v);
#pragma unroll
    for (int k = 0; k < 5; k++)
        s->v[k] = v.word[k];
}

CUDALAB_FN void skipahead(unsigned long long n, curandStateXORWOW *s)
{
    cudalab_xorwow_jump(s, n, 0);
    s->d += 362437u * (unsigned)n;
}
/* A sequence has 2^67 numbers. */
CUDALAB_FN void skipahead_sequence(unsigned long long n, curandStateXORWOW *s)
{
    cudalab_xorwow_jump(s, n, 67);
}

CUDALAB_FN void curand_init(unsigned long long seed, unsigned long long sequence,
                            unsigned long long offset, curandStateXORWOW *s)
{
    const unsigned a = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
    const unsigned b = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
    curandStateXORWOW t;
    t.d = 6615241u + a + b;
    t.v[0] = 123456789u + a;
    t.v[1] = 362436069u ^ a;
    t.v[2] = 521288629u + b;
    t.v[3] = 88675123u ^ b;
    t.v[4] = 5783321u + a;
    skipahead_sequence(sequence, &t);
    skipahead(offset, &t);
    cudalab_begin(&t);
    *s = t;
}

CUDALAB_FN unsigned curand(curandStateXORWOW *s)
{
    cudalab_bits160 v = {{s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]}};
    cudalab_xorwow_step(v);
#pragma unroll
    for (int k = 0; k < 5; k++)
        s->v[k] = v.word[k];
    s->d += 362437u;
    return v.word[4] + s->d;
}

/* ---- Philox: ten rounds over a counter of 128 bits ---- */

CUDALAB_FN uint4 curand_Philox4x32_10(uint4 c, uint2 key)
{
#pragma unroll
    for (int round = 0; round < 10; round++) {
        const unsigned long long x = 0xd2511f53ULL * c.x, z = 0xcd9e8d57ULL * c.z;
        c = make_uint4((unsigned)(z >> 32) ^ c.y ^ key.x, (unsigned)z,
                       (unsigned)(x >> 32) ^ c.w ^ key.y, (unsigned)x);
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return c;
}

CUDALAB_FN void cudalab_philox_move(curandStatePhilox4_32_10 *s, unsigned long long low,
                                    unsigned long long high)
{
    unsigned long long a = (unsigned long long)s->ctr.y << 32 | s->ctr.x;
    unsigned long long b = (unsigned long long)s->ctr.w << 32 | s->ctr.z;
    a += low;
    b += high + (a < low);
    s->ctr = make_uint4((unsigned)a, (unsigned)(a >> 32), (unsigned)b, (unsigned)(b >> 32));
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}

CUDALAB_FN void skipahead(unsigned long long n, curandStatePhilox4_32_10 *s)
{
    const unsigned at = s->STATE + (unsigned)(n & 3);
    s->STATE = at & 3;
    cudalab_philox_move(s, n / 4 + at / 4, 0);
}
CUDALAB_FN void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *s)
{
    cudalab_philox_move(s, 0, n);
}

CUDALAB_FN void curand_init(unsigned long long seed, unsigned long long sequence,
                            unsigned long long offset, curandStatePhilox4_32_10 *s)
{
    s->ctr = make_uint4(0, 0, 0, 0);
    s->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    s->STATE = (unsigned)(offset & 3);
    cudalab_no_normal(s);
    cudalab_philox_move(s, offset / 4, sequence);
}

CUDALAB_FN unsigned curand(curandStatePhilox4_32_10 *s)
{
    const uint4 o = s->output;
    const unsigned at = s->STATE++;
    if (at == 3) {
        s->STATE = 0;
        cudalab_philox_move(s, 1, 0);
    }
    return at == 0 ? o.x : at == 1 ? o.y : at == 2 ? o.z : o.w;
}

CUDALAB_FN uint4 curand4(curandStatePhilox4_32_10 *s)
{
    const uint4 a = s->output;
    cudalab_philox_move(s, 1, 0);
    const uint4 b = s->output;
    return s->STATE == 0   ? a
           : s->STATE == 1 ? make_uint4(a.y, a.z, a.w, b.x)
           : s->STATE == 2 ? make_uint4(a.z, a.w, b.x, b.y)
                           : make_uint4(a.w, b.x, b.y, b.z);
}

#include "cudalab_curand_mrg.h"
#include "cudalab_curand_mtgp.h"
#include "cudalab_curand_sobol.h"
#include "cudalab_curand_values.h"
#include "cudalab_curand_discrete.h"

#endif
