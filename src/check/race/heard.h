/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What threads tell each other at an mbarrier. Who arrives leaves what it did and knows; who has
 * waited for the phase knows what all left there until the phase was over, and not what they did
 * since. order.h has all other ways by which threads know of each other.
 *
 * What was told until the end of a phase is kept once, as news. Lanes that waited hold on to it.
 */
#ifndef CHECK_RACE_HEARD_H
#define CHECK_RACE_HEARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct order;
struct block_order;
struct deed;
struct news;

/* News that some lanes of a warp have heard, or all of a block. */
struct hearing {
    struct news *news;
    uint32_t meeting, lanes; /* meeting: the mbarrier's number */
};
struct hearings {
    struct hearing *items;
    size_t count, capacity;
};

/* An mbarrier. */
struct gathering {
    struct gathering *next;
    uint64_t address;
    uint32_t number, phases; /* phases: that are over */
    struct news *growing, *last; /* of this phase and all before; of those that are over, or NULL */
};

/* The mbarrier at an address of the block's shared memory, made where there is none. NULL: memory
 * ran out. */
struct gathering *heard_meeting(struct order *, struct block_order *of, uint64_t address);
void heard_again(struct order *, struct gathering *); /* it begins with no phase over */

void heard_arrive(struct order *, struct block_order *, unsigned warp, uint32_t lanes,
                  struct block_order *of, struct gathering *);
void heard_copies(struct order *, struct block_order *, unsigned warp, uint32_t lanes,
                  struct gathering *); /* their cp.async so far are over in this phase */
void heard_end(struct order *, struct gathering *); /* of its phase */
void heard_wait(struct order *, struct block_order *, unsigned warp, uint32_t lanes,
                const struct gathering *);

/* Lanes of a warp, warps of the block, blocks of the cluster get to know what each has heard. */
void heard_in_warp(struct order *, struct block_order *, unsigned warp, uint32_t lanes);
void heard_by_block(struct order *, struct block_order *, unsigned warp);
void heard_by_warp(struct order *, struct block_order *, unsigned warp, unsigned from);
void heard_by_other(struct order *, struct block_order *, const struct block_order *from);
void heard_forget(struct order *, struct block_order *);

/* Has the lane heard of the deed; that the cp.async of that time is over; of the phase's end? */
bool heard_tells(const struct order *, const struct block_order *, unsigned warp, unsigned lane,
                 const struct deed *);
bool heard_copied(const struct order *, const struct block_order *, unsigned warp, unsigned lane,
                  const struct deed *);
bool heard_over(const struct block_order *, unsigned warp, unsigned lane, uint32_t meeting,
                uint32_t phase);

/* Of what lanes have heard, the time up to which all of a warp of the cluster vouches: for those
 * who leave word elsewhere. 0: nothing. */
uint64_t heard_least(const struct order *, const struct block_order *, unsigned warp,
                     uint32_t lanes, unsigned of, uint64_t *most);
unsigned heard_warps(const struct order *, const struct block_order *); /* of the cluster */
/* The number in the grid of a warp of the cluster. */
uint64_t heard_number(const struct order *, const struct block_order *, unsigned of);

#endif
