/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of cuRAND's MT19937. 8192 sequences of Matsumoto and Nishimura's generator take turns.
 * Each begins 2^2048 steps behind the one before. A turn takes eight words, and not those that
 * follow one another: the order is as if eight threads made the words of a sequence together.
 *
 * The distance and the order were found by comparing with what NVIDIA's library gives.
 */
#ifndef RUN_LIBRARIES_TWISTER_H
#define RUN_LIBRARIES_TWISTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct twister;

/* Only the low 32 bits of a seed count. NULL: no memory is left. */
struct twister *twister_new(uint64_t seed);
/* The next n words. Few words begin few sequences only. False: no memory is left. */
bool twister_take(struct twister *, size_t n, uint32_t *words);
void twister_free(struct twister *);

/* ---- jumps, here for their test ------------------------------------------------------------ */

enum { TWISTER_STATE = 624, TWISTER_JUMP_LOG2 = 2048 };

struct twister_jump;

/* A jump of 2^log2 steps. NULL: no memory is left. */
struct twister_jump *twister_jump_new(unsigned log2);
/* The state moves on. It is words of the sequence in a row, as they are before they are tempered.
 * Of the first word only the highest bit counts. */
void twister_jump(struct twister_jump *, uint32_t state[TWISTER_STATE]);
/* The state moves on by one step. */
void twister_step(uint32_t state[TWISTER_STATE]);
void twister_jump_free(struct twister_jump *);

#endif
