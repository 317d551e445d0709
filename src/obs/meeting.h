/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who of a launch's first block comes to which barrier: of the block, or of lanes of a warp alone.
 * Shuffles and votes wait for lanes too, but are no barriers.
 */
#ifndef OBS_MEETING_H
#define OBS_MEETING_H

#include "base/mem.h"
#include "sim/sim.h"
#include <stdbool.h>
#include <stdint.h>

struct meeting {
    const char *file; /* NULL: not known */
    int line;
    unsigned warp;
    uint32_t mask;  /* the lanes that came */
    uint32_t group; /* the barrier's number; of lanes alone, those that wait for each other */
    bool of_lanes;  /* as __syncwarp */
    bool open;      /* they never went on */
};

enum { MEETINGS_MOST = 1024 }; /* those that come later are not kept */

/* In the order they came; the room is the arena's. */
struct meetings {
    struct meeting *items;
    size_t count;
    struct arena *memory;
};

struct sim_observer meetings_observer(struct meetings *, struct arena *);

#endif
