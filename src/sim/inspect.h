/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a launch is doing, where it stands between two instructions: its blocks and warps, the lanes
 * of a warp by their places, registers and shared memory. Nothing is changed.
 */
#ifndef CUDASIM_INSPECT_H
#define CUDASIM_INSPECT_H

#include "sim.h"

/* Lanes of a warp that stand at one instruction, which they execute next. */
enum sim_group_state {
    SIM_GROUP_READY,
    SIM_GROUP_AT_BARRIER,
    SIM_GROUP_AT_CLUSTER,
    SIM_GROUP_AT_SYNC
};
struct sim_group {
    uint32_t pc, mask;
    enum sim_group_state state;
    unsigned depth; /* calls that they are in */
};

enum { SIM_GROUPS = 32 };
struct sim_warp_state {
    uint32_t existing, alive; /* lanes that have a thread; and that have not ended */
    unsigned count;
    struct sim_group group[SIM_GROUPS]; /* by their first lanes */
};

/* The blocks that have begun and not ended, at most `most` of them, in order of their numbers; how
 * many there are. */
size_t sim_inspect_blocks(const struct sim_run *, uint64_t *blocks, size_t most);
void sim_inspect_counts(const struct sim_run *, uint64_t *all, uint64_t *ended);
/* Warps of each block, and threads. */
unsigned sim_inspect_warps(const struct sim_run *, unsigned *threads);
/* false: the block has not begun, or has ended. */
bool sim_inspect_warp(const struct sim_run *, uint64_t block, unsigned warp,
                      struct sim_warp_state *);

/* A register of a lane, `up` calls further out. */
struct sim_value {
    enum sim_type type;
    uint64_t bits[2];
};
enum { SIM_EACH_LANE = 32 };
/* A register of all lanes that stand together. It is asked for once, by its name and one of these
 * lanes, and holds until the launch goes on. */
struct sim_row {
    enum sim_type type;
    unsigned bytes;          /* of a lane's value; 0: it is a predicate */
    const unsigned char *at; /* the value of lane 0, which the others follow; or the predicate */
};
bool sim_inspect_row(const struct sim_run *, uint64_t block, unsigned warp, unsigned lane,
                     unsigned up, const char *name, struct sim_row *);
struct sim_value sim_row_value(const struct sim_row *, unsigned lane); /* a predicate is 0 or 1 */
bool sim_inspect_register(const struct sim_run *, uint64_t block, unsigned warp, unsigned lane,
                          unsigned up, const char *name, struct sim_value *);
/* Does a function have a register of this name? */
bool sim_has_register(const struct sim_run *, const char *function, const char *name,
                      enum sim_type *);

/* The call that a lane is in, `up` calls further out than its innermost one; false: there is none.
 * That is where the function returns to, and so the call is the instruction before it. */
bool sim_inspect_call(const struct sim_run *, uint64_t block, unsigned warp, unsigned lane,
                      unsigned up, uint32_t *pc);

/* A variable in the local memory of the lane's function, `up` calls further out; and a parameter of
 * the kernel, as it was launched. NULL: there is none. */
const unsigned char *sim_inspect_local(const struct sim_run *, uint64_t block, unsigned warp,
                                       unsigned lane, unsigned up, const char *name,
                                       uint64_t *bytes);
const unsigned char *sim_inspect_param(const struct sim_run *, const char *name, uint64_t *bytes);

/* What a lane reaches at a generic address, such as one in a register: `bytes` of them are there.
 */
const unsigned char *sim_inspect_generic(const struct sim_run *, uint64_t block, unsigned warp,
                                         unsigned lane, uint64_t address, uint64_t *bytes);

/* The shared memory of a block; NULL: it has none, or is not there. */
const unsigned char *sim_inspect_shared(const struct sim_run *, uint64_t block, uint64_t *bytes);
/* The i-th array in it; false: there are no more. Its address is that in the shared memory. */
struct sim_shared_array {
    const char *name;
    enum sim_type type; /* of its elements, as in the PTX */
    uint64_t at, bytes;
};
bool sim_inspect_shared_array(const struct sim_run *, uint32_t i, struct sim_shared_array *);

#endif
