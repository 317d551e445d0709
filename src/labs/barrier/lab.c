/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * barrier: who waits for whom. Threads leave numbers, wait, and take those of others; each variant
 * waits in another way. How one is run and judged is in labs/barrier/work.c, the screens are in
 * labs/barrier/say.c. Here is what there is to choose from.
 */
#include "labs/barrier/say.h"
#include "labs/barrier/work.h"
#include "labkit/lab.h"

#define BAD_BRANCH "barrier-divergence race-shared uninitialized"

static const struct lab_variant variants[] = {
    {"block", "barrier_block", "all threads of a block", .tag = WAIT_BLOCK},
    {"outside", "barrier_outside", "some have work, all come: the barrier is outside the branch",
     .tag = WAIT_WHO},
    {"named", "barrier_named", "groups of whole warps, a numbered barrier each", .tag = WAIT_WARPS},
    {"tiles", "barrier_tiles", "groups of lanes of a warp, by their mask", .tag = WAIT_TILE},
    {"flag", "barrier_flag", "blocks count themselves; all of them run at once",
     .tag = WAIT_GRID | COUNTS_ITSELF},
    {"grid", "barrier_grid", "all blocks, by a cooperative launch", .tag = WAIT_GRID},
    {"gridstride", "barrier_gridstride", "the same for more numbers than threads",
     .tag = WAIT_GRID | STRIDES},
    {"two-launches", "barrier_leave", "all blocks, however many: the kernel's end is the barrier",
     .tag = WAIT_GRID | TWO_LAUNCHES},
    {"cluster", "barrier_cluster", "blocks of a cluster, through each other's shared memory (9.0+)",
     .tag = WAIT_CLUSTER},
    {"branch", "barrier_branch", "a barrier in a branch that some take", "outside", BAD_BRANCH,
     WAIT_WHO},
    {"return", "barrier_return", "some leave before the barrier", "outside", BAD_BRANCH, WAIT_WHO},
    {"later", "barrier_later", "a branch with a barrier, and one behind it", "outside",
     BAD_BRANCH " timeout", WAIT_WHO | ALL_TAKE | NEVER_ENDS},
    {"sides", "barrier_sides", "a barrier in each side of a branch", "block", BAD_BRANCH,
     WAIT_WHO | BOTH_SIDES},
    {"fullmask", "barrier_fullmask", "__syncwarp() names lanes that wait elsewhere", "tiles",
     "deadlock timeout", WAIT_TILE | MASK_NAMES_ALL | NEVER_ENDS},
    {"miscount", "barrier_miscount", "barriers that wait for more threads than come", "named",
     "deadlock timeout", WAIT_WARPS | NEVER_ENDS},
    {"toomany", "barrier_flag", "flag, with more blocks than run at once", "two-launches",
     "timeout", WAIT_GRID | COUNTS_ITSELF | TOO_MANY | NEVER_ENDS},
    {"toobig", "barrier_grid", "grid, with more blocks than run at once", "gridstride",
     "bad-launch", WAIT_GRID | TOO_MANY},
    {"cluster-nosync", "barrier_cluster_nosync", "cluster, with a barrier of the block alone",
     "cluster", "race-shared uninitialized", WAIT_CLUSTER},
    {"cluster-noend", "barrier_cluster_noend", "cluster, and no barrier before blocks end",
     "cluster", "race-shared use-after-free", WAIT_CLUSTER},
    {"badlaunch", "barrier_grid", "grid, launched by <<<>>>", "grid", "trap", WAIT_GRID | PLAINLY},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct barrier_options, who), .value = "N", .type = ARG_INT, .lo = 1, .hi = 1024,
     .help = "threads that take the branch, of those that the block has"},
    {OPTION(struct barrier_options, group), .value = "N", .type = ARG_INT, .lo = 1, .hi = 1024,
     .help = "threads that wait for each other, where only some do"},
    {0},
};

static const struct lab lab = {
    .module = "barrier",
    .takes = TAKES_VARIANT | TAKES_BLOCKS | TAKES_THREADS | TAKES_REPEAT | TAKES_TRACE |
             TAKES_CALLS | TAKES_COUNTERS,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct barrier_options *o = given;
    struct barrier b = {.run = {s, r, &o->lab, &lab}, .options = o};
    return ladder_run(&barrier_ladder, &b.run);
}

const struct command lab_barrier = {
    .name = "barrier",
    .kind = CLASS_LAB,
    .summary = "who waits for whom: lanes, warps, blocks, the grid",
    .options = options,
    .size = sizeof(struct barrier_options),
    .lab = &lab,
    .run = run,
};
