/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the decoder needs to know about asynchronous copies of many bytes. Only src/sim/ uses this
 * header.
 */
#ifndef SIM_BULK_H
#define SIM_BULK_H

#include "sim/handle.h"

enum { BULK_COPY = 0, BULK_ROWS = 7 };
/* The bytes per lane of each scratch row of a copy. The rows lie one after the other in this
 * order. */
#define BULK_ROW_BYTES {8, 8, 4, 4, 4, 4, 8}

/* The number of a reduction, such as "add" with the type "u32". BULK_COPY: there is none. */
uint8_t bulk_reduction(const char *op, const char *type);
/* The function that does the reduction. NULL: this simulator does not have it. */
op_fn bulk_reduction_op(const struct sim *, uint8_t reduction);

#endif
