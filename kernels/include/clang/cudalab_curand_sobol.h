/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quasirandom numbers, by Sobol's sequences of 32 and 64 bits; part of curand_kernel.h. The caller
 * gives a dimension's direction vectors. Number i is the exclusive or of the vectors whose bits
 * are set in i's Gray code. So one vector leads from each number to the next. A scrambled sequence
 * has the exclusive or of all its numbers with one constant.
 */
#ifndef CUDALAB_CURAND_SOBOL_H
#define CUDALAB_CURAND_SOBOL_H

template <class Word> struct cudalab_sobol {
    Word i, x, c;
    Word direction_vectors[8 * sizeof(Word)];
};
struct curandStateSobol32 : cudalab_sobol<unsigned> {};
struct curandStateScrambledSobol32 : cudalab_sobol<unsigned> {};
struct curandStateSobol64 : cudalab_sobol<unsigned long long> {};
struct curandStateScrambledSobol64 : cudalab_sobol<unsigned long long> {};
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;

template <class Word> CUDALAB_FN void cudalab_sobol_skip(Word n, cudalab_sobol<Word> *s)
{
    s->i += n;
    s->x = s->c;
    Word gray = s->i ^ s->i >> 1;
#pragma nounroll
    for (Word vector : s->direction_vectors) {
        s->x ^= vector & (0 - (gray & 1));
        gray >>= 1;
    }
}
template <class Word>
CUDALAB_FN void cudalab_sobol_begin(const Word *vectors, Word c, Word offset,
                                    cudalab_sobol<Word> *s)
{
    s->i = 0;
    s->c = c;
#pragma nounroll
    for (unsigned k = 0; k < 8 * sizeof(Word); k++)
        s->direction_vectors[k] = vectors[k];
    cudalab_sobol_skip(offset, s);
}
template <class Word> CUDALAB_FN Word curand(cudalab_sobol<Word> *s)
{
    const Word x = s->x;
    const int ones = __ffsll(~(unsigned long long)s->i) - 1, last = 8 * sizeof(Word) - 1;
    s->x ^= s->direction_vectors[ones < 0 || ones > last ? last : ones];
    s->i++;
    return x;
}

CUDALAB_FN void skipahead(unsigned n, cudalab_sobol<unsigned> *s) { cudalab_sobol_skip(n, s); }
CUDALAB_FN void skipahead(unsigned long long n, cudalab_sobol<unsigned long long> *s)
{ cudalab_sobol_skip(n, s); }

CUDALAB_FN void curand_init(curandDirectionVectors32_t vectors, unsigned offset,
                            curandStateSobol32 *s)
{ cudalab_sobol_begin(vectors, 0u, offset, s); }
CUDALAB_FN void curand_init(curandDirectionVectors64_t vectors, unsigned long long offset,
                            curandStateSobol64 *s)
{ cudalab_sobol_begin(vectors, 0ULL, offset, s); }
CUDALAB_FN void curand_init(curandDirectionVectors32_t vectors, unsigned scramble,
                            unsigned offset, curandStateScrambledSobol32 *s)
{ cudalab_sobol_begin(vectors, scramble, offset, s); }
CUDALAB_FN void curand_init(curandDirectionVectors64_t vectors, unsigned long long scramble,
                            unsigned long long offset, curandStateScrambledSobol64 *s)
{ cudalab_sobol_begin(vectors, scramble, offset, s); }

#endif
