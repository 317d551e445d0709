/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How NVIDIA's library scrambles Sobol sequences. Each dimension has a lower triangular matrix of
 * random bits, and its direction vectors are multiplied by this matrix. A random constant is added
 * to its points.
 *
 * The random bits are words of XORWOW with the seed 0. This was found by comparing with the vectors
 * and the constants that NVIDIA's library gives.
 */
#ifndef RUN_LIBRARIES_SCRAMBLE_H
#define RUN_LIBRARIES_SCRAMBLE_H

#include "run/libraries/rand/sobol.h"

/* The vectors of a dimension become scrambled. False: no memory is left. */
bool scramble_vectors(unsigned dimension, uint64_t v[64]);
/* The constants of all dimensions of NVIDIA's library. Those of 32 bits are their high halves.
 * NULL: no memory is left. */
const uint64_t *scramble_constants(void);

#endif
