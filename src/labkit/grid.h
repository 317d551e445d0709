/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A grid of blocks: its sizes, coordinates in it, and the order in which its blocks were seen to
 * run.
 */
#ifndef LABKIT_GRID_H
#define LABKIT_GRID_H

#include "screen/report.h"
#include <stdbool.h>
#include <stdint.h>

struct grid {
    unsigned blocks[3], threads[3];
    uint64_t block_count, block_size; /* blocks in all; threads in one */
    bool flat;                        /* one dimension each */
};

/* -1: it has more threads than `most`; the report says why that is too many, as "each thread
 * prints a line", and what would be right. */
int grid_read(struct grid *, const unsigned blocks[3], const unsigned threads[3], uint64_t most,
              const char *why, const char *example, struct report *);
enum { GRID_TEXT = 100 };
const char *grid_text(const struct grid *, char out[GRID_TEXT]); /* "2, 4", "dim3(2,3), 64" */
void grid_coordinates(const unsigned size[3], uint64_t index, unsigned out[3]);
/* Did every thread print one line, the one that `line` gives for it? */
bool grid_prints_once(const struct grid *, const struct launch_result *,
                      void (*line)(const struct grid *, uint64_t block, uint64_t thread,
                                   char out[128]));
/* "1 0 3 2 ...": the blocks in the order of the first lines they printed; and the reverse
 * order, which is also legal. */
void grid_orders(const struct grid *, const struct launch_result *, char order[128],
                 char other[128]);
void say_grid_orders(struct report *, const char *order, const char *other);

#endif
