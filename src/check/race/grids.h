/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The grids of a launch, and what is ordered between them.
 *
 * A child grid comes after what its launching thread did and knew when it launched it. Nothing
 * orders it with what its parent does later. Child grids of one stream are ordered, and a tail
 * launch comes after its parent and the other children. All of this is inherited by the grids that
 * a child launches. A grid is over when its children are, so only the two branches of the tree
 * decide where two grids meet.
 */
#ifndef CHECK_RACE_GRIDS_H
#define CHECK_RACE_GRIDS_H

#include "check/race/order.h"
#include "sim/sim.h"

/* What a thread knew when it launched a child grid. */
struct launch_note {
    uint32_t block_warp;  /* the first warp of its block, */
    unsigned warp, lane;  /* its warp in the block, its lane */
    uint64_t at, full, block, all; /* now; what its warp, its block and everybody knew */
    bool more; /* it knew more than that: all is taken to be ordered */
    size_t grid; /* its number among those that have begun; 0: the child has not begun */
};

struct race_grid {
    uint32_t first_warp;
    unsigned warps, grid[3], block_size[3]; /* warps: of a block */
    size_t parent; /* its number among those that have begun */
    uint64_t number, stream;
    unsigned depth;
    bool tail, events;
};

struct grids {
    struct race_grid *items; /* those that have begun; the last one runs now */
    size_t count, capacity;
    struct launch_note *notes; /* by number of the grid, from 1 on */
    size_t note_count, note_capacity;
};

/* False: there is no room, or there are no more numbers for warps. `child`: NULL for the host's. */
bool grids_begin(struct grids *, const struct sim_begin *, const struct sim_grid *child);
bool grids_launch(struct grids *, struct order *, const struct block_order *, const struct sim_at *,
                  uint64_t number);
void grids_end(struct grids *);
static inline const struct race_grid *grids_now(const struct grids *g)
{
    return &g->items[g->count - 1];
}
const struct race_grid *grids_of(const struct grids *, uint32_t warp);

/* Is what a lane of an earlier grid did ordered before the grid that runs now? */
bool grids_known(const struct grids *, const struct lane_time *);
/* The words behind a thread that say in which grid it is: " of the parent grid"; "" for this one. */
const char *grids_relation(const struct grids *, uint32_t warp);

#endif
