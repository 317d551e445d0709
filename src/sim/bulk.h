/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asynchronous copies of many bytes: what the decoder has to know of them. The header is for
 * src/sim/ alone.
 */
#ifndef SIM_BULK_H
#define SIM_BULK_H

#include "sim/handle.h"

enum { BULK_COPY = 0, BULK_ROWS = 7 };
/* Bytes a lane of the rows that a copy works with, in their order, one after the other. */
#define BULK_ROW_BYTES {8, 8, 4, 4, 4, 4, 8}

/* How values are joined, by a number: "add" and "u32". BULK_COPY: there is no such way. */
uint8_t bulk_way(const char *op, const char *type);
op_fn bulk_joins(const struct sim *, uint8_t way); /* NULL: it is not there */

#endif
