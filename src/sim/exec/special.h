/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Special registers: one list of names, and what each row of 32 holds.
 */
#ifndef SIM_SPECIAL_H
#define SIM_SPECIAL_H

#include "sim/run.h"

#include <string.h>

#define SPECIALS(X)                                                                          \
    X(TID_X, "tid.x") X(TID_Y, "tid.y") X(TID_Z, "tid.z")                                    \
    X(NTID_X, "ntid.x") X(NTID_Y, "ntid.y") X(NTID_Z, "ntid.z")                              \
    X(CTAID_X, "ctaid.x") X(CTAID_Y, "ctaid.y") X(CTAID_Z, "ctaid.z")                        \
    X(NCTAID_X, "nctaid.x") X(NCTAID_Y, "nctaid.y") X(NCTAID_Z, "nctaid.z")                  \
    X(LANEID, "laneid") X(WARPID, "warpid") X(NWARPID, "nwarpid") X(WARP_SZ, "WARP_SZ")      \
    X(SMID, "smid") X(NSMID, "nsmid") X(GRIDID, "gridid")                                    \
    X(LANEMASK_EQ, "lanemask_eq") X(LANEMASK_LE, "lanemask_le") X(LANEMASK_LT, "lanemask_lt") \
    X(LANEMASK_GE, "lanemask_ge") X(LANEMASK_GT, "lanemask_gt")                              \
    X(CLOCK, "clock") X(CLOCK_HI, "clock_hi") X(CLOCK64, "clock64")                          \
    X(GLOBALTIMER, "globaltimer") X(GLOBALTIMER_LO, "globaltimer_lo")                        \
    X(GLOBALTIMER_HI, "globaltimer_hi")                                                      \
    X(DYNAMIC_SMEM, "dynamic_smem_size") X(TOTAL_SMEM, "total_smem_size")                    \
    X(GRID_HIGH, "envreg1") X(GRID_LOW, "envreg2")                                           \
    X(CLUSTER_CTAID_X, "cluster_ctaid.x") X(CLUSTER_CTAID_Y, "cluster_ctaid.y")              \
    X(CLUSTER_CTAID_Z, "cluster_ctaid.z") X(CLUSTER_NCTAID_X, "cluster_nctaid.x")            \
    X(CLUSTER_NCTAID_Y, "cluster_nctaid.y") X(CLUSTER_NCTAID_Z, "cluster_nctaid.z")          \
    X(CLUSTERID_X, "clusterid.x") X(CLUSTERID_Y, "clusterid.y") X(CLUSTERID_Z, "clusterid.z") \
    X(NCLUSTERID_X, "nclusterid.x") X(NCLUSTERID_Y, "nclusterid.y")                          \
    X(NCLUSTERID_Z, "nclusterid.z") X(CLUSTER_CTARANK, "cluster_ctarank")                    \
    X(CLUSTER_NCTARANK, "cluster_nctarank") X(EXPLICIT_CLUSTER, "is_explicit_cluster")

enum special {
#define X(id, name) SPECIAL_##id,
    SPECIALS(X)
#undef X
    SPECIAL_COUNT
};

/* Registers that never change here, and second names of registers. Nothing is kept of environment
 * and performance registers. */
#define SPECIAL_CONSTANTS(X)                                                                 \
    X("current_graph_exec", 0) X("reserved_smem_offset_cap", RESERVED_BYTES)
#define SPECIAL_ALIASES(X)   X("aggr_smem_size", "total_smem_size")

/* Time is counted in warp instructions: the same on every machine. */
static inline uint64_t special_clock(const struct warp *w)
{
    w->launch->time_asked = true;
    return still_clock(w->launch, w->launch->steps + w->launch->given - w->left);
}

static inline uint64_t special_high(const struct warp *w, enum special s)
{
    return s == SPECIAL_CLOCK64 || s == SPECIAL_GLOBALTIMER ? special_clock(w) >> 32 : 0;
}

/* A register that has one value for all lanes of the warp. */
static inline uint32_t special_value(const struct warp *w, enum special s)
{
    const struct sim_run *r = w->launch;
    const unsigned *block = r->launch.block, *grid = r->launch.grid, *id = w->block->id;
    switch (s) {
    case SPECIAL_NTID_X: case SPECIAL_NTID_Y: case SPECIAL_NTID_Z:
        return block[s - SPECIAL_NTID_X];
    case SPECIAL_CTAID_X: case SPECIAL_CTAID_Y: case SPECIAL_CTAID_Z:
        return id[s - SPECIAL_CTAID_X];
    case SPECIAL_NCTAID_X: case SPECIAL_NCTAID_Y: case SPECIAL_NCTAID_Z:
        return grid[s - SPECIAL_NCTAID_X];
    case SPECIAL_CLUSTER_CTAID_X: case SPECIAL_CLUSTER_CTAID_Y: case SPECIAL_CLUSTER_CTAID_Z:
        s -= SPECIAL_CLUSTER_CTAID_X;
        return id[s] % r->cluster[s];
    case SPECIAL_CLUSTER_NCTAID_X: case SPECIAL_CLUSTER_NCTAID_Y: case SPECIAL_CLUSTER_NCTAID_Z:
        return r->cluster[s - SPECIAL_CLUSTER_NCTAID_X];
    case SPECIAL_CLUSTERID_X: case SPECIAL_CLUSTERID_Y: case SPECIAL_CLUSTERID_Z:
        s -= SPECIAL_CLUSTERID_X;
        return id[s] / r->cluster[s];
    case SPECIAL_NCLUSTERID_X: case SPECIAL_NCLUSTERID_Y: case SPECIAL_NCLUSTERID_Z:
        s -= SPECIAL_NCLUSTERID_X;
        return grid[s] / r->cluster[s];
    case SPECIAL_CLUSTER_CTARANK: return w->block->rank;
    case SPECIAL_CLUSTER_NCTARANK: return r->cluster_blocks;
    case SPECIAL_EXPLICIT_CLUSTER: return r->launch.kernel->cluster[0] || r->launch.cluster[0];
    case SPECIAL_WARPID: return w->index;
    case SPECIAL_NWARPID: return r->sim->limits.max_threads_per_sm / LANES;
    case SPECIAL_WARP_SZ: return LANES;
    case SPECIAL_SMID: return (uint32_t)(w->block->index % r->sim->limits.multiprocessors);
    case SPECIAL_NSMID: return r->sim->limits.multiprocessors;
    case SPECIAL_CLOCK: case SPECIAL_CLOCK64: case SPECIAL_GLOBALTIMER: case SPECIAL_GLOBALTIMER_LO:
        return (uint32_t)special_clock(w);
    case SPECIAL_CLOCK_HI: case SPECIAL_GLOBALTIMER_HI: return (uint32_t)(special_clock(w) >> 32);
    case SPECIAL_GRID_HIGH: return (uint32_t)(r->workspace >> 32);
    case SPECIAL_GRID_LOW: return (uint32_t)r->workspace;
    case SPECIAL_DYNAMIC_SMEM: return (uint32_t)r->launch.shared_bytes;
    case SPECIAL_TOTAL_SMEM: return (uint32_t)r->shared_bytes;
    default: return 0;
    }
}

static inline void special_row(const struct warp *w, enum special s, uint32_t row[LANES])
{
    const unsigned axis = (unsigned)(s - SPECIAL_TID_X);
    if (s == SPECIAL_TID_X || s == SPECIAL_TID_Y || s == SPECIAL_TID_Z) {
        memcpy(row, w->launch->tid_rows + (w->index * 3 + axis) * LANES, LANES * sizeof *row);
        return;
    }
    const bool by_lane =
        s == SPECIAL_LANEID || (s >= SPECIAL_LANEMASK_EQ && s <= SPECIAL_LANEMASK_GT);
    const uint32_t value = by_lane ? 0 : special_value(w, s);
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t bit = 1u << i;
        row[i] = !by_lane                   ? value
                 : s == SPECIAL_LANEID      ? i
                 : s == SPECIAL_LANEMASK_EQ ? bit
                 : s == SPECIAL_LANEMASK_LT ? bit - 1
                 : s == SPECIAL_LANEMASK_LE ? bit | (bit - 1)
                 : s == SPECIAL_LANEMASK_GE ? ~(bit - 1)
                                            : ~(bit | (bit - 1));
    }
}

#endif
