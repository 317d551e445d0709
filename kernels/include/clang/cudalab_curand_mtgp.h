/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MTGP32, a Mersenne Twister for the threads of a block; part of curand_kernel.h. All threads of a
 * block share a state and take their numbers together: thread t makes the word that is t behind
 * the state's place. The recurrence is by Saito (arXiv 1005.4973). Its parameters are made by the
 * host library, so that a state comes from there.
 */
#ifndef CUDALAB_CURAND_MTGP_H
#define CUDALAB_CURAND_MTGP_H

enum : int { CUDALAB_MTGP_SETS = 200, CUDALAB_MTGP_WORDS = 351 };

struct mtgp32_kernel_params {
    unsigned pos_tbl[CUDALAB_MTGP_SETS];
    unsigned param_tbl[CUDALAB_MTGP_SETS][16], temper_tbl[CUDALAB_MTGP_SETS][16];
    unsigned single_temper_tbl[CUDALAB_MTGP_SETS][16];
    unsigned sh1_tbl[CUDALAB_MTGP_SETS], sh2_tbl[CUDALAB_MTGP_SETS], mask[1];
};
struct curandStateMtgp32 {
    unsigned s[1024];
    int offset, pIdx;
    mtgp32_kernel_params *k;
};
typedef mtgp32_kernel_params mtgp32_kernel_params_t;
typedef curandStateMtgp32 curandStateMtgp32_t;

/* Word number `at`, counted from the state's place; all words lie in a ring. */
CUDALAB_FN unsigned &cudalab_mtgp_word(curandStateMtgp32 *s, unsigned at)
{
    return s->s[(s->offset + at) & 1023];
}

/* One word by thread t, and the number that is made of it. All `count` threads go on together. */
CUDALAB_FN unsigned cudalab_mtgp_next(curandStateMtgp32 *s, unsigned t, unsigned count)
{
    const mtgp32_kernel_params *const k = s->k;
    const int set = s->pIdx;
    const unsigned pick = k->pos_tbl[set];
    unsigned x = (cudalab_mtgp_word(s, t) & k->mask[0]) ^ cudalab_mtgp_word(s, t + 1);
    x ^= x << k->sh1_tbl[set];
    x ^= cudalab_mtgp_word(s, t + pick) >> k->sh2_tbl[set];
    x ^= k->param_tbl[set][x & 15];
    cudalab_mtgp_word(s, t + CUDALAB_MTGP_WORDS) = x;
    unsigned temper = cudalab_mtgp_word(s, t + pick - 1);
    temper ^= temper >> 16;
    temper ^= temper >> 8;
    x ^= k->temper_tbl[set][temper & 15];
    __syncthreads();
    if (t == 0)
        s->offset = (s->offset + count) & 1023;
    __syncthreads();
    return x;
}
CUDALAB_FN unsigned curand_mtgp32_specific(curandStateMtgp32 *s, unsigned char t, unsigned char n)
{
    return cudalab_mtgp_next(s, t, n);
}

/* The thread's number is what cuRAND takes. In a block of three dimensions it isn't the rank. */
CUDALAB_FN unsigned curand(curandStateMtgp32 *s)
{
    return cudalab_mtgp_next(s,
                             blockDim.z * blockDim.y * threadIdx.z + blockDim.x * threadIdx.y +
                                 threadIdx.x,
                             blockDim.x * blockDim.y * blockDim.z);
}

#endif
