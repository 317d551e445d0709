/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profiler's counters, from the simulator's tally and its memory accesses.
 *
 * COUNTERS is the one list: struct fields, JSON keys, screen rows and tests come from it.
 * Requests, sectors and wavefronts are counted as NVIDIA's profiler counts them on the
 * same PTX assembled without optimisation.
 */
#ifndef OBS_COUNT_H
#define OBS_COUNT_H

#include "base/mem.h"
#include "sim/sim.h"
#include <stdbool.h>
#include <stdint.h>

#define COUNTERS(X)                                                                          \
    X(warp_instructions) X(thread_instructions) X(branches) X(divergent_branches)            \
    X(barriers) X(shuffles)                                                                  \
    X(shared_load_requests) X(shared_load_wavefronts) X(shared_load_conflicts)               \
    X(shared_store_requests) X(shared_store_wavefronts) X(shared_store_conflicts)            \
    X(global_load_requests) X(global_load_sectors)                                           \
    X(global_store_requests) X(global_store_sectors) X(global_atomic_requests)               \
    X(local_load_requests) X(local_store_requests) X(constant_load_requests)                 \
    X(texture_requests) X(shared_atomic_requests) X(global_atomics) X(shared_atomics)

struct counters {
#define X(name) uint64_t name;
    COUNTERS(X)
#undef X
    uint64_t guarded_off; /* thread instructions that a false guard left out; not reported */
    uint64_t absent;      /* lanes without a thread, for each warp instruction; not reported */
};

struct counter_name { const char *name; size_t offset; };
extern const struct counter_name counter_names[]; /* in the order of the list, ends with NULL */

/* See accesses while the launch runs, then add up the tally once it is done. The counters begin at
 * zero. */
struct sim_observer count_observer(struct counters *);
void count_tally(struct counters *, const struct sim_result *);

/*
 * The same, instruction by instruction, for those who want to know which lines cost what. The
 * room comes from the arena as the launch goes; where it can't be had, `each` is NULL. An access
 * that lies in the sectors as its instruction's last one did costs the same, and is not looked at.
 */
struct count_each {
    struct arena *memory;
    struct counters *each; /* by pc */
    struct pattern **last; /* by pc: how its accesses lay, and what they cost */
    bool *seen;            /* by pc: it has accesses */
    uint32_t count;
};
struct sim_observer count_each_observer(struct count_each *);
void count_each_tally(struct count_each *, const struct sim_result *, struct counters *all);
void counters_add(struct counters *to, const struct counters *from);

/* The two rules by themselves, for labs' pictures and tests. */
unsigned count_sectors(const uint64_t address[32], uint32_t mask, unsigned bytes);
struct wavefronts { unsigned wavefronts, ideal, degree; }; /* ideal: without any conflict */
struct wavefronts count_wavefronts(const uint64_t address[32], uint32_t mask, unsigned bytes,
                                   bool store);

#endif
