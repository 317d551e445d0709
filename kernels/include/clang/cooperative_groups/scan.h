/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running sums over groups of lanes, in the toolkit's order. */
#ifndef CUDALAB_GROUPS_SCAN_H
#define CUDALAB_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups {

/* The first lane has nothing before it and gets T's zero. */
template <class Group, class T>
static CUDALAB_MEMBER T cudalab_without_own(const Group &group, T scanned)
{
    T before = group.shfl_up(scanned, 1);
    return group.thread_rank() == 0 ? T() : before;
}

/* With an update, the last lane adds the whole to `to`, and what was there comes before all. */
struct cudalab_no_update {
    static constexpr bool there = false;
    template <class Group, class T, class F>
    CUDALAB_MEMBER T old(const Group &, T, F &) const { return T(); }
};
template <class Atomic> struct cudalab_update {
    static constexpr bool there = true;
    Atomic &to;
    template <class Group, class T, class F>
    CUDALAB_MEMBER T old(const Group &g, T scanned, F &op) const
    {
        const int last = (int)g.size() - 1;
        T before = T();
        if ((int)g.thread_rank() == last)
            before = op.update(to, scanned);
        return g.shfl(before, last);
    }
};

/* In a tile of several warps each scans for itself, and then their sums are scanned. */
template <bool exclusive, class Group, class T, class F, class Update>
static CUDALAB_MEMBER T cudalab_scan_warps(const Group &tile, T v, F &op, const Update &update)
{
    const thread_block_tile<32> warp;
    const T scanned = cudalab_scan(warp, v, op);
    const T before = tile.cudalab_collect(warp.shfl(scanned, 31), [&](T of_warp) {
        const typename Group::cudalab_lanes warps;
        const T sums = cudalab_scan(warps, of_warp, op), old = update.old(warps, sums, op);
        const T others = cudalab_without_own(warps, sums);
        return !update.there ? others : warps.thread_rank() == 0 ? old : op(others, old);
    });
    const T mine = exclusive ? warp.shfl_up(scanned, 1) : scanned;
    if (exclusive && warp.thread_rank() == 0)
        return before;
    return update.there || tile.thread_rank() >= 32 ? op(mine, before) : mine;
}

template <bool exclusive, class Group, class T, class F, class Update>
static CUDALAB_MEMBER T cudalab_scan_of(const Group &group, T v, F &op, const Update &update)
{
    if constexpr (Group::cudalab_several_warps) {
        return cudalab_scan_warps<exclusive>(group, v, op, update);
    } else {
        const T scanned = cudalab_scan(group, v, op), old = update.old(group, scanned, op);
        const T mine = exclusive ? cudalab_without_own(group, scanned) : scanned;
        return update.there ? op(old, mine) : mine;
    }
}

#define CUDALAB_SCAN(kind, exclusive)                                                          \
    template <class Group, class T, class F>                                                   \
    static CUDALAB_MEMBER T kind##_scan(const Group &g, T v, F &&op)                           \
    { return cudalab_scan_of<exclusive>(g, v, op, cudalab_no_update()); }                      \
    template <class Group, class T> static CUDALAB_MEMBER T kind##_scan(const Group &g, T v)   \
    { return kind##_scan(g, v, plus<T>()); }                                                   \
    template <class Group, class Atomic, class T, class F>                                     \
    static CUDALAB_MEMBER T kind##_scan_update(const Group &g, Atomic &&to, T v, F &&op)       \
    { return cudalab_scan_of<exclusive>(g, v, op, cudalab_update<Atomic>{to}); }               \
    template <class Group, class Atomic, class T>                                              \
    static CUDALAB_MEMBER T kind##_scan_update(const Group &g, Atomic &&to, T v)               \
    { return kind##_scan_update(g, to, v, plus<T>()); }
CUDALAB_SCAN(inclusive, false)
CUDALAB_SCAN(exclusive, true)

} // namespace cooperative_groups

#endif
