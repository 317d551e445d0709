/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does a one-dimensional launch have a thread for each of n elements, and where it hasn't, what
 * would.
 */
#ifndef OWN_SHAPE_H
#define OWN_SHAPE_H

#include "screen/report.h"

struct shape { unsigned blocks, threads; };

uint64_t shape_threads(struct shape); /* of all blocks */
uint64_t divide_up(uint64_t n, uint64_t by);
/* So many threads a block, in as many blocks as n needs or as the device holds twice over, if it
 * strides: then each thread takes what it can. */
unsigned shape_blocks(uint64_t n, unsigned threads, bool strides, const struct device_props *);
/* Has a grid of the device room for them? -1: the report says how many it takes. */
int blocks_in_grid(unsigned blocks, const struct device_props *, struct report *);
/* Has a block of the device room for them? */
int threads_in_block(unsigned threads, const struct device_props *, struct report *);
/* Can an int number all threads, and, where they stride over n, what comes after? */
int shape_counted(struct shape, int n, bool strides, struct report *);
/* All of these, and is there one for each? -1: the report says what would fit. The elements'
 * numbers are ints. */
int shape_fits(struct shape, int n, bool strides, const struct device_props *, struct report *);

#endif
