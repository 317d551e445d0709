/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time of a launch depends on more than its counters. This observer sees on the simulator how many
 * instructions of each kind are executed, which sectors of memory are touched at least once, how many
 * atomics meet at one address, and how long a block takes that has a multiprocessor for itself.
 *
 * For the last of these a few blocks are watched, instruction by instruction. Each register has a
 * moment when its value is ready. An instruction begins when what it reads is ready; a compiler
 * moves instructions within a straight piece of code, so those before it need not be done.
 */
#ifndef OBS_COST_H
#define OBS_COST_H

#include "base/byte-set.h"
#include "sim/sim.h"

enum cost_kind {
#define KIND(name, says) COST_##name,
#include "obs/kinds.def"
#undef KIND
    COST_KINDS
};
extern const char *const cost_kind_says[COST_KINDS];
enum cost_kind cost_kind_of(const struct sim_instruction *);
uint64_t cost_products_of(const struct sim_instruction *); /* multiply-adds of one of TENSOR */

/* Latencies in cycles, and the size of the cache, of the card that the time is for. */
struct cost_card {
    uint16_t latency[COST_KINDS]; /* until the result can be used; of MEMORY: */
    uint16_t constant_turn; /* for each word of a warp */
    uint16_t shared, constant, l1, l2, memory, atomic, barrier;
    uint32_t l1_bytes;            /* that the blocks of a multiprocessor share with shared memory */
    uint32_t blocks_per_sm;       /* that are resident, if there are so many */
    uint32_t shared_per_sm;       /* bytes that these blocks take */
};

/* Where all that L1 lacks is in L2, and where all of it is in memory. */
enum cost_from { COST_FROM_L2, COST_FROM_MEMORY, COST_FROMS };
enum { COST_BLOCKS = 8 }; /* that are watched at most */

struct cost_sample {
    bool taken, cut;          /* cut: some warp was too long to be watched to its end */
    uint64_t steps;           /* warp instructions that were watched */
    float cycles[COST_FROMS]; /* until its last warp had ended, or was cut */
    uint64_t asked, missed;   /* sectors of its loads; those that L1 did not have */
};

/* What is kept of a launch. */
struct launch_cost {
    uint64_t kinds[COST_KINDS];    /* warp instructions */
    uint64_t read, written;        /* sectors that were touched at least once */
    uint64_t hot_lanes;            /* most atomics at one address, counted in lanes */
    bool float_atomics;
    uint64_t tensor_products;      /* multiply-adds of tensor cores */
    uint64_t constant_words;       /* different words that warps ask the constant cache for */
    uint64_t atomic_places;        /* sectors times warps: what atomics ask of L2 */
    uint64_t load_lines;           /* lines of 128 bytes that warps ask L1 for */
    uint64_t blocks, local_bytes;     /* local_bytes: of a thread */
    double cycles[COST_FROMS];        /* of a block, in the mean */
    double longest;                   /* instructions of the longest block, by the mean */
    double missed;                    /* the part of the loaded sectors that L1 did not have */
};

struct cost; /* a launch that is watched */
struct cost *cost_new(const struct cost_card *); /* NULL: no memory */
void cost_free(struct cost *);
struct sim_observer cost_observer(struct cost *);
/* False: memory ran out, and nothing is known. */
bool cost_take(struct cost *, const struct sim_result *, struct launch_cost *);

#endif
