/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does a one-dimensional launch have a thread for each of n elements? If not, which launch would?
 */
#ifndef LABKIT_SHAPE_H
#define LABKIT_SHAPE_H

#include "screen/report.h"

struct launch_shape { unsigned blocks, threads; };

uint64_t shape_threads(struct launch_shape); /* in all blocks */
uint64_t divide_up(uint64_t n, uint64_t by);
/* The blocks that n elements need, with so many threads each. If the kernel strides, it is at most
 * twice as many as the device holds, and each thread takes several elements. */
unsigned shape_blocks(uint64_t n, unsigned threads, bool strides, const struct device_props *);
/* Blocks of so many threads that the device can run at once, by its limits of threads and blocks;
 * and in *per_sm those of one multiprocessor. */
unsigned blocks_at_once(unsigned threads, const struct device_props *, unsigned *per_sm);
/* -1: a grid of the device has no room for them; the report says how many it takes. */
int blocks_in_grid(unsigned blocks, const struct device_props *, struct report *);
/* -1: a block of the device has no room for them. */
int threads_in_block(unsigned threads, const struct device_props *, struct report *);
/* -1: an int can't number all threads or, where they stride over n, what comes after n. */
int shape_counted(struct launch_shape, int n, bool strides, struct report *);
/* Checks all of this, and that there is a thread for each element. -1: the report says what would
 * fit. */
int shape_fits(struct launch_shape, int n, bool strides, const struct device_props *,
               struct report *);

#endif
