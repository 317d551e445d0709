/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What programs get of Sobol sequences, for all dimensions: direction vectors, and the constants of
 * scrambled ones. A table is made by the first call for it and stays until the process ends. A read
 * behind the vectors, where NVIDIA's library has more dimensions, ends the program.
 */
#ifndef RUN_LIBRARIES_TABLES_H
#define RUN_LIBRARIES_TABLES_H

#include <stdbool.h>

/* NULL: no memory is left. */
void *tables_vectors(bool wide, bool scrambled);
void *tables_constants(bool wide);

#endif
