/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Philox4x32-10: random numbers by counter (Salmon and others, "Parallel Random Numbers: As
 * Easy as 1, 2, 3", SC 2011). The same key and counter give the same four words, in any order
 * and on any machine, which is why GPUs use it.
 */
#ifndef BASE_PHILOX_H
#define BASE_PHILOX_H

#include <stdint.h>

void philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]);

#endif
