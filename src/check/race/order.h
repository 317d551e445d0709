/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which accesses of other threads a thread can rely on: what happened before what.
 *
 * The simulator runs one warp at a time, so there is one clock for all. It ticks at each
 * synchronisation. What a thread knows of another is a moment up to which all that the other
 * did is over for it. These moments are kept where they are made: one for a block after its
 * barrier, one for a warp after its lanes have waited for each other, pairs only where some of
 * the threads synchronise without the rest.
 *
 * Between blocks, knowledge goes through places in memory: a thread that has fenced and then
 * writes a flag or does an atomic leaves there up to when it vouches; who reads it takes over a
 * reference to the place. What was fenced for the block alone is left at a place of the block's
 * own. A barrier also ends the reads of its threads: they have their values. So any flag or atomic
 * that comes after it vouches for these reads, even without a fence. Blocks of a cluster also wait
 * for each other: what one knows of another is when that one's warps came to the last barrier that
 * all have passed. Where exactness would cost too much a thread is taken to know more than it
 * does: a race may be missed, but an order never is.
 */
#ifndef CHECK_RACE_ORDER_H
#define CHECK_RACE_ORDER_H

#include "check/race/mbarriers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct place; /* in memory, where threads leave word for each other */

struct reference {
    struct place *place;
    uint64_t at;    /* what was left there by then */
    uint64_t only;  /* what this block did alone (its number + 1), or 0: what all did */
    uint32_t lanes; /* who knows of it, of a warp */
    bool pending;   /* read, but no fence has followed yet */
    uint16_t next;  /* the next of the same list: its index + 1, or 0 */
};
enum { REFERENCE_LISTS = 64 };
struct references {
    struct reference *items;
    size_t count, capacity;
    uint16_t first[REFERENCE_LISTS]; /* lists by place: the index + 1 of the first item, or 0 */
    uint64_t reads; /* reads are known that were vouched for up to here */
};

/* Whom a fence is for, or what comes with one; each reaches as far as those before it. */
enum fence_scope { FOR_NOBODY = -1, FOR_BLOCK, FOR_ALL, FENCE_SCOPES };

struct fence {
    uint32_t lanes;       /* that ever fenced */
    uint64_t when;        /* they last did, and what they knew then: */
    uint64_t full, block; /* of their warp, and of their block */
};

struct warp_order {
    uint64_t full;          /* all lanes know of each other up to here */
    uint64_t (*lanes)[32];  /* [who][of whom]; NULL while only whole warps synchronise */
    struct fence fences[FENCE_SCOPES];
    uint32_t passed_on; /* lanes whose fence was followed by a barrier of the block: others may */
    uint64_t passed, passed_full; /* vouch for them, up to here */
    struct references refs;
    struct known_histories histories; /* what its lanes know from mbarriers */
    uint64_t left;          /* word of all reads up to here was left */
};

enum { MOST_TOGETHER = 8 };
struct cluster_order {
    unsigned blocks, left;  /* how many it has, and of them that are under way */
    uint64_t number;        /* of the cluster, in the grid */
    struct block_order *member[MOST_TOGETHER]; /* by rank; NULL: not there yet, or ended */
    uint64_t index[MOST_TOGETHER];
    uint64_t *came, *known; /* [rank][warp]: at the barrier, and at the last that let all go */
};

struct block_order {
    uint64_t index;
    struct cluster_order *cluster; /* NULL: one of a block alone */
    unsigned rank;
    uint32_t first_warp; /* counting the warps of all grids */
    uint64_t known;      /* all threads know of each other up to here */
    uint64_t left;       /* word of all reads up to here was left */
    uint64_t *pairs;     /* [warp][of which warp], from barriers of some warps; mostly NULL */
    uint32_t came[16];   /* warps that have come to a numbered barrier, and */
    uint64_t *arrived;   /* [barrier][warp]: when; one that need not wait may have gone on since */
    bool passed[16];     /* it has let them go: the next to come begins anew */
    bool passes_on;      /* a warp has fenced before a barrier */
    uint64_t all;        /* everything up to here counts as known: too many references */
    struct references refs;
    struct known_histories histories; /* what all its lanes know from mbarriers */
    struct mbarrier_order *mbarriers; /* in its shared memory */
    struct warp_order *warps;
};

struct order {
    uint64_t now;
    unsigned warps; /* of a block */
    uint32_t first_warp; /* of the grid: those of the grids before it have lower numbers */
    struct place_slot *places; /* open hash by address */
    struct place *found;   /* the one found last */
    struct place *ended;   /* at no address: the reads that were over when word was left */
    size_t place_count, place_slots, owned_count; /* owned: by a block */
    size_t word_count; /* at all places */
    uint32_t mbarrier_count; /* how many mbarriers there were */
    uint64_t history_count;  /* how many histories of their phases there were */
    bool failed; /* memory ran out: nothing is certain any more */
};

void order_begin(struct order *, unsigned warps);
/* Another grid begins. What blocks left at places in memory is forgotten. */
void order_grid(struct order *, uint32_t first_warp, unsigned warps);
void order_end(struct order *);
void order_block_begin(struct order *, struct block_order *, uint64_t index);
void order_block_end(struct order *, struct block_order *);

void order_arrive(struct order *, struct block_order *, unsigned warp, unsigned barrier);
void order_barrier(struct order *, struct block_order *, unsigned warp, unsigned barrier,
                   bool whole);
void order_sync(struct order *, struct block_order *, unsigned warp, uint32_t lanes,
                uint32_t existing);
void order_fence(struct order *, struct block_order *, unsigned warp, uint32_t lanes,
                 enum fence_scope);

/* The cluster of a block that has just begun; NULL: memory ran out. The block's end ends it. */
struct cluster_order *order_cluster(struct order *, uint64_t number, unsigned blocks);
void order_join(struct cluster_order *, struct block_order *, unsigned rank);
void order_cluster_arrive(struct order *, struct block_order *, unsigned warp);
void order_cluster_barrier(struct order *, struct cluster_order *);

/* An atomic or a flag at `address`: word is left there, or taken from there. The first leaves word
 * of reads alone; it needs no fence. */
void order_release_reads(struct order *, struct block_order *, unsigned warp,
                         uint64_t address);
void order_release(struct order *, struct block_order *, unsigned warp, uint32_t lanes,
                   uint64_t address, enum fence_scope fences_too);
void order_acquire(struct order *, struct block_order *, unsigned warp, uint32_t lanes,
                   uint64_t address, enum fence_scope, bool pending);

/* The warp arrives at an mbarrier of the block `to`. That block then knows what the warp has read
 * at places. */
void order_share(struct order *, struct block_order *to, struct block_order *, unsigned warp);

/* Does this lane know what that lane (of a warp of the grid) did at that time? */
struct lane_time {
    uint32_t warp;
    unsigned lane;
    uint64_t time;
};
bool order_known(const struct order *, const struct block_order *, unsigned warp, unsigned lane,
                 const struct lane_time *);
/* Is it enough that the other lane has only read? */
bool order_read_known(const struct order *, const struct block_order *, unsigned warp,
                      const struct lane_time *);

#endif
