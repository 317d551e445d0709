/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an observer of a launch on libcudasim may ask for. sim.h includes this header.
 *
 * An observer fills in the hooks that it wants; those that stay NULL cost nothing. They are called
 * while the launch runs, in the order in which things happen. What a hook is given is only valid
 * until it returns. An observer may not change anything, nor start, step or finish a launch.
 */
#ifndef CUDASIM_HOOKS_H
#define CUDASIM_HOOKS_H

#include "instruction.h"

#include <stddef.h>

struct sim_run;

struct sim_begin {
    struct sim_run *run;
    const struct sim_instruction *code; /* all instructions, and how many */
    uint32_t code_count;
    unsigned grid[3], block[3], cluster[3];
    uint64_t shared_bytes, local_bytes; /* of a block, of a thread */
    uint64_t system_at, system_bytes;   /* the system fills this part of shared memory with zeros */
};

/* A child grid: device code launched it. */
struct sim_grid {
    struct sim_begin begin;
    uint64_t number; /* counted from 1 in the order of the launches; the host's grid is 0 */
    uint64_t parent; /* the number of the grid that launched it */
    uint64_t stream; /* of its parent's children, those of one stream run one after the other */
    bool tail;       /* it is a tail launch: it begins when the parent's other children are complete */
    bool events;     /* streams of the parent wait for events: its children are ordered in some way */
};

struct sim_block {
    struct sim_run *run;
    uint64_t index, when;
    uint64_t steps; /* warp instructions that it has executed, when it ends */
    unsigned at[3];
};

/* Lanes of a warp at an instruction. */
struct sim_at {
    struct sim_run *run;                /* for sim_element_at() */
    const struct sim_instruction *code; /* the one at pc */
    uint32_t pc;
    uint32_t mask;                      /* the lanes */
    unsigned warp;                      /* in its block */
    unsigned block[3];
    uint64_t block_index;
    uint64_t when;                      /* warp instructions executed so far */
};

/* Rows of 32 values, a row for each element of a vector. */
struct sim_values {
    const void *row[4];
    unsigned bytes, apart; /* a lane has so many bytes, and so many are from lane to lane */
};

enum sim_access_kind { SIM_LOAD, SIM_STORE, SIM_ATOMIC, SIM_REDUCE };
struct sim_access {
    enum sim_access_kind kind;
    enum sim_space space;     /* where the addresses really lie */
    uint64_t owner;           /* SIM_CLUSTER: index of the block that has the memory */
    unsigned bytes;           /* a lane */
    unsigned part;            /* of these, an element of a vector, or all */
    const uint64_t *address;  /* 32; within their window for shared and local */
    bool even;                /* all lanes active, evenly spaced: lane i is at */
    uint64_t first, step;     /* first + (i + turn) % 32 * step */
    unsigned turn;
    bool halves;              /* all lanes active, each half evenly spaced by step */
    bool repeats;             /* it stands for those that come again: see sim_hooks.repeated */
    uintptr_t host;           /* lane i's bytes lie at host + address[i]; or 0 */
    const struct sim_values *stored; /* of a store, else NULL */
};

struct sim_barrier {
    unsigned number;
    bool whole; /* it waits for all threads of the block */
};

/* What an asynchronous copy other than cp.async completes. */
struct sim_copy {
    bool mbarrier;           /* it completes an mbarrier; else a group, see sim_instruction.async */
    uint64_t owner, address; /* of the mbarrier: its block's index, its place in shared memory */
};

/* What happens at an mbarrier. INIT, INVAL: it is made, or ended. ARRIVE: lanes arrive. BYTES:
 * bytes of a copy have come. COPIES: it waits for cp.async of these lanes. WAITED: lanes have
 * waited for the last phase that is over. */
enum sim_mbarrier_event {
    SIM_MBARRIER_INIT, SIM_MBARRIER_INVAL, SIM_MBARRIER_ARRIVE, SIM_MBARRIER_BYTES,
    SIM_MBARRIER_COPIES, SIM_MBARRIER_WAITED
};
struct sim_mbarrier {
    enum sim_mbarrier_event what;
    uint64_t owner, address; /* as in struct sim_copy */
    bool ends;               /* this event completes the phase */
    bool relaxed;            /* the instruction is .relaxed: it orders no accesses to memory */
};

#define SIM_HOOKS .size = sizeof(struct sim_hooks)
struct sim_hooks {
    size_t size; /* SIM_HOOKS */
    void (*begin)(void *self, const struct sim_begin *);
    void (*end)(void *self, struct sim_run *); /* all blocks of all grids have ended */
    void (*block_begin)(void *self, const struct sim_block *);
    void (*block_end)(void *self, const struct sim_block *);

    /* After each instruction; its result, where that can be shown, and of which type. No lanes: the
     * guard kept all of them out. */
    void (*instruction)(void *self, const struct sim_at *, const void *row, enum sim_type);
    void (*branch)(void *self, const struct sim_at *, uint32_t taken); /* the lanes that take it */
    /* Rows of 32 values of 32 bits, as they were and as they are. */
    void (*shuffle)(void *self, const struct sim_at *, const uint32_t *before,
                    const uint32_t *after);

    /* Before the memory is accessed. An access of a whole warp is alike to the instruction's last
     * one where both lie in the same way, and begin at the same place within `alike` bytes, in
     * shared memory within `alike_shared` bytes: powers of 2. An observer with a hook `repeated`
     * isn't told of it: alike accesses are counted, until another one is told or the launch
     * ends. */
    void (*load)(void *self, const struct sim_at *, const struct sim_access *);
    void (*store)(void *self, const struct sim_at *, const struct sim_access *);
    void (*atomic)(void *self, const struct sim_at *, const struct sim_access *);
    void (*repeated)(void *self, uint32_t pc, uint64_t times);
    unsigned alike, alike_shared;

    /* Lanes come to a barrier of the block, waiting there or not; and it lets lanes go on. */
    void (*arrive)(void *self, const struct sim_at *, const struct sim_barrier *);
    void (*barrier)(void *self, const struct sim_at *, const struct sim_barrier *);
    /* Lanes wait for other lanes of their warp, all of `named`; and have waited for each other. */
    void (*wait)(void *self, const struct sim_at *, uint32_t named);
    void (*sync)(void *self, const struct sim_at *);
    /* Lanes come to the barrier of the block's cluster; and all of the cluster have come. */
    void (*cluster_arrive)(void *self, const struct sim_at *);
    void (*cluster_barrier)(void *self, const struct sim_at *);
    void (*fence)(void *self, const struct sim_at *);
    /* cp.async and cp.async.bulk: lanes commit a group of copies, or have waited for groups. Only
     * the latest `left` groups may still run then. */
    void (*copy_commit)(void *self, const struct sim_at *);
    void (*copy_wait)(void *self, const struct sim_at *, unsigned left);

    /* A lane has got memory from malloc, or gives it back. */
    void (*allocate)(void *self, const struct sim_at *, uint64_t address, uint64_t bytes);
    void (*release)(void *self, const struct sim_at *, uint64_t address);

    /* A lane starts an asynchronous copy. The accesses of the copy follow. */
    void (*copy)(void *self, const struct sim_at *, const struct sim_copy *);
    /* Something happens at an mbarrier. */
    void (*mbarrier)(void *self, const struct sim_at *, const struct sim_mbarrier *);

    /* A lane launches a child grid of this number. The child grid begins: the blocks of all grids
     * before it have ended. */
    void (*launch)(void *self, const struct sim_at *, uint64_t number);
    void (*grid)(void *self, const struct sim_grid *);

    /* A launch may use several cores if all of its observers have these. split: another observer
     * of the same kind, which is told of a part of the blocks, from `begin` on; NULL: memory is out.
     * It is used by one thread at a time, beside others. clean: it has found nothing, and has room
     * for everything. join: the part is done; if it `counts`, the first one takes over what it saw. If
     * the launch starts over, `begin` is called again, and what was seen before counts for nothing. */
    void *(*split)(void *self);
    bool (*clean)(const void *self);
    void (*join)(void *self, void *part, bool counts);

    /* fence.proxy.async: asynchronous copies see what these lanes know of. Its space is that of the
     * instruction: shared memory, global memory, or generic for both. */
    void (*proxy_fence)(void *self, const struct sim_at *);

    /* Does the observer still want the instructions of this block? It is asked again and again. In a
     * block where no observer wants them, `instruction` is not called. NULL: it wants all. */
    bool (*watches)(void *self, uint64_t block);

    /* Before each instruction: the lanes that come to it, and those of them that its guard lets
     * execute it. Registers and memory have the values that the instruction will find. Lanes that
     * wait there for others of their warp may come once more. */
    void (*before)(void *self, const struct sim_at *, uint32_t active);
};

struct sim_observer {
    const struct sim_hooks *hooks; /* for as long as the launch runs */
    void *self;
};

#endif
