/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reductions of groups of lanes, in the order that the toolkit's have: sums of floats get the
 * same last bits. A tile goes by shfl_xor; any other group is a scan whose last lane has the sum.
 * A tile of several warps reduces each of them, and then what they have.
 */
#ifndef CUDALAB_GROUPS_REDUCE_H
#define CUDALAB_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define CUDALAB_OPERATOR(name, formula, atomic)                                                \
    template <class T> struct name {                                                           \
        CUDALAB_MEMBER T operator()(T x, T y) const { return formula; }                        \
        template <class Atomic> static CUDALAB_MEMBER T update(Atomic &at, T y)                \
        { return at.atomic(y); }                                                               \
    };
CUDALAB_OPERATOR(plus, x + y, fetch_add)
CUDALAB_OPERATOR(less, y < x ? y : x, fetch_min)
CUDALAB_OPERATOR(greater, x < y ? y : x, fetch_max)
CUDALAB_OPERATOR(bit_and, x & y, fetch_and)
CUDALAB_OPERATOR(bit_xor, x ^ y, fetch_xor)
CUDALAB_OPERATOR(bit_or, x | y, fetch_or)

/* Each lane with all before it: distances 1, 2, 4, ... */
template <class Group, class T, class F>
static CUDALAB_MEMBER T cudalab_scan(const Group &group, T v, F &op)
{
    const unsigned rank = group.thread_rank();
    for (unsigned by = 1; by < group.size(); by <<= 1) {
        T before = group.shfl_up(v, by);
        if (by <= rank)
            v = op(v, before);
    }
    return v;
}

template <unsigned size, class Parent, class T, class F>
static CUDALAB_MEMBER T reduce(const thread_block_tile<size, Parent> &tile, T v, F &&op)
{
    if constexpr (size > 32) {
        typedef typename thread_block_tile<size, Parent>::cudalab_lanes warps;
        return tile.cudalab_collect(reduce(thread_block_tile<32>(), v, op),
                                    [&](T of_warp) { return reduce(warps(), of_warp, op); });
    } else {
#pragma unroll
        for (unsigned with = size / 2; with > 0; with /= 2)
            v = op(v, tile.shfl_xor(v, with));
        return v;
    }
}
template <class T, class F>
static CUDALAB_MEMBER T reduce(const coalesced_group &group, T v, F &&op)
{
    if (group.size() == 32)
        return reduce(thread_block_tile<32>(), v, op);
    return group.shfl(cudalab_scan(group, v, op), (int)group.size() - 1);
}

/* The lane of rank 0 takes the result to memory; `group.sync()` comes before it is read. */
template <class Group, class To, class T, class F>
static CUDALAB_MEMBER void reduce_store_async(const Group &group, To *to, T v, F &&op)
{
    T sum = reduce(group, v, op);
    if (group.thread_rank() == 0)
        *to = sum;
}
template <class Group, class Atomic, class T, class F>
static CUDALAB_MEMBER void reduce_store_async(const Group &group, Atomic &to, T v, F &&op)
{
    T sum = reduce(group, v, op);
    if (group.thread_rank() == 0)
        to.store(sum);
}
template <class Group, class Atomic, class T, class F>
static CUDALAB_MEMBER void reduce_update_async(const Group &group, Atomic &&to, T v, F &&op)
{
    T sum = reduce(group, v, op);
    if (group.thread_rank() == 0)
        op.update(to, sum);
}

} // namespace cooperative_groups

#endif
