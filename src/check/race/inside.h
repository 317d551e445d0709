/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside the race checker: what its files share.
 */
#ifndef CHECK_RACE_INSIDE_H
#define CHECK_RACE_INSIDE_H

#include "check/blocks.h"
#include "check/chosen.h"
#include "check/race/copies.h"
#include "check/race/grids.h"
#include "check/race/order.h"
#include "check/race/proxy.h"
#include "check/race/race.h"
#include "check/race/shadow.h"

enum { MOST_PIECES = 64, HINTS = 256, MOST_STEP = PAGE / WARP, SHORT_RUN = 4,
       FEW = 4, PLACES = 128 };
#define ALL_LANES 0xffffffffu
#define APART __attribute__((noinline)) /* rare, and in the way where it is called */

/* What an instruction says about itself. */
enum {
    PC_ACQUIRE = 2,
    PC_RELEASE = 4,
    PC_STRONG = 8,
    PC_VOLATILE = 16,
    PC_NARROW = 32, /* the fence, the atomic, or what comes with it, is for the block alone */
    PC_CLUSTER = 64, /* ... or for the block's cluster */
    PC_COPY = 128    /* an asynchronous copy reads or writes by this instruction */
};

/* What removes a race. First the barriers, by how many threads they order. INDEX: an element for
 * each thread. COPY_WAIT: a wait for an asynchronous copy. FENCE: fences around a lock or a flag.
 * CHILD: a tail launch, or one stream for both grids. PROXY_FENCE: a fence.proxy.async before a
 * bulk copy. PARITY: a wait at an mbarrier for the next phase. PHASE: all threads leave a wait
 * before the mbarrier is used again. SCOPE: atomic operations for more threads than those of one
 * block. */
enum race_cure {
    RACE_CURE_UNKNOWN, RACE_CURE_SYNCWARP, RACE_CURE_SYNCTHREADS, RACE_CURE_CLUSTER_SYNC,
    RACE_CURE_GRID_SYNC, RACE_CURE_INDEX, RACE_CURE_ATOMIC, RACE_CURE_COPY_WAIT,
    RACE_CURE_FENCE, RACE_CURE_CHILD, RACE_CURE_PROXY_FENCE,
    RACE_CURE_PARITY, RACE_CURE_PHASE, RACE_CURE_SCOPE, RACE_CURES
};

/* Reads that are put off: later.c. */
struct put_off {
    struct read_note *items;
    size_t count, capacity;
    size_t latest, second; /* the last two, where they could go on; their index + 1 */
    mark_key since; /* what all knew when the first of them came */
    bool on;
};

struct block_state {
    struct block_entry entry;
    struct block_order order;
    struct page *shared;
    struct put_off later;
    mark_key wrote; /* the last write to its shared memory */
    struct copies *copies; /* of each warp; NULL while nothing is copied asynchronously */
    struct copies *bulk;   /* of cp.async.bulk: for each warp its reads, then for each its writes */
    struct proxy_lane *proxies; /* of each lane; NULL while no fence matters to a bulk copy */
    uint64_t copied;       /* copies started by then are over, and all threads know */
};

/* A part of an access within one page; the strip counts from its start. */
struct piece {
    struct page *page;
    struct strip strip;
};

/* An asynchronous copy that completes a phase of an mbarrier. The records are sorted by time. */
struct mbarrier_copy {
    uint64_t time;
    uint32_t mbarrier, phase;
};
enum { MOST_RECORDS = 1 << 16 };

/* The state of a copy, as one lane sees it. COPY_OVER: the copy is complete, and counts as an
 * ordinary access of its thread. COPY_RUNS: it may still run. COPY_KNOWN: the lane knows that it is
 * complete. */
enum copy_state { COPY_OVER, COPY_RUNS, COPY_KNOWN };

/* Lanes of one access by where they reach. `same` and `leader` are there where `again` is not 0. */
struct groups {
    uint32_t mask, first, again; /* first: the lowest lane at each place; again: all others */
    uint32_t same[WARP];   /* of a first one: all lanes at its place, */
    uint8_t leader[WARP];  /* and of each lane the first one */
};

struct race {
    struct findings *out;
    bool strict, off; /* off: more warps or code than there are numbers for */
    bool scoped;      /* some atomics are for a block or a cluster alone */
    struct order order;
    struct grids grids;
    struct shadow shadow;
    struct chosen chosen;
    const struct sim_instruction *code;
    uint8_t *says; /* of each instruction */
    uint32_t code_count, words_asked; /* words_asked: so far, for words_taken: does any */
    bool words_taken;                 /* instruction look at flags or at what atomics found? */
    unsigned grid[3], block_size[3], cluster[3], threads;
    size_t shared_pages; /* of a block */
    unsigned lost, phases; /* later.c: `lost` is how often in a row putting off was in vain */
    struct block_table blocks;
    struct block_entry *spare;
    struct page *hint[HINTS]; /* by number: pages of global memory found last */
    /* of the access that is looked at */
    struct piece piece[MOST_PIECES];
    unsigned pieces;
    uint32_t singles; /* lanes that are looked at one by one */
    struct groups groups;
    struct mbarrier_copy *records; /* a ring with the latest MOST_RECORDS copies */
    uint64_t record_count;
    bool proxies; /* there are bulk copies, to which proxy fences matter */
    bool other_waits; /* some waits are for an mbarrier or for cp.async.bulk */
    uint64_t grouped[WARP]; /* the addresses they are of: a[i] += x reaches the same ones twice */
};

/* One access, with all that is asked of it again and again. */
struct look {
    struct race *r;
    const struct sim_at *at;
    const struct sim_access *a;
    struct block_state *b, *of; /* of: whose shared memory it is, its own as a rule */
    struct warp_order *w;
    bool writes, atomic; /* atomic: no race with another such one */
    mark_key key, known, full; /* this access; up to where the block and the warp are known, */
    mark_key copied;           /* and the block's asynchronous copies */
    mark_key settled;          /* the shadow's: what is not later races with nothing any more */
    uint32_t me; /* the warp, of the whole grid */
    bool at_once; /* no lane can race with another by this very access: they are looked at and
                   * remembered one by one */
    bool unfenced; /* a bulk copy: what it reads is ordered before it, but without a proxy fence */
    const struct groups *group; /* of what writes, and of other lanes that may race */
    uint32_t again;             /* as in `group`; 0 where the lanes were not grouped */
};

/* An earlier access of a lane, or of the same instruction. */
struct earlier {
    mark_key key;
    uint32_t warp;
    unsigned lane;
    unsigned past; /* bytes of this access that lie before the first one that both touch */
};

/* What each file has for the others; see there. */
extern const char *const race_cures[];
enum race_cure race_cure_by_code(const struct look *, uint32_t other_pc);
enum race_cure race_cure_for(const struct look *, unsigned lane, const struct earlier *,
                             enum race_cure by_code);
enum race_cure race_cure_of_both(enum race_cure, enum race_cure);
bool race_is_barrier(enum race_cure);
/* A barrier orders more threads than another one, which is no barrier or a narrower one. */
bool race_is_wider(enum race_cure, enum race_cure than);
unsigned race_where(const struct look *, uint32_t other_pc, enum race_cure); /* FINDING_BETWEEN.. */
int race_waits(const struct look *, uint32_t other_pc); /* a line, or 0 */
bool race_changes(const struct look *, uint32_t other_pc);
void race_join_cures(struct findings *);
void race_found(const struct look *, struct finding_pair *, unsigned lane, const struct earlier *,
                unsigned times);
const char *race_verb(const struct sim_instruction *);
bool race_waits_at_mbarrier(const struct sim_instruction *);
enum copy_state race_copy(const struct race *, const struct block_state *, unsigned warp,
                          unsigned lane, const struct earlier *, uint64_t *time);
void race_see_copy(void *race, const struct sim_at *, const struct sim_copy *);
void race_see_mbarrier(void *race, const struct sim_at *, const struct sim_mbarrier *);
mark_key race_start_copy(struct race *, struct block_state *, const struct sim_at *);
/* The record of the copy that started at that time. NULL: the record is no longer kept. */
const struct mbarrier_copy *race_record_of(const struct race *, uint64_t time);
void race_see_wait(struct race *, const struct sim_at *, struct mbarrier_order *);
void race_see_phase_end(struct race *, const struct sim_at *, const struct block_state *,
                        const struct block_state *of, const struct mbarrier_order *);
/* The wait that was for a phase already over, and because of which these two race; or NULL. */
const struct sim_instruction *race_stale_wait(const struct look *, unsigned lane,
                                              const struct earlier *);
void race_see_groups(struct race *, struct block_state *, const struct sim_at *, bool waits,
                     unsigned left);
struct block_state *race_block_at(struct race *, const struct sim_at *);
void race_end_copies(struct race *, struct block_state *);

void race_compare(const struct look *, const struct strip *now, const struct strip *old, int size);
void race_compare_cells(const struct look *, const struct cells *, const struct strip *);
bool race_pass_line(const struct look *, struct line *, int size, const struct strip *);
bool race_compare_cell(const struct look *, unsigned lane, const struct cells *,
                       const struct cell *, int at);
void race_compare_place(const struct look *, uint32_t lanes, const struct cells *, int at, int end);
void race_find_groups(struct look *);
void race_compare_together(const struct look *);

bool race_put_off(const struct look *);
void race_void_later(struct race *, struct block_state *);
void race_forget_later(struct race *, struct block_state *);

bool race_has_proxies(const struct sim_instruction *, uint32_t count);
/* Lanes of a warp, or all threads of a block, get to know something of other threads. */
void race_proxy_learn(struct race *, struct block_state *, unsigned warp, uint32_t lanes);
void race_proxy_learn_all(struct race *, struct block_state *);
void race_proxy_share(struct race *, struct block_state *, unsigned warp, uint32_t lanes);
void race_see_proxy_fence(void *race, const struct sim_at *);
/* A bulk copy reads bytes of this line, which begin at `start`. */
void race_see_bulk_read(const struct look *, const struct line *, int start);
void race_end_proxies(struct race *, struct block_state *);

void race_see_memory(struct look *);
void race_see_access(struct race *, const struct sim_at *, const struct sim_access *,
                     struct block_state *);
void race_know_copies(struct race *, struct block_state *);
enum fence_scope race_scope(uint8_t says);

/* The block of a warp of the grid that runs now. */
static inline uint64_t race_block_of(const struct race *r, uint32_t warp)
{
    return (warp - r->order.first_warp) / r->order.warps;
}

/* Does the lane know what a lane of an earlier grid, or of its own, did? */
static inline bool race_known(const struct look *k, unsigned lane, const struct lane_time *d)
{
    const struct race *r = k->r;
    return d->warp < r->order.first_warp
               ? grids_known(&r->grids, d)
               : order_known(&r->order, &k->b->order, k->at->warp, lane, d);
}

/* False: the line has to be cut smaller first. */
static inline bool race_remember(const struct look *k, struct line *l, int size,
                                 const struct strip *s)
{
    if (k->writes)
        return line_write(&k->r->shadow, l, size, s);
    line_read(&k->r->shadow, l, size, s);
    return true;
}

/* What is known of the access and an earlier one; key 0: both are of this very instruction. */
static inline struct finding_pair *race_pair(const struct look *k, mark_key earlier)
{
    const struct sim_instruction *other = earlier ? &k->r->code[mark_pc(earlier)] : k->at->code;
    return findings_pair(k->r->out, k->a->space == SIM_GLOBAL ? &race_global : &race_shared,
                         k->at->code, other);
}

#endif
