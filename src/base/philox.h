/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Philox4x32-10: random numbers by counter (Salmon and others, "Parallel Random Numbers: As
 * Easy as 1, 2, 3", SC 2011). The same key and counter give the same four words, in any order
 * and on any machine, which is why GPUs use it.
 */
#ifndef BASE_PHILOX_H
#define BASE_PHILOX_H

#include <stddef.h>
#include <stdint.h>

void philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]);
/* The first two words, low and high, for n counters in a row. A counter is a number of 64 bits
 * here: its upper two words are 0. */
void philox_row(const uint32_t key[2], uint64_t first, size_t n, uint32_t *low, uint32_t *high);

#endif
