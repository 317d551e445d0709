/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers of a Poisson distribution from one word each, by a table as in "Fast generation of
 * discrete random variables" (Marsaglia, Tsang, Wang, 2004). All columns of the
 * table are of one width. A column belongs to one number or, from some height on, to another one.
 */
#ifndef RUN_LIBRARIES_POISSON_H
#define RUN_LIBRARIES_POISSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { POISSON_MEAN_END = 2000 }; /* cuRAND takes another way from this mean on */

/* Words become numbers, in place. False: no memory is left. */
bool poisson_of(double mean, size_t n, uint32_t *words);

#endif
