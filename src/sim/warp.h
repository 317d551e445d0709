/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Warps and blocks as they run. The header is for src/sim/ alone.
 *
 * Control flow within a warp is kept as splits and joins: a split is a set of lanes at one pc;
 * where lanes part, a join remembers at which pc (the post-dominator) they meet again and which
 * lanes are still expected. The code there starts with a hidden MEET instruction, so nothing is
 * checked anywhere else. Running the newest split first gives the classic reconvergence stack;
 * running any other is as legal, and that is all that independent scheduling needs.
 */
#ifndef SIM_WARP_H
#define SIM_WARP_H

#include "base/lanes.h"
#include "sim/code.h"

enum { BARRIERS = 16 };
enum { CALL_BYTES = 16 }; /* of a thread's stack, for each call: a card keeps the way back there */

/* Where lanes continue after a function: the call that they made, by its index, and the
 * instruction behind it. */
struct return_to {
    uint32_t call, pc;
};

struct frame {
    struct frame *parent;
    const struct function *of;
    struct return_to back; /* where the lanes return that made the frame */
    uint32_t others;       /* the lanes that came from another place of the caller, */
    struct return_to other[LANES]; /* and where each of these returns */
    uint32_t local_base; /* of its bytes in each thread's local memory */
    uint32_t lanes;      /* those still in it */
    uint32_t capacity;   /* bytes behind rows */
    unsigned char *rows; /* frame_bytes, 64-aligned */
};

struct join {
    uint32_t pc, expected, arrived;
    struct join *parent;
    struct frame *frame;
};

enum split_state { READY, AT_BARRIER, AT_CLUSTER, AT_SYNC };
struct split {
    uint32_t pc, mask;
    struct join *join;
    struct frame *frame;
    enum split_state state;
    uint32_t wait; /* AT_BARRIER: its number; AT_SYNC: the mask it named */
    bool forced;   /* let through a synchronisation that can't complete */
};

/* Do the lanes that run go in circles while others of their warp wait for them? See launch.c. */
struct circle {
    uint64_t ran;   /* instructions since the last look */
    unsigned watch; /* steps that are still compared with the mark; 0: there is none */
    uint32_t pc;
    uint64_t registers;
    bool time_asked; /* since the mark was set */
};

/*
 * How the addresses of a warp lie: most are evenly spaced, and that is worth knowing once. The
 * members mean the same as in struct sim_access. `known` is only set for a whole warp.
 */
struct shape {
    bool known, even, halves;
    unsigned turn;
    uint64_t step;
};

struct warp {
    /* The running split's state is kept here while it runs. */
    unsigned char *base[2]; /* registers, constants */
    uint32_t pc, mask;
    uint32_t absent; /* how many lanes have no thread, in the last warp of a block */
    uint64_t left; /* warp instructions before its turn ends */
    struct split *now;
    bool gathered; /* an instruction runs for lanes that came to several: see sync.c */
    bool yields; /* it waits for others to do something: they should have their turn */
    unsigned failed_waits; /* how often in a row an mbarrier's phase was not over */
    struct circle circle;
    struct shape kept[1 + KEPT_SHAPES];
    /* The warp's own state follows. */
    struct block *block;
    struct sim_run *launch;
    struct split splits[LANES];
    unsigned split_count;
    struct join joins[LANES];
    uint32_t joins_used; /* bit set */
    uint32_t alive, existing;
    uint32_t came_to[BARRIERS]; /* lanes that came to a barrier with a count, until all have */
    uint32_t came, passed; /* at the cluster's barrier: see cluster.c */
    unsigned index;
    struct frame bottom;
    unsigned char *local; /* LANES * local_per_thread */
    uint32_t taken[LANES]; /* bytes that alloca took from the end of a lane's local memory */
    uint32_t *errors; /* of each lane, what cudaGetLastError gives; NULL: there was none so far */
};

struct block_barrier {
    uint32_t arrived, threads; /* threads 0: all that are alive */
    uint32_t yes, no;          /* of a reduction: predicates brought by those that arrived */
};

/* Blocks that run side by side. */
enum { CLUSTER_MOST = 8 };
struct cluster {
    struct block *member[CLUSTER_MOST]; /* by rank; NULL: it has ended */
    unsigned left;                      /* members that have not ended */
    unsigned alive, arrived;            /* threads: not ended, and of these at the barrier */
    struct cluster *next;               /* in the list of clusters to use again */
};

struct block {
    uint64_t index;
    unsigned id[3];
    struct warp *warps;
    unsigned warp_count, alive; /* threads that have not ended */
    unsigned char *shared;
    struct block_barrier barriers[BARRIERS];
    struct cluster *cluster;
    unsigned rank; /* in the cluster */
    struct block *next;
    struct arena frames; /* registers of deeper frames */
    struct frame *spare; /* popped frames, to use again */
    uint64_t random;
    unsigned turn, first_warp;       /* in this round over its warps */
    uint32_t idle;                   /* warps that wait for others, or have ended: a bit each */
    bool busy;                       /* in this round a warp did more than waiting */
    bool stuck;                      /* in the last round all its warps waited */
    bool watched;                    /* an observer wants its instructions */
    uint64_t round_from, slice_from; /* steps when the round, and the block's slice, began */
    uint64_t steps;                  /* in the slices before */
};

/* lanes.c: splits and joins, the part that isn't hot */
void warp_load(struct warp *); /* copies the running split to the warp's hot members */
void warp_save(struct warp *);
bool warp_pick(struct warp *);  /* a ready split becomes the running one; false: none is */
bool warp_force(struct warp *); /* no split is ready: may one go on nevertheless? */
void warp_drift(struct warp *); /* parts lanes that nothing holds together */
bool warp_others_wait(const struct warp *); /* do lanes wait for those that run, or a turn? */
void warp_let_others(struct warp *); /* the others run before the lanes that run now */
void lanes_wait_at(struct warp *, uint32_t pc); /* they part now and meet again at pc */
struct split *lanes_leave(struct warp *, uint32_t mask, uint32_t pc); /* those but mask, at pc */
enum after lanes_part(struct warp *, const struct insn *, uint32_t taken);
enum after lanes_meet(struct warp *, const struct insn *);
enum after lanes_exit(struct warp *, uint32_t mask);
enum barrier_form { BARRIER_SYNC, BARRIER_POPC, BARRIER_AND, BARRIER_OR, BARRIER_ARRIVE };
enum after lanes_barrier(struct warp *, const struct insn *, uint32_t mask);
void lanes_merge(struct warp *);
void lanes_absent(struct warp *, uint32_t mask); /* they shuffle from lanes that take no part */

/* sync.c: lanes that wait for each other */
/* What such an instruction does with its operands. SYNC_DONE: it has been run for all lanes. */
enum {
    SYNC_ONLY_WAITS = 0,
    SYNC_READS_A = 1,   /* a row of 4 bytes a lane, */
    SYNC_A_64 = 2,      /* or of 8 */
    SYNC_TESTS_A = 4,   /* a is a predicate */
    SYNC_READS_B_C = 8, /* else b is the row of masks */
    SYNC_WRITES_D = 16,
    SYNC_SETS_D = 32, /* d is a predicate */
    SYNC_SETS_E = 64,
    SYNC_IN_PLACE = 128 /* all lanes must come to one instruction */
};
enum sync { SYNC_GO, SYNC_PARKED, SYNC_DONE };
enum sync lanes_sync(struct warp *, unsigned uses, const uint32_t masks[LANES], uint32_t *mask);
/* The same for an instruction that needs all lanes of the warp. If lanes are missing, that is a
 * fault. */
bool lanes_whole(struct warp *, uint32_t *mask);

/* call.c */
enum after lanes_call(struct warp *, const struct insn *, uint32_t mask);
enum after lanes_call_pointer(struct warp *, const struct insn *, uint32_t mask);
enum after lanes_return(struct warp *);
uint64_t call_value(struct warp *, const struct call *, unsigned lane, unsigned i);
void call_read(struct warp *, const struct call *, unsigned lane, unsigned i, void *to,
               unsigned bytes); /* what the argument lacks becomes 0 */
void call_give(struct warp *, const struct call *, unsigned lane, uint64_t value);
void frames_leave(struct warp *, struct frame *, uint32_t mask);

/* Functions of CUDA that device code calls: heap.c has malloc and free, print.c has printf, and
 * runtime.c has the device runtime. */
enum after heap_call(struct warp *, const struct call *, uint32_t mask);
enum after print_call(struct warp *, const struct call *, uint32_t mask);
enum after runtime_call(struct warp *, const struct call *, uint32_t mask);

/* A row of the running split, and a predicate of it. */
static inline void *row_of(const struct warp *w, uint32_t offset)
{
    return w->base[offset & 1u] + (offset & ~1u);
}
static inline uint32_t *predicate_of(const struct warp *w, uint32_t index)
{
    return (uint32_t *)(void *)w->base[0] + index;
}

/* Those of the lanes that name the same mask as the first one: a group that votes together. */
static inline uint32_t lanes_alike(const uint32_t masks[LANES], uint32_t lanes)
{
    uint32_t first = masks[lane_first(lanes)], same = 0;
    for (int i = 0; i < LANES; i++)
        same |= (uint32_t)(masks[i] == first) << i;
    return same & lanes;
}

#endif
