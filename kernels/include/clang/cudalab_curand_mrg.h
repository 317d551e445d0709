/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MRG32k3a, two recurrences modulo two primes; part of curand_kernel.h. A jump multiplies each
 * state by a power of its recurrence's matrix.
 */
#ifndef CUDALAB_CURAND_MRG_H
#define CUDALAB_CURAND_MRG_H

enum : unsigned { CUDALAB_MRG_P = 4294967087u, CUDALAB_MRG_Q = 4294944443u };

struct cudalab_matrix { unsigned at[3][3]; };

/* x[0] a + x[1] b + x[2] c modulo m. The sum of three products may overflow, so each of them is
 * reduced first. */
CUDALAB_FN unsigned cudalab_dot(const unsigned *x, unsigned a, unsigned b, unsigned c, unsigned m)
{
    unsigned long long sum = (unsigned long long)x[0] * a % m;
    sum += (unsigned long long)x[1] * b % m;
    sum += (unsigned long long)x[2] * c % m;
    return (unsigned)(sum % m);
}

CUDALAB_FN void cudalab_mrg_jump(unsigned *state, cudalab_matrix a, unsigned m,
                                 unsigned long long n)
{
    unsigned v[3] = {state[0], state[1], state[2]};
#pragma nounroll
    for (; n; n >>= 1) {
        if (n & 1) {
            unsigned x = v[0], y = v[1], z = v[2];
#pragma unroll
            for (int i = 0; i < 3; i++)
                v[i] = cudalab_dot(a.at[i], x, y, z, m);
        }
        cudalab_matrix b;
#pragma unroll
        for (int i = 0; i < 9; i++)
            b.at[i / 3][i % 3] = cudalab_dot(a.at[i / 3], a.at[0][i % 3], a.at[1][i % 3],
                                             a.at[2][i % 3], m);
        a = b;
    }
#pragma unroll
    for (int i = 0; i < 3; i++)
        state[i] = v[i];
}

/* Both matrices to the power that the function's name stands for: 1, 2^76 and 2^127. */
#define CUDALAB_MRG_JUMP(name, ...)                                                            \
    CUDALAB_FN void name(unsigned long long n, curandStateMRG32k3a *s)                         \
    {                                                                                          \
        const cudalab_matrix both[2] = __VA_ARGS__;                                            \
        cudalab_mrg_jump(s->s1, both[0], CUDALAB_MRG_P, n);                                    \
        cudalab_mrg_jump(s->s2, both[1], CUDALAB_MRG_Q, n);                                    \
    }
CUDALAB_MRG_JUMP(skipahead,
                 {{{{0, 1, 0}, {0, 0, 1}, {CUDALAB_MRG_P - 810728u, 1403580u, 0}}},
                  {{{0, 1, 0}, {0, 0, 1}, {CUDALAB_MRG_Q - 1370589u, 0, 527612u}}}})
CUDALAB_MRG_JUMP(skipahead_subsequence,
                 {{{{82758667u, 1871391091u, 4127413238u},
                    {3672831523u, 69195019u, 1871391091u},
                    {3672091415u, 3528743235u, 69195019u}}},
                  {{{1511326704u, 3759209742u, 1610795712u},
                    {4292754251u, 1511326704u, 3889917532u},
                    {3859662829u, 4292754251u, 3708466080u}}}})
CUDALAB_MRG_JUMP(skipahead_sequence,
                 {{{{2427906178u, 3580155704u, 949770784u},
                    {226153695u, 1230515664u, 3580155704u},
                    {1988835001u, 986791581u, 1230515664u}}},
                  {{{1464411153u, 277697599u, 1610723613u},
                    {32183930u, 1464411153u, 1022607788u},
                    {2824425944u, 32183930u, 2093834863u}}}})

CUDALAB_FN void curand_init(unsigned long long seed, unsigned long long sequence,
                            unsigned long long offset, curandStateMRG32k3a *s)
{
    const unsigned x = (unsigned)seed ^ 0x55555555u, y = (unsigned)(seed >> 32) ^ 0xaaaaaaaau;
#pragma unroll
    for (int i = 0; i < 3; i++) {
        s->s1[i] = seed ? (unsigned)(12345ULL * (i & 1 ? y : x) % CUDALAB_MRG_P) : 12345u;
        s->s2[i] = seed ? (unsigned)(12345ULL * (i & 1 ? x : y) % CUDALAB_MRG_Q) : 12345u;
    }
    skipahead_subsequence(sequence, s);
    skipahead(offset, s);
    cudalab_begin(s);
}

/* The next number, which is between 1 and P. */
CUDALAB_FN unsigned cudalab_mrg_next(curandStateMRG32k3a *s)
{
    const unsigned p = (unsigned)((1403580ULL * s->s1[1] +
                                   810728ULL * (CUDALAB_MRG_P - s->s1[0])) % CUDALAB_MRG_P);
    const unsigned q = (unsigned)((527612ULL * s->s2[2] +
                                   1370589ULL * (CUDALAB_MRG_Q - s->s2[0])) % CUDALAB_MRG_Q);
    s->s1[0] = s->s1[1], s->s1[1] = s->s1[2], s->s1[2] = p;
    s->s2[0] = s->s2[1], s->s2[1] = s->s2[2], s->s2[2] = q;
    return p <= q ? p - q + CUDALAB_MRG_P : p - q;
}

CUDALAB_FN unsigned curand(curandStateMRG32k3a *s)
{
    return (unsigned)((double)cudalab_mrg_next(s) * 1.000000048662);
}

#endif
