/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sobol sequences. A point of a dimension is the exclusive or of some of its direction vectors: of
 * those for which the Gray code of the point's number has a bit. NVIDIA's library has 20,000
 * dimensions, and ours has the first ones of these.
 */
#ifndef RUN_LIBRARIES_SOBOL_H
#define RUN_LIBRARIES_SOBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SOBOL_DIMENSIONS = 1024, SOBOL_DIMENSIONS_OF_NVIDIA = 20000 };

/* The 64 vectors of a dimension. Those of 32 bits are the high halves of the first 32. */
void sobol_vectors(unsigned dimension, uint64_t v[64]);

/*
 * n points of a dimension from the first one on, for its vectors. A constant is added to each point
 * by exclusive or. A point of 64 bits is two words, the low one first.
 */
void sobol_points(const uint64_t v[64], uint64_t constant, bool wide, uint64_t first, size_t n,
                  uint32_t *words);

#endif
