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

/* The vectors of our dimensions, and the constants of all that NVIDIA's library has. Numbers of 32
 * bits are the high halves of these. */
struct scramble {
    uint64_t vectors[SOBOL_DIMENSIONS][64], constants[SOBOL_DIMENSIONS_OF_NVIDIA];
};

/* They are made by the first call and stay until the process ends. NULL: no memory is left. */
const struct scramble *scramble(void);

#endif
