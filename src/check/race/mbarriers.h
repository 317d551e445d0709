/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What threads know of each other from mbarriers. A thread that arrives adds what it did, and what
 * it knows, to the history of the current phase. When the phase is over, its history stays as it
 * is. A thread that has waited for the phase knows that history: all of it happened before. It does
 * not know what the other threads did after they arrived. order.h has the other ways by which
 * threads know of each other.
 *
 * A history is kept once, and all lanes that know it share it.
 */
#ifndef CHECK_RACE_MBARRIERS_H
#define CHECK_RACE_MBARRIERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct order;
struct block_order;
struct lane_time;
struct phase_history;

/* A history that some lanes of a warp know, or all lanes of a block. */
struct known_history {
    struct phase_history *history;
    uint32_t mbarrier, lanes; /* mbarrier: its number, see struct mbarrier_order */
};
struct known_histories {
    struct known_history *items;
    size_t count, capacity;
};

/* The last wait of a lane at an mbarrier, and how many phases were over then. Time 0: there was
 * none. EARLY: it was for the phase before the first one. AGAIN: the lane had waited for that phase
 * before. See parity.c. */
enum mbarrier_stale { WAIT_FRESH, WAIT_EARLY, WAIT_AGAIN };
struct mbarrier_wait {
    uint64_t time;
    uint32_t phases, pc;
    enum mbarrier_stale stale;
};

/* What the race checker keeps about an mbarrier. */
struct mbarrier_order {
    struct mbarrier_order *next;
    uint64_t address;
    uint32_t number, phases;         /* phases: how many are over */
    struct phase_history *current;   /* of this phase and all earlier ones */
    struct phase_history *completed; /* of the last phase that is over; NULL: no phase is over */
    struct mbarrier_wait *waits;     /* of each lane of the block; NULL: none has waited */
    uint32_t latest_stale;           /* the lane that waited so last: its number + 1, or 0 */
};

/* Finds the mbarrier at an address of the block's shared memory. If there is none, it is made.
 * NULL: memory ran out. */
struct mbarrier_order *order_mbarrier(struct order *, struct block_order *of, uint64_t address);
/* The mbarrier begins again: its current phase has an empty history, and no phase is over. */
void order_mbarrier_init(struct order *, struct mbarrier_order *);

void order_mbarrier_arrive(struct order *, struct block_order *, unsigned warp, uint32_t lanes,
                           struct block_order *of, struct mbarrier_order *);
/* The current phase waits for all cp.async that these lanes have started so far. */
void order_mbarrier_copies(struct order *, struct block_order *, unsigned warp, uint32_t lanes,
                           struct mbarrier_order *);
void order_mbarrier_end_phase(struct order *, struct mbarrier_order *);
/* These lanes have waited for the last phase that is over. */
void order_mbarrier_wait(struct order *, struct block_order *, unsigned warp, uint32_t lanes,
                         const struct mbarrier_order *);

/* After a synchronization each lane that took part knows the histories that the others knew. What
 * synchronized: lanes of a warp; all warps of a block; two warps; two blocks of a cluster. */
void histories_share_lanes(struct order *, struct block_order *, unsigned warp, uint32_t lanes);
void histories_share_block(struct order *, struct block_order *, unsigned warp);
void histories_share_warp(struct order *, struct block_order *, unsigned warp, unsigned from);
void histories_share_cluster(struct order *, struct block_order *, const struct block_order *from);
/* These lanes leave what they know at a place in memory, for threads of their block. Those who read
 * there get to know it. */
void histories_leave(struct order *, struct known_histories *place, const struct block_order *,
                     unsigned warp, uint32_t lanes);
void histories_take(struct order *, struct block_order *, unsigned warp, uint32_t lanes,
                    const struct known_histories *place);
void histories_drop(struct known_histories *);
/* Frees the histories and the mbarriers of a block. */
void histories_free(struct order *, struct block_order *);

/* Does the lane know, by its histories, what that other lane did at that time? */
bool histories_know(const struct order *, const struct block_order *, unsigned warp, unsigned lane,
                    const struct lane_time *);
/* Does it know that the cp.async which the other lane started at that time is complete? */
bool histories_know_copy(const struct order *, const struct block_order *, unsigned warp,
                         unsigned lane, const struct lane_time *);
/* Does it know that this phase of this mbarrier is over? Phases count from 0. */
bool histories_know_phase(const struct block_order *, unsigned warp, unsigned lane,
                          uint32_t mbarrier, uint32_t phase);

/* Will a lane know what that other lane did once the current phase is over? */
bool order_mbarrier_tells(const struct order *, const struct block_order *,
                          const struct mbarrier_order *, const struct lane_time *);

/* The time up to which the first of these lanes knows, by its histories, what all lanes of the warp
 * `of` did. 0: there is no such time. `most` gets the latest time up to which it knows what any
 * lane of that warp did. `of` is the number of a warp in the cluster. */
uint64_t histories_known_upto(const struct order *, const struct block_order *, unsigned warp,
                              uint32_t lanes, unsigned of, uint64_t *most);
/* How many warps the cluster has. A block without a cluster counts as a cluster of one block. */
unsigned order_cluster_warps(const struct order *, const struct block_order *);
/* Turns the number of a warp in the cluster into its number in the grid. */
uint64_t order_cluster_warp(const struct order *, const struct block_order *, unsigned of);

#endif
