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

template <class Group, class T, class F>
static CUDALAB_MEMBER T inclusive_scan(const Group &group, T v, F &&op)
{
    return cudalab_scan(group, v, op);
}
template <class Group, class T, class F>
static CUDALAB_MEMBER T exclusive_scan(const Group &group, T v, F &&op)
{
    return cudalab_without_own(group, cudalab_scan(group, v, op));
}

/* The last lane adds the whole to `to`, and what was there comes before all lanes' sums. */
#define CUDALAB_SCAN(kind, own)                                                                \
    template <class Group, class T> static CUDALAB_MEMBER T kind##_scan(const Group &g, T v)   \
    { return kind##_scan(g, v, plus<T>()); }                                                   \
    template <class Group, class Atomic, class T, class F>                                     \
    static CUDALAB_MEMBER T kind##_scan_update(const Group &g, Atomic &&to, T v, F &&op)       \
    {                                                                                          \
        const int last = (int)g.size() - 1;                                                    \
        T scanned = cudalab_scan(g, v, op), old = T();                                         \
        if ((int)g.thread_rank() == last)                                                      \
            old = op.update(to, scanned);                                                      \
        old = g.shfl(old, last);                                                               \
        return op(old, own);                                                                   \
    }                                                                                          \
    template <class Group, class Atomic, class T>                                              \
    static CUDALAB_MEMBER T kind##_scan_update(const Group &g, Atomic &&to, T v)               \
    { return kind##_scan_update(g, to, v, plus<T>()); }
CUDALAB_SCAN(inclusive, scanned)
CUDALAB_SCAN(exclusive, cudalab_without_own(g, scanned))

} // namespace cooperative_groups

#endif
