/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of lanes of one warp; part of cooperative_groups.h.
 *
 * A group of lanes knows its mask, and a member's rank counts the lanes of the mask below it. A
 * tile has its lanes in a row, so the hardware's shuffle finds a rank by itself; in any other
 * group the rank is looked up in the mask. That is the only difference between the two, and is
 * what lanes_in_row and lanes_of_mask say. `shuffles` has what follows for both.
 */
#ifndef CUDALAB_GROUPS_LANES_H
#define CUDALAB_GROUPS_LANES_H

CUDALAB_FN unsigned cudalab_lane(void) { return __nvvm_read_ptx_sreg_laneid(); }
CUDALAB_FN unsigned cudalab_rank_in(unsigned mask)
{
    return __popc(mask & ((1u << cudalab_lane()) - 1));
}

/* The lane whose rank this is. */
CUDALAB_FN unsigned cudalab_lane_of(unsigned mask, unsigned rank)
{
    for (unsigned left = rank; left; left--)
        mask &= mask - 1;
    return (unsigned)__ffs((int)mask) - 1;
}

/* A value of any size, word by word. How: what is done with one word. */
#define CUDALAB_BY_WORDS(T, value, how)                                                        \
    unsigned words[(sizeof(T) + 3) / 4] = {0};                                                 \
    T out;                                                                                     \
    __builtin_memcpy(words, &value, sizeof(T));                                                \
    _Pragma("unroll") for (unsigned &word : words) word = how;                                 \
    __builtin_memcpy(&out, words, sizeof(T));                                                  \
    return out

namespace cooperative_groups {

/* Lanes in a row, `count` of them. */
template <unsigned count> struct lanes_in_row {
    template <class T> static CUDALAB_MEMBER T from(unsigned mask, const T &v, int rank)
    { CUDALAB_BY_WORDS(T, v, __shfl_sync(mask, word, rank, count)); }
    template <class T> static CUDALAB_MEMBER T down(unsigned mask, const T &v, unsigned by)
    { CUDALAB_BY_WORDS(T, v, __shfl_down_sync(mask, word, by, count)); }
    template <class T> static CUDALAB_MEMBER T up(unsigned mask, const T &v, unsigned by)
    { CUDALAB_BY_WORDS(T, v, __shfl_up_sync(mask, word, by, count)); }
    static CUDALAB_MEMBER unsigned packed(unsigned mask, unsigned lanes)
    { return (lanes & mask) >> (cudalab_lane() & ~(count - 1)); }
};

/* Lanes anywhere in the warp. */
struct lanes_of_mask {
    template <class T> static CUDALAB_MEMBER T of_lane(unsigned mask, const T &v, unsigned lane)
    { CUDALAB_BY_WORDS(T, v, __shfl_sync(mask, word, (int)lane, 32)); }
    template <class T> static CUDALAB_MEMBER T from(unsigned mask, const T &v, int rank)
    { return of_lane(mask, v, cudalab_lane_of(mask, (unsigned)rank)); }
    template <class T> static CUDALAB_MEMBER T down(unsigned mask, const T &v, unsigned by)
    {
        const unsigned rank = cudalab_rank_in(mask) + by;
        return of_lane(mask, v, rank < (unsigned)__popc(mask) ? cudalab_lane_of(mask, rank)
                                                              : cudalab_lane());
    }
    template <class T> static CUDALAB_MEMBER T up(unsigned mask, const T &v, unsigned by)
    {
        const unsigned rank = cudalab_rank_in(mask);
        return of_lane(mask, v, rank >= by ? cudalab_lane_of(mask, rank - by) : cudalab_lane());
    }
    /* The bits of the group's lanes, pushed together: the lowest is rank 0. */
    static CUDALAB_MEMBER unsigned packed(unsigned mask, unsigned lanes)
    {
        unsigned bits = 0;
        for (unsigned at = 0; mask; mask &= mask - 1, at++)
            bits |= (lanes >> (__ffs((int)mask) - 1) & 1) << at;
        return bits;
    }
};

template <class How> class shuffles : public thread_group {
protected:
    CUDALAB_MEMBER shuffles(unsigned m, unsigned rank, unsigned size)
        : thread_group(SOME_LANES, m, rank, size) {}

public:
    static constexpr bool cudalab_several_warps = false;
    CUDALAB_MEMBER unsigned cudalab_mask() const { return mask; }
    CUDALAB_MEMBER void sync() const { __syncwarp(mask); }
    CUDALAB_MEMBER unsigned meta_group_rank() const { return meta_rank; }
    CUDALAB_MEMBER unsigned meta_group_size() const { return meta_size; }
    template <class T> CUDALAB_MEMBER T shfl(T v, int rank) const
    { return How::from(mask, v, rank); }
    template <class T> CUDALAB_MEMBER T shfl_down(T v, unsigned by) const
    { return How::down(mask, v, by); }
    template <class T> CUDALAB_MEMBER T shfl_up(T v, unsigned by) const
    { return How::up(mask, v, by); }
    CUDALAB_MEMBER int any(int p) const { return __any_sync(mask, p); }
    CUDALAB_MEMBER int all(int p) const { return __all_sync(mask, p); }
    CUDALAB_MEMBER unsigned ballot(int p) const
    { return How::packed(mask, __ballot_sync(mask, p)); }
    template <class T> CUDALAB_MEMBER unsigned match_any(T v) const
    { return How::packed(mask, __match_any_sync(mask, v)); }
    template <class T> CUDALAB_MEMBER unsigned match_all(T v, int &all) const
    { return How::packed(mask, __match_all_sync(mask, v, &all)); }
};

/* ---- Tiles: 1, 2, 4, ... 32 lanes in a row ---- */

/* What a tile is, by its size: this, or several warps. */
template <unsigned tile_size, bool several_warps = (tile_size > 32)> class cudalab_tile;

template <unsigned tile_size>
class cudalab_tile<tile_size, false> : public shuffles<lanes_in_row<tile_size>> {
    static CUDALAB_MEMBER unsigned lanes()
    {
        return (tile_size == 32 ? ~0u : (1u << tile_size % 32) - 1)
               << (cudalab_lane() & ~(tile_size - 1));
    }

public:
    CUDALAB_MEMBER cudalab_tile(unsigned rank, unsigned size)
        : shuffles<lanes_in_row<tile_size>>(lanes(), rank, size) {}
    template <class Parent> CUDALAB_MEMBER cudalab_tile(const Parent &parent)
        : cudalab_tile(parent.thread_rank() / tile_size,
                       (parent.size() + tile_size - 1) / tile_size) {}
    static CUDALAB_MEMBER unsigned thread_rank() { return cudalab_lane() & (tile_size - 1); }
    template <class T> CUDALAB_MEMBER T shfl_xor(T v, unsigned with) const
    {
        const unsigned mask = lanes();
        CUDALAB_BY_WORDS(T, v, __shfl_xor_sync(mask, word, (int)with, tile_size));
    }
};

template <unsigned tile_size, typename Parent = void>
class thread_block_tile : public cudalab_tile<tile_size> {
    static_assert(tile_size && tile_size <= 1024 && (tile_size & (tile_size - 1)) == 0,
                  "a tile has 1, 2, 4, ... 512 or 1024 threads");

public:
    CUDALAB_MEMBER thread_block_tile(unsigned rank = 0, unsigned size = 1)
        : cudalab_tile<tile_size>(rank, size) {}
    CUDALAB_MEMBER thread_block_tile(const thread_block &block)
        : cudalab_tile<tile_size>(block) {}
    template <unsigned larger, class Other>
    explicit CUDALAB_MEMBER thread_block_tile(const thread_block_tile<larger, Other> &tile)
        : cudalab_tile<tile_size>(tile) {}
    template <class Other>
    CUDALAB_MEMBER thread_block_tile(const thread_block_tile<tile_size, Other> &tile)
        : cudalab_tile<tile_size>(static_cast<const cudalab_tile<tile_size> &>(tile)) {}
    static constexpr CUDALAB_MEMBER unsigned size() { return tile_size; }
    static constexpr CUDALAB_MEMBER unsigned num_threads() { return tile_size; }
};

template <unsigned tile_size>
static CUDALAB_MEMBER thread_block_tile<tile_size, thread_block>
tiled_partition(const thread_block &block)
{
    return thread_block_tile<tile_size, thread_block>(block);
}
template <unsigned tile_size, unsigned size, class Parent>
static CUDALAB_MEMBER thread_block_tile<tile_size, thread_block_tile<size, Parent>>
tiled_partition(const thread_block_tile<size, Parent> &tile)
{
    static_assert(tile_size < size, "a tile of a tile must be smaller than that");
    return thread_block_tile<tile_size, thread_block_tile<size, Parent>>(tile);
}
CUDALAB_FN thread_block_tile<1, void> this_thread(void) { return {0, 1}; }

/* ---- Lanes that came to one place together, and parts of them ---- */

class coalesced_group : public shuffles<lanes_of_mask> {
public:
    CUDALAB_MEMBER coalesced_group(unsigned m, unsigned rank = 0, unsigned size = 1)
        : shuffles(m, rank, size) {}
    CUDALAB_MEMBER unsigned size() const { return (unsigned)__popc(mask); }
    CUDALAB_MEMBER unsigned num_threads() const { return size(); }
    CUDALAB_MEMBER unsigned thread_rank() const { return cudalab_rank_in(mask); }
};

CUDALAB_FN coalesced_group coalesced_threads(void) { return coalesced_group(__activemask()); }

/* Parts of `size` lanes each, as far as there are so many left. A small group stays what it is. */
CUDALAB_FN coalesced_group tiled_partition(const coalesced_group &group, unsigned size)
{
    if (size == 0 || size > 32 || size & (size - 1))
        __trap();
    if (group.size() <= size)
        return group;
    const unsigned part = group.thread_rank() / size;
    unsigned lanes = group.cudalab_mask(), mine = 0;
    for (unsigned rank = 0; lanes; lanes &= lanes - 1, rank++)
        if (rank / size == part)
            mine |= lanes & -lanes;
    return coalesced_group(mine, part, (group.size() + size - 1) / size);
}

/* The tiles of a block, or parts of a group of lanes. A grid has no tiles. */
CUDALAB_MEMBER thread_group tiled_partition(const thread_group &group, unsigned size)
{
    if (group.kind == thread_group::SOME_LANES)
        return tiled_partition(coalesced_group(group.mask), size);
    if (group.kind == thread_group::A_GRID || size == 0 || size > 32 || size & (size - 1))
        __trap();
    const unsigned first = cudalab_lane() & ~(size - 1);
    const unsigned warp = cudalab_thread_rank() & ~31u, in_warp = cudalab_block_size() - warp;
    const unsigned lanes = (size < 32 ? (1u << size) - 1 : ~0u) << first;
    const unsigned there = in_warp < 32 ? (1u << in_warp) - 1 : ~0u;
    return coalesced_group(lanes & there, cudalab_thread_rank() / size,
                           (cudalab_block_size() + size - 1) / size);
}

/* The lanes with the same answer; where all have the same, that is one group. */
template <class Group>
static CUDALAB_MEMBER coalesced_group binary_partition(const Group &group, bool p)
{
    const unsigned all = group.cudalab_mask(), yes = __ballot_sync(all, p);
    return yes == all || yes == 0 ? coalesced_group(all)
                                  : coalesced_group(p ? yes : all & ~yes, p, 2);
}

/* The lanes with the same label. Groups are numbered by their lowest lanes. */
template <class Group, class T>
static CUDALAB_MEMBER coalesced_group labeled_partition(const Group &group, T label)
{
    const unsigned all = group.cudalab_mask();
    const unsigned same = __match_any_sync(all, label), lowest = same & -same;
    const unsigned leaders = __ballot_sync(all, lowest == 1u << cudalab_lane());
    return coalesced_group(same, (unsigned)__popc(leaders & (lowest - 1)),
                           (unsigned)__popc(leaders));
}
template <class Group>
static CUDALAB_MEMBER coalesced_group labeled_partition(const Group &group, bool label)
{
    return binary_partition(group, label);
}

} // namespace cooperative_groups

#endif
